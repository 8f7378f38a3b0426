//! LRAT proofs: a DRAT proof is checked, and each lemma that the empty clause needs is written with
//! the clauses that it follows from.

use super::check::{ProofRejection, replay};
use super::derivations::Derivations;
use super::propagate::Propagator;
use super::read::{DimacsClauses, ProofStep, ReadError};
use std::io::{self, Write};

/// A checked proof whose lemmas have hints.
#[derive(Debug)]
pub struct HintedProof {
    /// The number of clauses of the formula.
    given: usize,
    derived: Derivations,
}

impl HintedProof {
    /// Checks a DRAT proof as [`check`](super::check::check) does, and keeps the clauses that unit
    /// propagation used for each lemma.
    ///
    /// # Errors
    /// If the steps do not derive the empty clause, or cannot be read.
    pub fn of(
        formula: &DimacsClauses,
        steps: impl IntoIterator<Item = Result<(usize, ProofStep), ReadError>>,
    ) -> Result<HintedProof, ProofRejection> {
        let mut propagator = Propagator::of(formula, Some(Derivations::default()));
        replay(&mut propagator, steps)?;
        Ok(HintedProof {
            given: formula.clauses.len(),
            derived: propagator.into_derivations(),
        })
    }

    /// For each clause, the last needed lemma that it is a hint of. The last lemma, which is the
    /// empty clause, is needed; so is every hint of a needed lemma.
    fn last_uses(&self) -> Vec<Option<usize>> {
        let mut last = vec![None; self.given + self.derived.len()];
        let end = self.derived.len().saturating_sub(1);
        for index in (0..self.derived.len()).rev() {
            if index < end && last[self.given + index].is_none() {
                continue;
            }
            for &hint in self.derived.get(index).antecedents {
                last[hint as usize].get_or_insert(index);
            }
        }
        last
    }

    /// Writes the proof as text, without the lemmas that the empty clause does not need, and
    /// returns the number of its lemmas. A clause is deleted after its last use.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<usize> {
        let last = self.last_uses();
        // The numbers in the file: those of the formula stay, needed lemmas follow.
        let mut numbers: Vec<usize> = (1..=self.given).collect();
        let mut next = self.given + 1;
        let end = self.derived.len().saturating_sub(1);
        for index in 0..self.derived.len() {
            numbers.push(next);
            if index < end && last[self.given + index].is_none() {
                continue;
            }
            let lemma = self.derived.get(index);
            write!(out, "{next} ")?;
            for literal in lemma.clause {
                write!(out, "{literal} ")?;
            }
            out.write_all(b"0 ")?;
            for &hint in lemma.antecedents {
                write!(out, "{} ", numbers[hint as usize])?;
            }
            out.write_all(b"0\n")?;
            let mut unused = lemma.antecedents.to_vec();
            unused.retain(|&hint| last[hint as usize] == Some(index));
            if index < end && !unused.is_empty() {
                write!(out, "{next} d ")?;
                for hint in unused {
                    write!(out, "{} ", numbers[hint as usize])?;
                }
                out.write_all(b"0\n")?;
            }
            next += 1;
        }
        Ok(next - self.given - 1)
    }
}
