//! SMT-LIB solvers as processes: they read a script on standard input and answer once.
//!
//! What they say is held, compared and printed as terms of `easy-smt`. The process, its limits and
//! the reader of its text are ours: DESIGN.md says what the crate's own would lose.

mod answer;
mod known;
mod sexpr;
mod solver;

pub use solver::SmtSolver;
