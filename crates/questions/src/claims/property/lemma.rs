//! Lemmas: steps on the way to a proof of a property.

use mmasmt_core::machines::model::Instance;

/// A formula that is expected to hold for all inputs, and helps to prove a goal unsatisfiable.
///
/// It is proved before it is used: a wrong lemma costs time only.
#[derive(Clone, Debug)]
pub struct Lemma<B: Instance> {
    /// The formula.
    pub holds: B::Bool,
    /// Cut points for its proof: it follows from the lemmas before it for any values of these terms
    /// within their ranges, however they are computed.
    pub from: Vec<B>,
}
