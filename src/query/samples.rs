//! Telling samples on the simulators, before a solver is asked.

use super::simplicity::simplicity;
use crate::algorithms::Signature;
use crate::engine::Limits;
use crate::vectors::{Inputs, Sampler};

/// How much slower big integers are than words.
pub(super) const BIG_SLOWNESS: u32 = 50;

/// How many times fewer the samples of rare kinds are.
const RARENESS: u32 = 12;

/// Which samples are tried.
pub(super) struct Samples<'x> {
    pub signature: Signature,
    pub seed: u64,
    /// The products of all samples together, if they are evaluated on words.
    pub products: u32,
    /// Whether they are.
    pub on_words: bool,
    /// Whether kinds that tell few models apart are tried as well.
    pub rare: bool,
    /// Whether the simplest witness is wanted, not the first.
    pub simplest: bool,
    /// No more are tried once these are reached.
    pub limits: &'x Limits,
}

impl Samples<'_> {
    /// A sample, put where `place` puts it, that is a witness.
    pub fn find(
        &self,
        place: impl Fn(Inputs) -> Inputs,
        is_witness: impl FnMut(&Inputs) -> bool,
    ) -> Option<Inputs> {
        let slowness = if self.on_words { 1 } else { BIG_SLOWNESS };
        let tries = self.products / (self.signature.products + 12) / slowness;
        let [mut common, mut rare] = [(); 2].map(|()| Sampler::new(self.signature, self.seed));
        let rare_tries = if self.rare { tries / RARENESS } else { 0 };
        let mut found = (0..tries)
            .map(|_| common.sample())
            .chain((0..rare_tries).map(|_| rare.rare()))
            .take_while(|_| self.limits.stopped().is_none())
            .map(place)
            .filter(is_witness);
        match self.simplest {
            false => found.next(),
            true => found.min_by_key(|inputs| simplicity(&self.signature, inputs)),
        }
    }
}
