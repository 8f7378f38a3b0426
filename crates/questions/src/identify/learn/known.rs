//! What is known of a unit while it is learnt.

use super::climb::Measured;
use super::decide::Neighbourhood;
use crate::identify::probe::SummationTree;
use mmasmt_core::machines::algorithms::Inputs;

/// What is known so far.
#[derive(Default)]
pub(super) struct Known {
    /// The hypothesis that misses least.
    pub best: Option<Measured>,
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
    pub neighbourhood: Option<Neighbourhood>,
    /// Inputs that are worth asking next.
    pub next: Vec<Inputs>,
}
