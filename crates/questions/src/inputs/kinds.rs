//! Inputs of every kind, in turn.

use super::draw::{Draw, Kind};
use super::interface::Interface;
use super::separating::SeparatingDraws;
use mmasmt_core::machines::algorithms::Inputs;

/// Draws inputs of one kind after another; the same seed draws the same inputs.
pub struct Kinds {
    draws: [Draw; Kind::ALL.len()],
    /// Draws inputs that may tell many models apart at once.
    separating: SeparatingDraws,
    /// Directed inputs, each drawn once.
    directed: Box<dyn Iterator<Item = Inputs>>,
    /// Inputs on which a candidate model differs from models near it.
    distinguishing: Vec<Inputs>,
    turn: usize,
    interface: Interface,
}

impl Kinds {
    /// The number of draws in a round: one of each kind, two that may tell many models apart at once,
    /// and one directed input.
    pub const ROUND: usize = Kind::ALL.len() + 3;

    /// Draws inputs of these operands; they contain infinities and NaNs only if `specials` holds.
    /// `directed` gives the [directed](super::directed) inputs.
    pub fn new(
        interface: impl Into<Interface>,
        specials: bool,
        seed: u64,
        directed: impl Iterator<Item = Inputs> + 'static,
    ) -> Self {
        let interface = interface.into();
        let draw = |kind| Draw::new(interface.signature, kind, seed).specials(specials);
        Kinds {
            draws: Kind::ALL.map(draw),
            separating: SeparatingDraws::new(interface, specials, seed),
            directed: Box::new(directed),
            distinguishing: Vec::new(),
            turn: 0,
            interface,
        }
    }

    /// Adds inputs near which other inputs are drawn from now on.
    pub fn add_distinguishing(&mut self, inputs: &[Inputs]) {
        self.distinguishing.extend_from_slice(inputs);
    }

    /// The next inputs.
    pub fn draw(&mut self) -> Inputs {
        self.turn += 1;
        let round = self.turn / Self::ROUND;
        let near = round % self.distinguishing.len().max(1);
        let drawn = match self.turn % Self::ROUND {
            kind if kind < self.draws.len() => self.draws[kind].draw(),
            kind if kind == self.draws.len() && !self.distinguishing.is_empty() => {
                self.separating.near(&self.distinguishing[near])
            }
            kind if kind == self.draws.len() + 1 => {
                let directed = self.directed.next();
                directed.unwrap_or_else(|| self.separating.draw())
            }
            _ => self.separating.draw(),
        };
        self.interface.taken(drawn)
    }

    /// The next `count` inputs.
    pub fn take(&mut self, count: usize) -> Vec<Inputs> {
        (0..count).map(|_| self.draw()).collect()
    }
}
