//! Hill climbing: finds the best of some inputs, and improves inputs by small changes.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::base::limits::Limits;

/// A climb ends after this number of changes without a higher score, or after three times the changes that led to the
/// last one. The errors of ten rows of all kinds were found as great to three digits as by 166,666 changes each, in a fifth
/// to all of the time.
const PATIENCE: usize = 16_384;

/// A search for inputs with a high score, until the limits are reached.
pub struct Climb<'x, S, F> {
    /// The score of inputs; `None` if the inputs are not wanted. The second argument is the best
    /// score so far; if the inputs score less than that, the function may also return `None`.
    pub score: F,
    /// The highest possible score, if it is known; the search ends when an input reaches it.
    pub highest: Option<S>,
    /// The limits of the search, which are checked after each evaluated input.
    pub limits: &'x Limits,
}

impl<S: PartialOrd, F: FnMut(&Inputs, &S) -> Option<S>> Climb<'_, S, F> {
    /// The first inputs with the highest score, and this score; `None` if no score is above
    /// `least`.
    pub fn best(
        &mut self,
        inputs: impl IntoIterator<Item = Inputs>,
        mut least: S,
    ) -> Option<(Inputs, S)> {
        let mut best = None;
        for inputs in inputs {
            let score = (self.score)(&inputs, &least);
            if let Some(score) = score.filter(|score| *score > least) {
                (best, least) = (Some(inputs), score);
            }
            if self.is_over(&least) {
                break;
            }
        }
        best.map(|inputs| (inputs, least))
    }

    /// Makes at most `changes` changes, each to the best inputs so far, and returns the best inputs and
    /// their score. A change that leaves the score equal is kept too, since it can lead away from a
    /// plateau.
    pub fn climb(
        &mut self,
        (mut best, mut highest): (Inputs, S),
        changes: usize,
        mut change: impl FnMut(&Inputs) -> Inputs,
    ) -> (Inputs, S) {
        let mut rise = 0;
        for step in 0..changes {
            if self.is_over(&highest) || step - rise > PATIENCE.max(3 * rise) {
                break;
            }
            let changed = change(&best);
            let score = (self.score)(&changed, &highest);
            if let Some(score) = score.filter(|score| *score >= highest) {
                rise = if score > highest { step } else { rise };
                (best, highest) = (changed, score);
            }
        }
        (best, highest)
    }

    fn is_over(&self, score: &S) -> bool {
        self.highest.as_ref() == Some(score) || self.limits.stopped().is_some()
    }
}
