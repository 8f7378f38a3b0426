//! SAT sweeping: each gate, in order, is merged with an earlier gate that is proved to be the same.

use super::circuit::{CertificateCircuit, simple};
use super::learned::LearnedClauses;
use super::merged::{GateReduction, Representatives};
use super::place::Premise;
use super::question::PlainQuestion;
use super::simulate::{SampleWord, SimulatedSample};
use super::steps::CertificateSteps;
use crate::solver::engine::CadicalVerdict;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::blast::{Gate, Wire};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

/// The most conflicts of a proof that two gates are the same: for gates of different models, and
/// for other gates.
const EFFORT: [u32; 2] = [2000, 200];
/// The most gates that a gate is compared with.
const CANDIDATES: usize = 3;
/// The most gates in the first search, and in each further search if the search before did not
/// decide.
const WINDOWS: [usize; 3] = [300, 3000, usize::MAX];

/// The outcome of an attempt to prove a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClauseVerdict {
    /// The clause follows, and is in the proof.
    Lemma,
    /// Inputs refute the clause.
    Refuted,
    Unknown,
}

/// The state of a proof that is being made.
pub(super) struct ProofSweep {
    pub circuit: CertificateCircuit,
    pub script: Rc<RefCell<CertificateSteps>>,
    /// The gates that are equal for all inputs.
    pub known: Representatives,
    /// Proved clauses other than those that define gates, listed under each gate that they mention.
    pub clauses: FxHashMap<usize, Vec<Vec<Wire>>>,
    pub words: Vec<SampleWord>,
    pub pool: Vec<SimulatedSample>,
    /// The model that each gate belongs to: 1, 2, or 3 for both models; 0 for neither.
    side: Vec<u8>,
    /// Wires of conditions on the inputs that the question demands; `demands` lists them under each
    /// gate of an input that they depend on.
    pub assumed: Vec<Wire>,
    pub demands: FxHashMap<usize, Vec<Wire>>,
    pub rng: ChaCha8Rng,
    pub limits: Limits,
}

