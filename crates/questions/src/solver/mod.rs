//! Solvers: the translation of formulas into gates and clauses, other programs that decide
//! formulas, and proofs with a checker of proofs.

pub mod engine;
pub mod proof;
