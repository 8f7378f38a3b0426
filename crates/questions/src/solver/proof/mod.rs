//! CNF formulas and DRAT proofs: writers, readers, and a checker.

mod check;
mod propagate;
mod read;
mod tseitin;
mod write;

pub use check::{CheckedProof, Rejected, check};
pub use read::{DimacsClauses, ProofStep, ProofSteps, ReadError};
pub use tseitin::{Variables, encode};
pub use write::{ClauseSink, Cnf, DratWriter};
