//! A forward checker of DRAT proofs: every lemma must follow by unit propagation (RUP).
//!
//! Lemmas that only keep satisfiability (RAT) are rejected: CaDiCaL writes none. A deletion of a
//! clause that implies a literal is ignored, as drat-trim does; more clauses are never wrong, as
//! all of them follow from the formula.

use super::propagate::Propagator;
use super::read::{DimacsClauses, ProofStep, ReadError};
use crate::excerpt::excerpt;
use thiserror::Error;

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedProof {
    /// Lemmas that follow.
    pub lemmas: usize,
    /// Clauses that were deleted.
    pub deletions: usize,
}

/// Why a proof is none.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Rejected {
    /// A lemma does not follow.
    #[error("line {line}: `{lemma}` does not follow from what is before it by unit propagation")]
    Lemma {
        /// Its line in the proof.
        line: usize,
        /// Its first literals.
        lemma: String,
    },
    /// A clause is deleted that is not there.
    #[error("line {line}: it deletes `{clause}`, which is not there")]
    Deletion {
        /// Its line in the proof.
        line: usize,
        /// Its first literals.
        clause: String,
    },
    /// The empty clause is not reached.
    #[error("it ends before it has derived the empty clause")]
    Unfinished,
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Whether the steps derive a contradiction from the clauses.
///
/// # Errors
/// If they do not.
pub fn check(
    formula: &DimacsClauses,
    steps: impl IntoIterator<Item = Result<(usize, ProofStep), ReadError>>,
) -> Result<CheckedProof, Rejected> {
    let mut propagator = Propagator::new();
    for clause in &formula.clauses {
        propagator.add(clause);
    }
    let mut checked = CheckedProof::default();
    for step in steps {
        match step? {
            (line, ProofStep::Add(lemma)) => {
                if !propagator.implies(&lemma) {
                    let lemma = text(&lemma);
                    return Err(Rejected::Lemma { line, lemma });
                }
                checked.lemmas += 1;
                if lemma.is_empty() {
                    return Ok(checked);
                }
                propagator.add(&lemma);
            }
            (line, ProofStep::Delete(clause)) => {
                if !propagator.delete(&clause) {
                    let clause = text(&clause);
                    return Err(Rejected::Deletion { line, clause });
                }
                checked.deletions += 1;
            }
        }
    }
    Err(Rejected::Unfinished)
}

fn text(clause: &[i32]) -> String {
    let literals: Vec<_> = clause.iter().map(ToString::to_string).collect();
    excerpt(&literals.join(" "))
}
