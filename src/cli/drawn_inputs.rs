//! Inputs of every kind in turn, for machines that answer.

use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_questions::inputs::{Draw, Kind};

/// The kinds of inputs, with their names. Inputs are drawn of each kind in turn.
pub(super) const KINDS: [(Kind, &str); 6] = [
    (Kind::Finite, "finite"),
    (Kind::Close, "close"),
    (Kind::Cancel, "cancel"),
    (Kind::Edge, "edge"),
    (Kind::Feature, "feature"),
    (Kind::Random, "random"),
];

/// The source of inputs of every kind in turn, without end.
pub(super) fn drawn_inputs(
    signature: Signature,
    seed: u64,
    specials: bool,
) -> impl Iterator<Item = Inputs> {
    let mut draws = KINDS.map(|(kind, _)| Draw::new(signature, kind, seed).specials(specials));
    (0..).map(move |turn: usize| draws[turn % KINDS.len()].draw())
}
