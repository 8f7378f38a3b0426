//! Certificates of answers that rest on facts: one DRAT proof over the plain clauses of the question.
//!
//! Both models are gates of one netlist. Gates that are the same on all samples are proved to be so, in
//! their order, and what reads them is then one gate as well. Where two sums are aligned to different
//! exponents their gates are the same in cases only, one for each difference of the exponents. Each case
//! is a gate beside the question, which demands nothing: so every step of the proof is a clause that
//! follows by unit propagation, as the checker wants it.

mod cases;
mod circuit;
mod learned;
mod merged;
mod place;
mod question;
mod ranges;
mod search;
mod simulate;
mod stage;
mod sweep;
mod window;

use super::subject::Subject;
use crate::bits::blast::Wire;
use crate::limits::Limits;
use crate::proof::{ClauseSink, Cnf};
use circuit::{literal, meaning, simple};
use question::Question;
use std::io::{self, Write};
use sweep::{Found, Sweep};

/// What became of a certificate.
#[derive(Debug)]
pub struct Certificate {
    /// The clauses of the question, and of the gates beside it.
    pub cnf: Cnf,
    /// Clauses of the proof; none if the empty one is not among them.
    pub lemmas: Option<usize>,
    /// What could not be proved on the way.
    pub missing: Vec<String>,
}

/// Writes a DRAT proof, as far as it is found, that nothing meets the question. None if the question
/// is not one of two models.
///
/// # Errors
/// If it cannot be written.
pub fn certify(
    subject: &Subject<'_>,
    seed: u64,
    limits: &Limits,
    out: impl Write,
) -> io::Result<Option<Certificate>> {
    let Some(question) = Question::of(subject, seed, limits) else {
        return Ok(None);
    };
    let mut sweep = Sweep::new(&question, out, seed, limits);
    let mut missing = Vec::new();
    for (index, stage) in question.stages.iter().enumerate() {
        limits.report(|report| report.step = format!("proof: sum {}", index + 1));
        sweep.stage(index, stage, &mut missing);
    }
    limits.report(|report| report.step = "proof: results".into());
    let is_refuted = sweep.conclude(question.root);
    let cnf = clauses(subject, &question, &sweep);
    let lemmas = sweep.script.finish()?;
    Ok(Some(Certificate {
        cnf,
        lemmas: is_refuted.then_some(lemmas),
        missing,
    }))
}

/// The clauses of all gates that the root or the proof depends on.
fn clauses<W: Write>(subject: &Subject<'_>, question: &Question, sweep: &Sweep<W>) -> Cnf {
    let mut cnf = Cnf::default();
    let literals = |clause: Vec<Wire>| -> Vec<i32> { clause.iter().map(|wire| literal(*wire)).collect() };
    for (gate, kind) in sweep.circuit.gates().iter().enumerate() {
        for clause in meaning(Wire::of_gate(gate), *kind, |wire| wire) {
            cnf.add_clause(&literals(clause));
        }
    }
    cnf.add_clause(&literals(simple([question.root]).unwrap_or_default()));
    let count = question.netlist.gates().len();
    cnf.comment(format!("variables from {count} on are gates beside the question, which demand nothing"));
    let _ = subject;
    cnf
}

impl<W: Write> Sweep<W> {
    /// Derives the empty clause, if all wires of the root are merged by now or a search refutes it.
    fn conclude(&mut self, root: Wire) -> bool {
        let list = self.circuit.cone([root]);
        self.everywhere(|sweep, place| {
            sweep.merge_by_operands(&list, place);
            let root = place.merged.of(root);
            let found = match root.as_constant() {
                Some(true) => Found::Refuted,
                Some(false) => Found::Lemma,
                None => sweep.prove_clause(&[root.not()], u32::MAX, place),
            };
            if found == Found::Lemma {
                sweep.script.add(&[]);
            }
            found == Found::Lemma
        })
    }
}
