//! Solvers: from formulas to gates to clauses, other programs that decide them, and proofs with
//! their checker.

pub mod engine;
pub mod proof;
