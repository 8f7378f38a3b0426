//! Gates in their order, each merged with one before it that is proved to be the same (SAT sweeping).

use super::circuit::{Circuit, clause};
use super::merged::{Merged, Reduced};
use super::prover::{Found, Prover};
use super::question::Question;
use super::simulate::{LANES, Sample, Word};
use crate::bits::blast::{Gate, Wire};
use crate::limits::Limits;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::io::Write;

/// Conflicts that it may cost to prove two gates the same: where they are of both models, and else.
const EFFORT: [u32; 2] = [2000, 100];
/// Gates that one is compared with, at most.
const CANDIDATES: usize = 3;
/// Samples that tell gates apart before any search.
const SAMPLES: usize = 1024;

/// Where gates are merged: for all inputs that are assumed, or in a case.
pub(super) struct Place {
    /// It holds; the constant `true` for all inputs.
    pub case: Wire,
    pub merged: Merged,
    words: Vec<Word>,
    /// Inputs on which it holds.
    pool: Vec<Sample>,
}

/// A proof that is being made.
pub(super) struct Sweep<W: Write + 'static> {
    pub circuit: Circuit,
    pub prover: Prover<W>,
    /// What is the same for all inputs.
    pub known: Merged,
    words: Vec<Word>,
    pool: Vec<Sample>,
    assumed: Vec<Wire>,
    inputs: Vec<usize>,
    /// Which models gates belong to: 1, 2, or 3 for both.
    side: Vec<u8>,
    rng: ChaCha8Rng,
    pub limits: Limits,
}

