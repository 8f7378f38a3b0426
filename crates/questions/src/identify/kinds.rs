//! Inputs of every kind, in turn.

use super::candidates::InputDraws;
use crate::vectors::{Draw, Kind, Sampler};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;

/// The kinds that `gen` draws.
const KINDS: [Kind; 6] = [
    Kind::Random,
    Kind::Finite,
    Kind::Close,
    Kind::Cancel,
    Kind::Edge,
    Kind::Feature,
];

/// Draws inputs of one kind after another; the same seed draws the same ones.
pub(super) struct Kinds {
    draws: [Draw; KINDS.len()],
    /// Sums that underflow, and other kinds that tell few models apart.
    rare: Sampler,
    /// Terms that cancel above runs of ones, and a distant `c`.
    candidates: InputDraws,
    /// What tells a candidate from models near it.
    distinguishing: Vec<Inputs>,
    turn: usize,
}

impl Kinds {
    /// Inputs of this signature, infinities and NaNs among them only with `specials`.
    pub fn new(signature: Signature, specials: bool, seed: u64) -> Self {
        Kinds {
            draws: KINDS.map(|kind| Draw::new(signature, kind, seed).specials(specials)),
            rare: Sampler::new(signature, seed),
            candidates: InputDraws::new(signature, specials, seed),
            distinguishing: Vec::new(),
            turn: 0,
        }
    }

    /// From now on there are inputs near these ones too.
    pub fn add_distinguishing(&mut self, inputs: &[Inputs]) {
        self.distinguishing.extend_from_slice(inputs);
    }

    /// The next inputs.
    pub fn draw(&mut self) -> Inputs {
        self.turn += 1;
        let round = self.turn / (KINDS.len() + 3);
        let near = round % self.distinguishing.len().max(1);
        match self.turn % (KINDS.len() + 3) {
            kind if kind < KINDS.len() => self.draws[kind].draw(),
            kind if kind == KINDS.len() => self.rare.rare(),
            kind if kind == KINDS.len() + 1 && !self.distinguishing.is_empty() => {
                self.candidates.near(&self.distinguishing[near])
            }
            _ => self.candidates.draw(),
        }
    }

    /// The next `count` inputs.
    pub fn take(&mut self, count: usize) -> Vec<Inputs> {
        (0..count).map(|_| self.draw()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{KINDS, Kinds};
    use mmasmt_core::machines::algorithms::Inputs;
    use mmasmt_core::machines::model::Model;

    /// Of each round one draw is near what tells, of which each has its turn.
    #[test]
    fn what_tells_has_its_turn_in_each_round() {
        let signature = Model::parse("fda:K=64,in=f16").unwrap().signature();
        let registers = [0x3555, 0x3aaa, 0x3ccc];
        let special = registers.map(|bits| Inputs::new(vec![bits; 64], vec![bits; 64], 0));
        let mut kinds = Kinds::new(signature, true, 3);
        kinds.add_distinguishing(&special);
        let round = KINDS.len() + 3;
        let mut near = Vec::new();
        for inputs in kinds.take(6 * round) {
            let same = |bits: &&u64| inputs.a.iter().filter(|a| a == bits).count() > 32;
            near.extend(registers.iter().position(|bits| same(&bits)));
        }
        assert_eq!(near, [0, 1, 2, 0, 1, 2]);
    }
}
