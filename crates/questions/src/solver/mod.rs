//! Solvers: the way from formulas to gates to clauses, other programs that decide formulas, and
//! proofs with their checker.

pub mod engine;
pub mod proof;
