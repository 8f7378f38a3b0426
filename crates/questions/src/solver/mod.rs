//! Solvers: formulas to gates to clauses, other programs that decide them, proofs and their
//! checker.

pub mod engine;
pub mod proof;
