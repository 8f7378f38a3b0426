//! Options for separating models.

use std::time::Duration;

/// How to separate models; by default on finite operands, with no time limit for the comparison of
/// two models.
#[derive(Clone, Debug, Default)]
pub struct IdentifyOptions {
    /// Whether operands may be infinities and NaNs.
    pub specials: bool,
    /// The seed of samples and of the solver's choices.
    pub seed: u64,
    /// The time for the comparison of two models; `None` for no limit.
    pub budget: Option<Duration>,
}

impl IdentifyOptions {
    /// Sets whether operands may be infinities and NaNs.
    #[must_use]
    pub fn specials(self, specials: bool) -> Self {
        IdentifyOptions { specials, ..self }
    }

    /// Sets the seed of samples and of the solver's choices.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        IdentifyOptions { seed, ..self }
    }

    /// Limits the time for the comparison of two models, or removes the limit.
    #[must_use]
    pub fn budget(self, budget: impl Into<Option<Duration>>) -> Self {
        IdentifyOptions {
            budget: budget.into(),
            ..self
        }
    }
}
