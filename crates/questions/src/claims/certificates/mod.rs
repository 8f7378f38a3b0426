//! Certificates: DRAT proofs, over the plain clauses of a question, that no inputs meet the
//! question.
//!
//! If two models are compared, the gates of both models are in one netlist. Gates that are the same
//! on all samples are proved equal, one after the other, and every gate that read one of two equal
//! gates then reads the first of them. If two sums are aligned to different exponents, their gates
//! are equal only in cases, one case for each difference of the exponents. Each case is an
//! additional gate, which may be true or false as far as the question is concerned: every step of
//! the proof is then a clause that follows by unit propagation, as the checker requires.
//!
//! Of the 22 pairs of `tests/queries/stagewise.rs` that are equal by facts, 13 have such a proof,
//! and the checker accepts each (`tests/engines/certified.rs`). The table gives seconds on a busy
//! core, with the time of the check:
//!
//! | pair | seconds |
//! | --- | --- |
//! | `fda:F=25,K=16,chain=2` and `nan=quiet` | 7 |
//! | `fda:F=24,out=f16` and `emin=-24` | 30 |
//! | `fda:K=16,F=13,in=e5m2,out=f16` and `emin=-26` | 113 |
//! | `fda:F=24,K=16,out=f16` and `zero=min` | 216 |
//! | `sfma:K=2,fmt=f32` and `nan=ones` | 321 |
//! | `fda:F=25,K=16` and `emin=-125`, `emin=-124` | 328, 408 |
//! | `hmma8:F=25,in=e4m3` and `emin=-125`, `emin=-18` | 368, 588 |
//! | `gps:G=2,in=bf16` and `products=fma` | 378 |
//! | `fda:K=2,F=25,in=e2m1,scale=ue8m0,block=2` and `emin=-130` | 460 |
//! | `gps:G=4` and `products=fma` | 1129 |
//! | `hmma8:K=4,F=25,in=e4m3` and `emin=-17` | 1274 |
//!
//! The other pairs have no proof after ten minutes of search. The missing steps are the rounding to
//! f16 of sums whose exponents differ (`csub=f32`, `emin=-23` and `-27`: the bits of the result,
//! for each difference), the pairwise sums of eight products and of several groups (`gps`), and the
//! cases of `hmma8` with `zero=min`, `zero=raw` and `emin=7`. The answers for these pairs rest on
//! facts all the same, and `--confirm` has another solver prove each of the facts.

mod cases;
mod circuit;
mod inputs;
mod learned;
mod merged;
mod place;
mod question;
mod ranges;
mod search;
mod simulate;
mod stage;
mod steps;
mod sweep;
mod window;

use crate::claims::query::Question;
use crate::solver::engine::CadicalVerdict;
use crate::solver::proof::{ClauseSink, Cnf};
#[doc(hidden)]
pub use ranges::within;

use circuit::{literal, meaning, simple};
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::bits::blast::Wire;
use place::Premise;
use question::PlainQuestion;
use search::{GateSearch, SearchStep};
use std::io::{self, Write};
use std::rc::Rc;
use steps::literals;
use sweep::ProofSweep;

/// The most conflicts of a search over all gates before gates are merged.
const EFFORT: u32 = 20_000;

/// The outcome of a certification.
#[derive(Debug)]
pub struct Certificate {
    /// The clauses of the question, and of the additional gates that the proof mentions.
    pub cnf: Cnf,
    /// The number of clauses of the proof; or, if the proof does not end with the empty clause, the
    /// reason.
    pub lemmas: Result<usize, Stopped>,
    /// The steps that could not be proved.
    pub missing: Vec<String>,
}

