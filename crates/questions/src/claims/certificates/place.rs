//! The scope of merged gates: all inputs or one case, with the samples that tell gates apart.

use super::merged::Representatives;
use super::simulate::{SampleWord, SimulatedSample};
use mmasmt_numbers::bits::blast::Wire;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// The inputs for which gates are merged: all that satisfy the assumptions, or those of a case.
pub(super) struct Premise {
    /// The wire of the case; the constant `true` for all inputs.
    pub case: Wire,
    pub merged: Representatives,
    pub words: Vec<SampleWord>,
    /// Inputs on which the case holds.
    pub pool: Vec<SimulatedSample>,
    /// Gates whose clauses became shorter when their operands were merged, and whose shorter
    /// clauses are in the proof.
    pub shortened: FxHashSet<usize>,
    /// The inputs that refuted the last clause, if there were any.
    pub shown: Option<(SampleWord, Vec<SimulatedSample>)>,
}

impl Premise {
    pub fn is_everywhere(&self) -> bool {
        self.case.as_constant() == Some(true)
    }

    /// The value of a wire, if it is the same on all samples; else `None`.
    pub fn constant(&self, wire: Wire) -> Option<bool> {
        let is = |value: bool| {
            let expected = |word: &SampleWord| word.wire(wire.negated_if(!value)) | !word.lanes;
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

    /// Whether two wires have the same values on all samples.
    pub fn may_be(&self, own: Wire, other: Wire) -> bool {
        let apart = |word: &SampleWord| (word.wire(own) ^ word.wire(other)) & word.lanes;
        let last = self.shown.as_ref().map(|(word, _)| word);
        self.words.iter().chain(last).all(|word| apart(word) == 0)
    }

    /// A hash of the values of the wire, or of its negation, on the first `words` words of samples;
    /// and whether the values of the negation were taken. A wire and its negation have the same
    /// hash.
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
