//! SMT-LIB solvers as processes: they read a script on standard input and answer once.
//!
//! Replies are stored, compared and printed as terms of `easy-smt`. The process, its limits and the
//! parser are this crate's own; DESIGN.md says why those of `easy-smt` are not used.

mod answer;
mod known;
mod sexpr;
mod solver;

#[doc(hidden)]
pub use answer::literal;
#[doc(hidden)]
pub use known::SolverProgram;
#[doc(hidden)]
pub use sexpr::{Front, front};
pub use solver::SmtSolver;
