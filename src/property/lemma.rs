//! Lemmas: steps on the way to a proof of a property.

use crate::bits::Bv;

/// A step on the way to a proof that nothing meets a goal: it holds whatever inputs there are.
///
/// It is proved before it is used, so that a wrong one costs time and nothing else.
#[derive(Clone, Debug)]
pub struct Lemma<B: Bv> {
    /// What holds.
    pub holds: B::Bool,
    /// What it follows from, with the lemmas before it: these numbers, whatever they are, and no
    /// more that comes before them.
    pub from: Vec<B>,
}
