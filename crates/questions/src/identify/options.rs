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

impl Options {
    /// Operands may be infinities and NaNs, or may not.
    #[must_use]
    pub fn specials(self, specials: bool) -> Self {
        Options { specials, ..self }
    }

    /// Samples and the solver's choices start from this number.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Options { seed, ..self }
    }

    /// Two models are compared for so long, or to the end.
    #[must_use]
    pub fn budget(self, budget: impl Into<Option<Duration>>) -> Self {
        Options {
            budget: budget.into(),
            ..self
        }
    }
}
