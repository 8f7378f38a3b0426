//! The last rounding of a model: it is off by at most some last places of the result, however much the
//! terms cancel.
//!
//! A result to nearest is at most half of its last place away from what was rounded: if rounding
//! raises it to the next power of two, its last place is twice that of the number below. Other
//! roundings are off by at most one last place. With fewer fraction bits than the format has, a
//! place is that many bits higher.

use super::bound::{ErrorBound, scaled};
use mmasmt_core::machines::algorithms::FlushedResults;
use mmasmt_core::machines::algorithms::descriptions::Round;
use mmasmt_numbers::float::{Dyadic, Format};

/// A bound of the error in two parts: `places` last places of the result, and `before`, the bound of
/// the error that was there before the last rounding.
#[derive(Clone, Debug)]
pub struct LastRounding {
    pub places: Dyadic,
    pub before: ErrorBound,
}

impl LastRounding {
    /// A rounding to `format` of a number with the error bound `before`. `None` if small results
    /// become zero, which is many last places away.
    pub(super) fn of(round: &Round, format: &Format, before: ErrorBound) -> Option<LastRounding> {
        let is_kept = round.tiny == FlushedResults::Kept;
        let missing = i64::from(format.fraction_bits) - i64::from(round.fraction);
        let half = i64::from(round.by.is_to_nearest());
        is_kept.then(|| LastRounding {
            places: scaled(1, missing - half),
            before,
        })
    }
}
