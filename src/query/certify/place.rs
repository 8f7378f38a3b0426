//! Where gates are merged: for all inputs, or in a case; with samples that show what is not the same.

use super::merged::Merged;
use super::search::Search;
use super::simulate::{LANES, Sample, Word};
use super::sweep::{Found, Sweep};
use crate::bits::blast::{Gate, Wire};
use crate::engine::Verdict;
use rand::RngExt;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::io::Write;

/// Samples that tell gates apart before any search.
const SAMPLES: usize = 1024;
/// Inputs of a case that are looked for where there are few samples.
const LOOKED_FOR: usize = 24;
/// Conflicts that looking for them may cost.
const EFFORT: u32 = 100_000;

/// All inputs that are as assumed, or those of a case.
pub(super) struct Place {
    /// It holds; the constant `true` for all inputs.
    pub case: Wire,
    pub merged: Merged,
    pub words: Vec<Word>,
    /// Inputs on which it holds.
    pub pool: Vec<Sample>,
    /// Gates of which the clauses with a literal less are in the proof.
    pub shortened: FxHashSet<usize>,
    /// What refuted the last clause, if inputs did.
    pub shown: Option<(Word, Vec<Sample>)>,
}

impl Place {
    pub fn is_everywhere(&self) -> bool {
        self.case.as_constant() == Some(true)
    }

    /// The value that a wire has on all samples.
    pub fn constant(&self, wire: Wire) -> Option<bool> {
        let is = |value: bool| {
            let expected = |word: &Word| word.wire(wire.negated_if(!value)) | !word.lanes;
            let last = self.shown.as_ref().map(|(word, _)| word);
            self.words
                .iter()
                .chain(last)
                .all(|word| expected(word) == u64::MAX)
        };
        if self.words.is_empty() {
            return None;
        }
        [false, true].into_iter().find(|value| is(*value))
    }

    /// Whether both are the same on all samples.
    pub fn may_be(&self, own: Wire, other: Wire) -> bool {
        let apart = |word: &Word| (word.wire(own) ^ word.wire(other)) & word.lanes;
        let last = self.shown.as_ref().map(|(word, _)| word);
        self.words.iter().chain(last).all(|word| apart(word) == 0)
    }

    /// A number that the wire's values on the first words give, or those of its negation, and which.
    pub fn hash(&self, wire: Wire, words: usize) -> (u64, bool) {
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

impl<W: Write> Sweep<W> {
    pub(super) fn values(&self, samples: &[Sample]) -> Vec<Word> {
        let shown = &samples[..samples.len().min(SAMPLES)];
        let words = shown.chunks(LANES);
        words.map(|chunk| Word::of(&self.circuit, chunk)).collect()
    }

    /// A place for a case that holds on `pool`; none if it never holds.
    pub(super) fn place(&mut self, case: Wire, pool: Vec<Sample>) -> Option<Place> {
        let mut place = Place {
            case,
            merged: self.known.clone(),
            words: Vec::new(),
            pool,
            shortened: FxHashSet::default(),
            shown: None,
        };
        if place.pool.len() < SAMPLES / 2 && !self.look_for(&mut place) {
            return None;
        }
        place.words = self.values(&place.pool);
        Some(place)
    }

    /// Looks for inputs on which a case holds; false if it never does.
    fn look_for(&mut self, place: &mut Place) -> bool {
        let never = [place.case.not()];
        let mut everywhere = Place {
            case: Wire::constant(true),
            merged: self.known.clone(),
            words: Vec::new(),
            pool: Vec::new(),
            shortened: FxHashSet::default(),
            shown: None,
        };
        if place.pool.is_empty()
            && self.prove_clause(&never, EFFORT, &mut everywhere) == Found::Lemma
        {
            return false;
        }
        let mut search = Search::new(&self.limits, false, |_| {});
        self.window(&never, usize::MAX, &mut everywhere, &mut search);
        for _ in 0..LOOKED_FOR {
            for gate in 0..self.circuit.gates().len() {
                if matches!(self.circuit.gates()[gate], Gate::Input { .. }) {
                    search.prefer(Wire::of_gate(gate).negated_if(self.rng.random()));
                }
            }
            let never = never.map(|wire| self.known.of(wire));
            if search.refute(&never, Some(EFFORT)) != Verdict::Sat {
                break;
            }
            if let Some((word, samples)) = self.found(&mut search, place) {
                let lanes = samples.into_iter().enumerate();
                let held = lanes.filter(|(lane, _)| word.lanes >> lane & 1 == 1);
                place.pool.extend(held.map(|(_, sample)| sample));
            }
        }
        true
    }

    /// Makes a sample of what a search found.
    pub(super) fn show(&mut self, search: &mut Search, place: &mut Place) {
        place.words.extend(place.shown.take().map(|(word, _)| word));
        place.shown = self.found(search, place);
    }

    /// Inputs near those that a search found, on which the case holds; none if it holds on none.
    fn found(&mut self, search: &mut Search, place: &Place) -> Option<(Word, Vec<Sample>)> {
        let gates = self.circuit.gates().iter().enumerate();
        let known: Vec<(u32, u32, bool)> = gates
            .filter_map(|(gate, kind)| match kind {
                Gate::Input { input, bit } => Some((*input, *bit, search.value(gate)?)),
                _ => None,
            })
            .collect();
        let near = if place.pool.is_empty() {
            &self.pool
        } else {
            &place.pool
        };
        let count = known
            .iter()
            .map(|(input, ..)| *input as usize + 1)
            .max()
            .unwrap_or(0);
        let samples: Vec<Sample> = (0..LANES)
            .map(|lane| {
                let mut sample = match near.len() {
                    0 => Vec::new(),
                    length => near[self.rng.random_range(0..length)].clone(),
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
        let mut word = Word::of(&self.circuit, &samples);
        let demanded = self.assumed.iter().chain([&place.case]);
        word.lanes = demanded.fold(word.lanes, |lanes, wire| lanes & word.wire(*wire));
        (word.lanes != 0).then_some((word, samples))
    }
}
