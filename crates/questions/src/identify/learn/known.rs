//! What is known of a unit while it is learnt.

use super::climb::ScoredHypothesis;
use super::decide::Neighbourhood;
use crate::identify::probe::SummationTree;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use rustc_hash::FxHashSet;

/// What is known so far.
#[derive(Default)]
pub struct LearnProgress {
    /// The hypothesis that misses least.
    pub(super) best: Option<ScoredHypothesis>,
    /// The model of a known algorithm that misses least.
    pub model: Option<Model>,
    /// The order of the sums, if the answers show it.
    pub order: Option<SummationTree>,
    /// The number of descriptions that were compared with answers.
    pub tried: usize,
    /// The inputs of all kinds in a row to which the unit gave the results of the description.
    pub agreed: usize,
    /// The number of these that were asked in the confirming sweep.
    pub confirmed: usize,
    /// Inputs to which the unit gave two answers.
    pub two_answers: Option<(Inputs, [u64; 2])>,
    /// The descriptions that differ in one choice, once the hypothesis was compared with them.
    pub(super) neighbourhood: Option<Neighbourhood>,
    /// The models that are proved to give the same results as the description, by their text.
    pub equal_texts: FxHashSet<String>,
    /// The models that give all answers and that nothing tells from the description, or proves equal.
    pub unsettled: Vec<String>,
    /// Whether a row, or an algorithm, is among those that give all answers and are neither told apart nor proved equal.
    pub is_contested: bool,
    /// The number of models that give all answers, and that the solver was not asked about.
    pub not_asked: usize,
    /// Inputs that are worth asking next.
    pub next: Vec<Inputs>,
}
