//! SMT-LIB solvers as processes: they read a script on standard input and answer once.
//!
//! The crate easy-smt is not used here: it keeps the process to itself, so that neither a time
//! limit nor a memory limit nor an interrupt could end it, it waits for a line for as long as it
//! takes, and it writes expressions as trees. What is left of its work is to read
//! `((a0 #x3c00) …)`.

mod answer;
mod known;
mod sexpr;
mod solver;

pub use solver::SmtSolver;
