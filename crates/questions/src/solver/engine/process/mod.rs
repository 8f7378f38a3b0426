//! SMT-LIB solvers as processes: they read a script on standard input and answer once.
//!
//! Replies are held, compared and printed as terms of `easy-smt`. The process, its limits and the
//! parser are our own: DESIGN.md says what those of the crate would lose.

mod answer;
mod known;
mod sexpr;
mod solver;

pub use solver::SmtSolver;
