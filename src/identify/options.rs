//! How models are told apart.

use std::time::Duration;

/// How to separate; by default by finite operands, each two models compared to the end.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether operands may be infinities and NaNs.
    pub specials: bool,
    /// What samples and the solver's choices start from.
    pub seed: u64,
    /// Time for the comparison of two models.
    pub budget: Option<Duration>,
}