/// Writes a DRAT proof that no inputs meet the question, as far as it is found within the limits.
///
/// # Errors
/// If the proof cannot be written.
pub fn certify(
    asked: &Question,
    seed: u64,
    limits: &Limits,
    out: impl Write + 'static,
) -> io::Result<Certificate> {
    let question = PlainQuestion::of(asked, seed, limits);
    let mut sweep = ProofSweep::new(&question, Box::new(out), seed, limits);
    let mut missing = Vec::new();
    for (index, stage) in question.stages.iter().enumerate() {
        limits.report(|report| report.step = format!("proof: sum {}", index + 1));
        sweep.stage(index + 1, stage, &mut missing);
    }
    limits.report(|report| report.step = "proof: results".into());
    let found = sweep.conclude(question.root, !question.stages.is_empty());
    let cnf = clauses(asked, &question, &sweep);
    let lemmas = sweep.script.borrow_mut().finish()?;
    Ok(Certificate {
        cnf,
        lemmas: found.map(|()| lemmas),
        missing,
    })
}

/// The clauses of the question, and of the additional gates that the proof mentions.
fn clauses(from: &Question, question: &PlainQuestion, sweep: &ProofSweep) -> Cnf {
    let mut cnf = Cnf::default();
    let gates = sweep.circuit.gates();
    let asked = sweep.circuit.cone([question.root]);
    let spoken_of = sweep.script.borrow();
    let spoken_of = spoken_of.gates().map(Wire::of_gate);
    let mut beside = sweep.circuit.cone(spoken_of);
    beside.retain(|gate| asked.binary_search(gate).is_err());
    let define = |cnf: &mut Cnf, defined: &[usize]| {
        for &gate in defined {
            for clause in meaning(Wire::of_gate(gate), gates[gate], |wire| wire) {
                cnf.add_clause(&literals(&clause));
            }
        }
    };
    define(&mut cnf, &asked);
    cnf.add_clause(&literals(&simple([question.root]).unwrap_or_default()));
    let count = cnf.clauses();
    define(&mut cnf, &beside);
    from.describe(
        &mut cnf,
        "nothing simplified but constants",
        |number, bit| question.input(number, bit).map_or(0, literal),
    );
    cnf.comment(format!(
        "the first {count} clauses are the question; the others define gates beside it, each by those before it"
    ));
    cnf
}

impl ProofSweep {
    /// Derives the empty clause. If a short search does not do so, the gates of two models are
    /// merged before another search.
    fn conclude(&mut self, root: Wire, is_of_models: bool) -> Result<(), Stopped> {
        let list = self.circuit.cone([root]);
        let verdict = self.everywhere(|sweep, place| {
            sweep.merge_by_operands(&list, place);
            match sweep.refute_whole(root, Some(EFFORT), place) {
                CadicalVerdict::Unknown(Stopped::ConflictLimit) => {}
                verdict => return verdict,
            }
            if is_of_models {
                sweep.merge(&list, &[], place);
            }
            sweep.refute_whole(root, None, place)
        });
        match verdict {
            CadicalVerdict::Unsat => {
                self.script.borrow_mut().add(&[]);
                Ok(())
            }
            CadicalVerdict::Sat => Err(Stopped::GaveUp),
            CadicalVerdict::Unknown(stopped) => Err(stopped),
        }
    }

    /// Searches over all gates and adds every step to the proof. With a limit on `conflicts`, the
    /// solver searches without preprocessing.
    fn refute_whole(
        &mut self,
        root: Wire,
        conflicts: Option<u32>,
        place: &mut Premise,
    ) -> CadicalVerdict {
        let script = Rc::clone(&self.script);
        let mut search = GateSearch::new(&self.limits, false, move |step| match step {
            SearchStep::Learned { clause, .. } => script.borrow_mut().add(&clause),
            SearchStep::Forgotten(clause) => script.borrow_mut().delete(&clause),
            SearchStep::Concluded(_) => {}
        });
        if conflicts.is_some() {
            search.plain();
        }
        self.window(&[root], usize::MAX, place, &mut search);
        match place.merged.of(root).as_constant() {
            Some(true) => CadicalVerdict::Sat,
            Some(false) => CadicalVerdict::Unsat,
            None => {
                search.demand(&[place.merged.of(root)]);
                search.refute(&[], conflicts)
            }
        }
    }
}
