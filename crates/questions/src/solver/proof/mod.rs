//! CNF formulas, DRAT and LRAT proofs: writers, readers, and checkers.

mod check;
mod derivations;
mod hints;
mod lrat;
mod numbering;
mod propagate;
mod read;
mod read_lrat;
mod tseitin;
mod write;

pub use check::{CheckedProof, ProofRejection, check};
pub use hints::HintedProof;
pub use lrat::check_hints;
pub use read::{DimacsClauses, ProofStep, ProofSteps, ReadError};
pub use read_lrat::{HintedStep, HintedSteps};
pub use tseitin::{Variables, encode};
pub use write::{ClauseSink, Cnf, DratWriter};
