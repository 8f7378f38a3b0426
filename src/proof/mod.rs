//! Answers that others can check: clauses, and proofs that they contradict each other.

mod check;
mod cnf;
mod merge;
mod propagate;
mod read;
mod tseitin;

pub use check::{Checked, Rejected, check};
pub use cnf::{ClauseSink, Cnf};
pub(crate) use merge::{Key, Reduced, equate, reduced};
pub use merge::{Lemma, merge};
pub use read::{Clauses, ReadError, Step, Steps};
pub use tseitin::{Variables, encode};
pub(crate) use tseitin::{define, encode_with};
