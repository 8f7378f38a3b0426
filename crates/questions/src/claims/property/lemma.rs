//! Lemmas: steps on the way to a proof of a property.

use mmasmt_core::machines::model::Instance;

/// A formula that is expected to hold for all inputs, and helps to prove a goal unsatisfiable.
///
/// A lemma is proved before it is used: a wrong lemma only costs time.
#[derive(Clone, Debug)]
pub struct Lemma<B: Instance> {
    /// The formula.
    pub holds: B::Bool,
    /// Cut points for the proof of the lemma: the lemma follows from the lemmas before it for any
    /// values of these terms within their ranges, however the terms are computed.
    pub from: Vec<B>,
}
