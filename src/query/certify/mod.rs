//! Certificates of answers that rest on facts: one DRAT proof over the plain clauses of the question.
//!
//! The models are compared gate by gate. Gates that are the same on all samples are proved to be so,
//! with the numbers in the middle of both models in their order, and what reads them is then one gate
//! as well (SAT sweeping). Where two sums are aligned to different exponents their gates are the same
//! in cases only: one for each difference of the exponents. Each case is a gate beside the question,
//! which demands nothing, so that every lemma is a clause that follows by unit propagation.

mod cases;
mod question;
mod script;
mod simulate;
mod solver;
mod stage;
mod sweep;
mod window;

use crate::engine::Limits;
use crate::proof::Cnf;
use crate::query::Subject;
use question::Question;
use std::io::{self, Write};
use sweep::Sweep;

/// What became of a certificate.
#[derive(Debug)]
pub struct Certificate {
    /// The clauses of the question, and of the gates beside it.
    pub cnf: Cnf,
    /// How many lemmas were written.
    pub lemmas: usize,
    /// Clauses that were derived and not deleted, if the empty clause was not: the proof is to go on.
    pub open: Option<Vec<Vec<i32>>>,
    /// What could not be proved on the way.
    pub missing: Vec<String>,
}

/// Writes a DRAT proof, as far as it can be found, that nothing meets the question.
///
/// # Errors
/// If it cannot be written.
pub fn certify(
    subject: &Subject<'_>,
    seed: u64,
    limits: &Limits,
    out: &mut impl Write,
) -> io::Result<Option<Certificate>> {
    let Some(question) = Question::of(subject, seed, limits) else {
        return Ok(None);
    };
    let mut sweep = Sweep::new(&question, limits, out);
    for stage in &question.stages {
        sweep.stage(stage);
    }
    sweep.finish().map(Some)
}
