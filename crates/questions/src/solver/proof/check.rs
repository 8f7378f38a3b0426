//! A forward checker of DRAT proofs, restricted to lemmas that follow by unit propagation (RUP).
//!
//! RAT lemmas are rejected; CaDiCaL writes none. As in drat-trim, a deletion is ignored if the
//! clause is the reason that a literal is true. This is sound, since all clauses follow from the
//! formula.

use super::propagate::Propagator;
use super::read::{DimacsClauses, ProofStep, ReadError};
use mmasmt_numbers::base::excerpt::excerpt;
use thiserror::Error;

/// The size of an accepted proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckedProof {
    /// The number of lemmas checked.
    pub lemmas: usize,
    /// The number of deletions.
    pub deletions: usize,
}

/// The reason that a proof is rejected.
#[derive(Debug, Error)]
pub enum ProofRejection {
    /// A lemma does not follow by unit propagation.
    #[error("line {line}: `{lemma}` does not follow from what is before it by unit propagation")]
    Lemma {
        /// The line of the lemma in the proof.
        line: usize,
        /// The first literals of the lemma.
        lemma: String,
    },
    /// A hint of a lemma does not fit.
    #[error("line {line}: hint {hint} of `{lemma}` does not fit: {why}")]
    Hint {
        /// The line of the lemma in the proof.
        line: usize,
        /// The first literals of the lemma.
        lemma: String,
        /// The hint.
        hint: i64,
        /// The fault.
        why: &'static str,
    },
    /// The hints of a lemma end too early.
    #[error(
        "line {line}: the hints of `{lemma}` end before a clause of which no literal can be true"
    )]
    Hints {
        /// The line of the lemma in the proof.
        line: usize,
        /// The first literals of the lemma.
        lemma: String,
    },
    /// The number of a lemma is not greater than all before it.
    #[error("line {line}: expected the number of a lemma above {last}, found {found}")]
    Number {
        /// The line of the lemma in the proof.
        line: usize,
        /// The greatest number before it.
        last: u64,
        /// The number of the lemma.
        found: u64,
    },
    /// A step deletes a clause that does not exist.
    #[error("line {line}: it deletes `{clause}`, which is not there")]
    Deletion {
        /// The line of the deletion in the proof.
        line: usize,
        /// The first literals of the clause.
        clause: String,
    },
    /// The proof does not derive the empty clause.
    #[error("it ends before it has derived the empty clause")]
    Unfinished,
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Checks that the steps derive the empty clause from the formula.
///
/// # Errors
/// If the steps do not derive it, or cannot be read.
pub fn check(
    formula: &DimacsClauses,
    steps: impl IntoIterator<Item = Result<(usize, ProofStep), ReadError>>,
) -> Result<CheckedProof, ProofRejection> {
    replay(&mut Propagator::of(formula, None), steps)
}

/// Adds the lemmas to the clauses of the propagator, each if it follows, and deletes what the steps
/// delete, until the empty clause is added.
pub(super) fn replay(
    propagator: &mut Propagator,
    steps: impl IntoIterator<Item = Result<(usize, ProofStep), ReadError>>,
) -> Result<CheckedProof, ProofRejection> {
    let mut checked = CheckedProof::default();
    for step in steps {
        match step? {
            (line, ProofStep::Add(lemma)) => {
                if !propagator.derive(&lemma) {
                    let lemma = text(&lemma);
                    return Err(ProofRejection::Lemma { line, lemma });
                }
                checked.lemmas += 1;
                if lemma.is_empty() {
                    return Ok(checked);
                }
            }
            (line, ProofStep::Delete(clause)) => {
                if !propagator.delete(&clause) {
                    let clause = text(&clause);
                    return Err(ProofRejection::Deletion { line, clause });
                }
                checked.deletions += 1;
            }
        }
    }
    Err(ProofRejection::Unfinished)
}

pub(super) fn text(clause: &[i32]) -> String {
    let literals: Vec<_> = clause.iter().map(ToString::to_string).collect();
    excerpt(&literals.join(" "))
}