impl ProofSweep {
    pub fn new(question: &PlainQuestion, out: Box<dyn Write>, seed: u64, limits: &Limits) -> Self {
        let circuit = CertificateCircuit::new(&question.netlist);
        let mut side = vec![0; circuit.gates().len()];
        for (number, result) in [1, 2].into_iter().zip(&question.results) {
            for gate in circuit.cone(result.iter().copied()) {
                side[gate] |= number;
            }
        }
        let mut sweep = ProofSweep {
            side,
            words: Vec::new(),
            circuit,
            script: Rc::new(RefCell::new(CertificateSteps::new(out))),
            known: Representatives::default(),
            clauses: FxHashMap::default(),
            pool: question.samples.clone(),
            assumed: question.assumed.clone(),
            demands: FxHashMap::default(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            limits: limits.clone(),
        };
        for &wire in &question.assumed {
            // The root of the question holds only if the wire holds.
            sweep.write_lemma([wire]);
            for gate in sweep.circuit.cone([wire]) {
                if matches!(sweep.circuit.gates()[gate], Gate::Input { .. }) {
                    sweep.demands.entry(gate).or_default().push(wire);
                }
            }
        }
        sweep.words = sweep.values(&question.samples);
        sweep
    }

    /// Adds a clause that follows by unit propagation.
    pub fn write_lemma(&mut self, wires: impl IntoIterator<Item = Wire>) {
        if let Some(wires) = simple(wires) {
            self.script.borrow_mut().add(&wires);
        }
    }

    /// Adds lemmas that the wires `own` and `other` are the same in a case. A lemma that does not
    /// follow by unit propagation alone must follow both if `split` holds and if it does not.
    pub fn equate(&mut self, case: Wire, own: Wire, other: Wire, split: Option<Wire>) {
        for (own, other) in [(own, other), (own.not(), other.not())] {
            let Some(lemma) = simple([case.not(), own.not(), other]) else {
                continue;
            };
            let first = split.and_then(|split| simple([case.not(), own.not(), other, split]));
            let mut script = self.script.borrow_mut();
            first.iter().for_each(|first| script.add(first));
            script.add(&lemma);
            first.iter().for_each(|first| script.delete(first));
        }
    }

    fn unite(&mut self, own: Wire, other: Wire, place: &mut Premise) {
        place.merged.unite(own, other);
        if place.is_everywhere() {
            self.known.unite(own, other);
        }
    }

    /// Runs `work` with a premise that covers all inputs.
    pub fn everywhere<R>(&mut self, work: impl FnOnce(&mut Self, &mut Premise) -> R) -> R {
        let mut everywhere = Premise {
            case: Wire::constant(true),
            merged: self.known.clone(),
            words: std::mem::take(&mut self.words),
            pool: std::mem::take(&mut self.pool),
            shortened: FxHashSet::default(),
            shown: None,
        };
        let result = work(self, &mut everywhere);
        self.words = everywhere.words;
        self.words.extend(everywhere.shown.map(|(word, _)| word));
        self.pool = everywhere.pool;
        result
    }

    /// Merges each gate with an earlier gate that has the same kind and operands.
    pub fn merge_by_operands(&mut self, list: &[usize], place: &mut Premise) {
        for &gate in list {
            self.by_operands(gate, place);
        }
    }

    /// Merges a gate with an earlier gate that has the same kind and operands; returns whether the
    /// gate is merged.
    pub fn by_operands(&mut self, gate: usize, place: &mut Premise) -> bool {
        let own = Wire::of_gate(gate);
        if place.merged.of(own) != own {
            return true;
        }
        let kind = self.circuit.gates()[gate];
        let found = match place.merged.reduced(kind) {
            GateReduction::Input => own,
            GateReduction::To(wire) => wire,
            GateReduction::Key(key, negated) => {
                let first = place.merged.first(key, own.negated_if(negated));
                place.merged.of(first).negated_if(negated)
            }
        };
        if found == own {
            return false;
        }
        let split = match kind {
            Gate::Xor(a, _) | Gate::Mux(a, ..) => Some(a),
            _ => None,
        };
        self.equate(place.case, own, found, split);
        self.unite(own, found, place);
        true
    }

    /// Merges each gate, in order, with an earlier gate that is the same on all samples and is
    /// proved to be the same. Gates that `before` marks are merged only by their operands.
    pub fn merge(&mut self, list: &[usize], before: &[bool], place: &mut Premise) {
        let shown = place.words.len();
        let mut classes: FxHashMap<u64, Vec<Wire>> = FxHashMap::default();
        for &gate in list {
            if self.limits.stopped().is_some() {
                return;
            }
            if self.by_operands(gate, place) || before.get(gate) == Some(&true) {
                continue;
            }
            let own = Wire::of_gate(gate);
            if let Some(value) = place.constant(own) {
                self.try_equal(own, Wire::constant(value), EFFORT[1], place);
                continue;
            }
            let (hash, negated) = place.hash(own, shown);
            let class = classes.entry(hash).or_default();
            let all = class
                .iter()
                .map(|wire| place.merged.of(wire.negated_if(negated)));
            let mut all: Vec<Wire> = all.filter(|&other| place.may_be(own, other)).collect();
            class.push(own.negated_if(negated));
            // Compare with gates of the other model first.
            let [own_side, is_other] = [self.side[gate], 3 - self.side[gate]];
            let side = |wire: &Wire| self.side.get(wire.gate()).copied().unwrap_or(0);
            all.sort_by_key(|other| side(other) != is_other);
            let efforts: Vec<u32> = all
                .iter()
                .map(|other| EFFORT[usize::from(side(other) == own_side)])
                .collect();
            for (other, effort) in all.into_iter().zip(efforts).take(CANDIDATES) {
                if self.try_equal(own, other, effort, place) {
                    break;
                }
            }
        }
    }

    /// Tries to prove that two wires are the same, unless a sample tells them apart.
    pub fn try_equal_on_samples(
        &mut self,
        own: Wire,
        other: Wire,
        effort: u32,
        place: &mut Premise,
    ) {
        let [own, other] = [own, other].map(|wire| place.merged.of(wire));
        if own != other && place.may_be(own, other) {
            self.try_equal(own, other, effort, place);
        }
    }

    /// Tries to prove that two wires are the same, and merges them if the proof succeeds.
    pub fn try_equal(&mut self, own: Wire, other: Wire, effort: u32, place: &mut Premise) -> bool {
        let [own, other] = [own, other].map(|wire| place.merged.of(wire));
        if own == other {
            return true;
        }
        let both = [[own.not(), other], [own, other.not()]];
        let both = both.map(|clause| clause.to_vec());
        let found = self.prove(&both, effort, place) == ClauseVerdict::Lemma;
        if found {
            self.unite(own, other, place);
        }
        found
    }

    /// Tries to prove a clause. If it succeeds, later searches use the clause, in all cases.
    pub fn prove_clause(
        &mut self,
        clause: &[Wire],
        effort: u32,
        place: &mut Premise,
    ) -> ClauseVerdict {
        let clause: Vec<Wire> = clause.iter().map(|wire| place.merged.of(*wire)).collect();
        let found = self.prove(std::slice::from_ref(&clause), effort, place);
        if found == ClauseVerdict::Lemma
            && let Some(clause) = simple(clause.into_iter().chain([place.case.not()]))
        {
            for wire in &clause {
                self.clauses
                    .entry(wire.gate())
                    .or_default()
                    .push(clause.clone());
            }
        }
        found
    }

    /// Tries to prove all these clauses, and adds them to the proof if all are proved. Inputs that
    /// refute a clause become samples.
    fn prove(&mut self, clauses: &[Vec<Wire>], effort: u32, place: &mut Premise) -> ClauseVerdict {
        let whole = clauses.concat();
        for most in WINDOWS {
            if self.limits.stopped().is_some() {
                return ClauseVerdict::Unknown;
            }
            let learned = LearnedClauses::default();
            let mut search = learned.search(&self.limits);
            let is_whole = self.window(&whole, most, place, &mut search);
            // Gates may have been merged while the search was built.
            let now = |clause: &Vec<Wire>| simple(clause.iter().map(|wire| place.merged.of(*wire)));
            let mut clauses_now = clauses.iter().filter_map(now);
            let last = clauses_now.find_map(|clause| match search.refute(&clause, Some(effort)) {
                CadicalVerdict::Unsat => None,
                verdict => Some(verdict),
            });
            let found = match last {
                None => {
                    self.write_learned(&learned, clauses, place.case);
                    ClauseVerdict::Lemma
                }
                Some(CadicalVerdict::Sat) if !is_whole => continue,
                Some(CadicalVerdict::Sat) => {
                    self.show(&mut search, place);
                    ClauseVerdict::Refuted
                }
                Some(_) => ClauseVerdict::Unknown,
            };
            return found;
        }
        ClauseVerdict::Unknown
    }

    /// Adds the learned clauses and the lemmas that follow from them, then deletes the learned
    /// clauses.
    fn write_learned(&mut self, learned: &LearnedClauses, lemmas: &[Vec<Wire>], case: Wire) {
        let in_case = |clause: &Vec<Wire>| simple(clause.iter().copied().chain([case.not()]));
        let learned: Vec<Vec<Wire>> = learned.needed().iter().filter_map(in_case).collect();
        let mut script = self.script.borrow_mut();
        learned.iter().for_each(|clause| script.add(clause));
        for lemma in lemmas.iter().filter_map(in_case) {
            script.add(&lemma);
        }
        learned.iter().for_each(|clause| script.delete(clause));
    }
}
