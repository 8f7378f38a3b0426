//! A checker of LRAT proofs, restricted to lemmas that follow by unit propagation (RUP). It looks
//! for nothing: the hints of a lemma say which clauses become unit, and in which order.
//!
//! A negative hint, with which a RAT lemma names the clauses that it is resolved with, is rejected.

use super::check::{CheckedProof, ProofRejection, text};
use super::read::{DimacsClauses, ReadError};
use super::read_lrat::HintedStep;
use rustc_hash::{FxHashMap, FxHashSet};

/// Clauses by their numbers.
struct NumberedClauses {
    clauses: FxHashMap<u64, Vec<i32>>,
    /// The greatest number so far.
    last: u64,
}

/// Checks that the steps derive the empty clause from the formula, whose clauses are numbered
/// from 1.
///
/// # Errors
/// If the steps do not derive it, or cannot be read.
pub fn check_hints(
    formula: &DimacsClauses,
    steps: impl IntoIterator<Item = Result<(usize, HintedStep), ReadError>>,
) -> Result<CheckedProof, ProofRejection> {
    let mut numbered = NumberedClauses {
        clauses: (1..).zip(formula.clauses.iter().cloned()).collect(),
        last: formula.clauses.len() as u64,
    };
    let mut checked = CheckedProof::default();
    for step in steps {
        let (line, step) = step?;
        match step {
            HintedStep::Add {
                number,
                lemma,
                hints,
            } => {
                if number <= numbered.last {
                    return Err(ProofRejection::Number {
                        line,
                        last: numbered.last,
                        found: number,
                    });
                }
                numbered.check(line, &lemma, &hints)?;
                checked.lemmas += 1;
                if lemma.is_empty() {
                    return Ok(checked);
                }
                numbered.last = number;
                numbered.clauses.insert(number, lemma);
            }
            HintedStep::Delete(numbers) => {
                for number in numbers {
                    if numbered.clauses.remove(&number).is_none() {
                        let clause = number.to_string();
                        return Err(ProofRejection::Deletion { line, clause });
                    }
                    checked.deletions += 1;
                }
            }
        }
    }
    Err(ProofRejection::Unfinished)
}

impl NumberedClauses {
    /// Checks that the hints become unit one after the other when the literals of the lemma are
    /// false, until one has only false literals.
    fn check(&self, line: usize, lemma: &[i32], hints: &[i64]) -> Result<(), ProofRejection> {
        let mut falsified: FxHashSet<i32> = lemma.iter().copied().collect();
        if lemma.iter().any(|literal| falsified.contains(&-literal)) {
            return Ok(());
        }
        for &hint in hints {
            let wrong = |why| ProofRejection::Hint {
                line,
                lemma: text(lemma),
                hint,
                why,
            };
            let number = u64::try_from(hint)
                .map_err(|_| wrong("it is negative, as of a RAT lemma, which is not accepted"))?;
            let clause = self.clauses.get(&number);
            let clause = clause.ok_or_else(|| wrong("there is no clause of this number"))?;
            let mut open = clause.iter().filter(|literal| !falsified.contains(literal));
            let Some(&unit) = open.next() else {
                return Ok(());
            };
            if open.any(|literal| *literal != unit) {
                return Err(wrong("more than one of its literals can still be true"));
            }
            if falsified.contains(&-unit) {
                return Err(wrong("it is true already"));
            }
            falsified.insert(-unit);
        }
        Err(ProofRejection::Hints {
            line,
            lemma: text(lemma),
        })
    }
}
