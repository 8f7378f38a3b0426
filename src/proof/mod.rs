//! Answers that others can check: clauses, and proofs that they contradict each other.

mod check;
mod cnf;
mod propagate;
mod read;
mod script;
mod tseitin;

pub use check::{Checked, Rejected, check};
pub use cnf::{ClauseSink, Cnf};
pub use read::{Clauses, ReadError, Step, Steps};
pub use script::Script;
pub use tseitin::{Variables, encode};