impl<W: Write + 'static> Sweep<W> {
    pub fn new(question: &Question, out: W, seed: u64, limits: &Limits) -> Self {
        let circuit = Circuit::new(&question.netlist);
        let is_input = |gate: &usize| matches!(circuit.gates()[*gate], Gate::Input { .. });
        let inputs = (0..circuit.gates().len()).filter(is_input).collect();
        let mut side = vec![0; circuit.gates().len()];
        for (number, result) in [1, 2].into_iter().zip(&question.results) {
            for gate in circuit.cone(result.iter().copied(), |_| false) {
                side[gate] |= number;
            }
        }
        let mut sweep = Sweep {
            inputs,
            side,
            circuit,
            prover: Prover::new(out, limits),
            known: Merged::default(),
            words: Vec::new(),
            pool: question.samples.clone(),
            assumed: question.assumed.clone(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            limits: limits.clone(),
        };
        for &wire in &question.assumed {
            sweep.prover.load(&sweep.circuit, &[wire], |wire| wire);
            if let Some(clause) = clause([wire]) {
                sweep.prover.lemma(&clause);
            }
        }
        sweep.words = sweep.values(&question.samples);
        sweep
    }

    fn values(&self, samples: &[Sample]) -> Vec<Word> {
        let shown = &samples[..samples.len().min(SAMPLES)];
        let words = shown.chunks(LANES);
        words.map(|chunk| Word::of(&self.circuit, chunk)).collect()
    }

    /// The lanes of a word in which all is as assumed, and the case holds.
    fn masked(&self, mut word: Word, case: Wire) -> Word {
        let demanded = self.assumed.iter().chain([&case]);
        word.lanes = demanded.fold(word.lanes, |lanes, wire| lanes & word.wire(*wire));
        word
    }

    /// Inputs near those that were found last, on which the case holds; nothing if that is shown by none.
    fn found(&mut self, case: Wire, pool: &[Sample]) -> Option<(Word, Vec<Sample>)> {
        let known: Vec<(u32, u32, bool)> = self
            .inputs
            .iter()
            .filter_map(|&gate| {
                let value = self.prover.value(Wire::of_gate(gate))?;
                match self.circuit.gates()[gate] {
                    Gate::Input { input, bit } => Some((input, bit, value)),
                    _ => None,
                }
            })
            .collect();
        let count = known.iter().map(|(input, ..)| *input as usize + 1).max().unwrap_or(0);
        let samples: Vec<Sample> = (0..LANES)
            .map(|lane| {
                let mut sample = match pool.len() {
                    0 => Vec::new(),
                    length => pool[self.rng.random_range(0..length)].clone(),
                };
                sample.resize(sample.len().max(count), 0);
                for &(input, bit, value) in &known {
                    // The first ones are as they were found.
                    let flip = lane >= 16 && self.rng.random_range(0..32) == 0;
                    let register = &mut sample[input as usize];
                    *register = *register & !(1 << bit) | u64::from(value != flip) << bit;
                }
                sample
            })
            .collect();
        let word = Word::of(&self.circuit, &samples);
        let word = self.masked(word, case);
        (word.lanes != 0).then_some((word, samples))
    }

    /// A place for a case that holds on `pool`; none if it never holds.
    pub fn place(&mut self, case: Wire, pool: Vec<Sample>) -> Option<Place> {
        let mut place = Place {
            case,
            merged: self.known.clone(),
            words: Vec::new(),
            pool,
        };
        self.load(&[case]);
        let wanted = if place.pool.len() < SAMPLES / 2 { 24 } else { 0 };
        for turn in 0..wanted {
            if turn > 0 {
                for index in 0..self.inputs.len() {
                    let value = self.rng.random();
                    self.prover.prefer(Wire::of_gate(self.inputs[index]), value);
                }
            }
            match self.prover.prove(&[self.known.of(case).not()], 100_000) {
                Found::Lemma => return None,
                Found::Refuted => {
                    let near = match place.pool.is_empty() {
                        true => self.pool.clone(),
                        false => place.pool.clone(),
                    };
                    if let Some((word, samples)) = self.found(case, &near) {
                        let lanes = samples.into_iter().enumerate();
                        let held = lanes.filter(|(lane, _)| word.lanes >> lane & 1 == 1);
                        place.pool.extend(held.map(|(_, sample)| sample));
                    }
                }
                Found::Unknown => break,
            }
        }
        place.words = self.values(&place.pool);
        Some(place)
    }

    pub fn pool(&self) -> &[Sample] {
        &self.pool
    }

    pub fn load(&mut self, wires: &[Wire]) {
        let merged = &self.known;
        self.prover.load(&self.circuit, wires, |wire| merged.of(wire));
    }

    /// Adds lemmas that two wires, of which what stands for each is given, are the same in a place;
    /// where it does not follow by unit propagation alone it does in both cases of `split`.
    pub fn equate(&mut self, case: Wire, own: Wire, other: Wire, split: Option<Wire>) {
        for (own, other) in [(own, other), (own.not(), other.not())] {
            let wires = [case.not(), own.not(), other];
            let Some(lemma) = clause(wires) else {
                continue;
            };
            match split.and_then(|split| clause([case.not(), own.not(), other, split])) {
                Some(first) => self.prover.passing(&first, |prover| prover.lemma(&lemma)),
                None => self.prover.lemma(&lemma),
            }
        }
    }

    /// Merges each gate with one before it that has the same operands.
    pub fn merge_by_operands(&mut self, list: &[usize], place: &mut Place) {
        for &gate in list {
            self.by_operands(gate, place);
        }
    }

    /// Whether a gate is merged with one before it.
    fn by_operands(&mut self, gate: usize, place: &mut Place) -> bool {
        let own = Wire::of_gate(gate);
        if place.merged.of(own) != own {
            return true;
        }
        let kind = self.circuit.gates()[gate];
        let found = match place.merged.reduced(kind) {
            Reduced::Input => own,
            Reduced::To(wire) => wire,
            Reduced::Key(key, negated) => {
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

    /// Looks at gates in their order, and merges each with one before it that is the same on all samples
    /// and is proved to be so.
    pub fn merge(&mut self, list: &[usize], place: &mut Place) {
        let shown = place.words.len();
        let mut classes: FxHashMap<u64, Vec<Wire>> = FxHashMap::default();
        for &gate in list {
            if self.limits.stopped().is_some() {
                return;
            }
            if self.by_operands(gate, place) {
                continue;
            }
            let own = Wire::of_gate(gate);
            if let Some(value) = place.constant(own) {
                self.try_equal(own, Wire::constant(value), EFFORT[1], place);
                continue;
            }
            let (hash, negated) = place.hash(own, shown);
            let class = classes.entry(hash).or_default();
            let mut all: Vec<Wire> = class.iter().map(|wire| wire.negated_if(negated)).collect();
            class.push(own.negated_if(negated));
            all.retain(|&other| place.may_be(own, other));
            // Those of the other model first.
            let [own_side, is_other] = [self.side[gate], 3 - self.side[gate]];
            all.sort_by_key(|other| self.side[other.gate()] != is_other);
            for other in all.into_iter().take(CANDIDATES) {
                let is_own = self.side[other.gate()] == own_side;
                if self.try_equal(own, other, EFFORT[usize::from(is_own)], place) {
                    break;
                }
            }
        }
    }

    /// The same where no sample tells them apart.
    pub fn try_equal_on_samples(&mut self, own: Wire, other: Wire, effort: u32, place: &mut Place) {
        let [own, other] = [own, other].map(|wire| place.merged.of(wire));
        if own != other && place.may_be(own, other) {
            self.try_equal(own, other, effort, place);
        }
    }

    /// Proves that two wires are the same, and merges them.
    pub fn try_equal(&mut self, own: Wire, other: Wire, effort: u32, place: &mut Place) -> bool {
        self.load(&[own, other]);
        for (own, other) in [(own, other), (own.not(), other.not())] {
            let [own, other] = [own, other].map(|wire| self.known.of(wire));
            let found = self.prover.prove(&[place.case.not(), own.not(), other], effort);
            match found {
                Found::Lemma => {}
                Found::Unknown => return false,
                Found::Refuted => {
                    let pool = std::mem::take(&mut place.pool);
                    let start = std::time::Instant::now();
                    let found = self.found(place.case, &pool);
                    self.prover.spent[3] += start.elapsed();
                    if let Some((word, _)) = found {
                        place.words.push(word);
                    }
                    place.pool = pool;
                    return false;
                }
            }
        }
        self.unite(own, other, place);
        true
    }

    fn unite(&mut self, own: Wire, other: Wire, place: &mut Place) {
        place.merged.unite(own, other);
        if place.case.as_constant() == Some(true) {
            self.known.unite(own, other);
        }
    }

    /// Merges gates for all inputs, by their operands or as `merge` says.
    pub fn everywhere(&mut self, list: &[usize], merge: impl FnOnce(&mut Self, &[usize], &mut Place)) {
        let mut everywhere = Place {
            case: Wire::constant(true),
            merged: self.known.clone(),
            words: std::mem::take(&mut self.words),
            pool: std::mem::take(&mut self.pool),
        };
        merge(self, list, &mut everywhere);
        self.words = everywhere.words;
        self.pool = everywhere.pool;
    }

    /// Merges two wires for all inputs, which follows from what is there.
    pub fn merge_for_good(&mut self, left: Wire, right: Wire) {
        let [left, right] = [left, right].map(|wire| self.known.of(wire));
        if left != right {
            self.equate(Wire::constant(true), left, right, None);
            self.known.unite(left, right);
        }
    }
}

impl Place {
    /// The value that a wire has on all samples.
    fn constant(&self, wire: Wire) -> Option<bool> {
        let is = |value: bool| {
            let expected = |word: &Word| word.wire(wire.negated_if(!value)) | !word.lanes;
            self.words.iter().all(|word| expected(word) == u64::MAX)
        };
        (!self.words.is_empty()).then_some(())?;
        [false, true].into_iter().find(|value| is(*value))
    }

    /// Whether both are the same on all samples.
    pub fn may_be(&self, own: Wire, other: Wire) -> bool {
        let apart = |word: &Word| (word.wire(own) ^ word.wire(other)) & word.lanes;
        self.words.iter().all(|word| apart(word) == 0)
    }

    /// A number that the wire's values on the first words give, or those of its negation, and which.
    fn hash(&self, wire: Wire, words: usize) -> (u64, bool) {
        let mut hasher = FxHasher::default();
        let mut negated = None;
        for word in self.words.iter().take(words) {
            let lanes = word.lanes;
            let value = word.wire(wire) & lanes;
            let negate = *negated.get_or_insert_with(|| value >> lanes.trailing_zeros() & 1 == 1);
            let value = if negate { !value & lanes } else { value };
            value.hash(&mut hasher);
        }
        (hasher.finish(), negated.unwrap_or(false))
    }
}
impl Place {
    pub fn pool_len(&self) -> usize { self.pool.len() }
}
