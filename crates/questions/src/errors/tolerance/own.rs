//! A tolerance that somebody's test has: `|d - exact| <= atol + rtol |exact|`, as NumPy and PyTorch compare.

use super::proved::{ToleranceBounds, exactly};
use mmasmt_numbers::float::Dyadic;

/// The absolute and the relative part of a test's tolerance.
#[derive(Clone, Debug)]
pub struct OwnTolerance {
    atol: Dyadic,
    rtol: Dyadic,
}

impl OwnTolerance {
    /// The tolerance of `assert_close(d, exact, atol=atol, rtol=rtol)`. Both must be finite and not negative.
    pub fn new(atol: f64, rtol: f64) -> OwnTolerance {
        let [atol, rtol] = [atol, rtol].map(exactly);
        OwnTolerance { atol, rtol }
    }

    /// True if a result with this error fails the test.
    pub(super) fn refuses(&self, error: &Dyadic, exact: &Dyadic) -> bool {
        let exact = match exact.is_negative() {
            true => exact.negated(),
            false => exact.clone(),
        };
        error.magnitude_exceeds(&self.atol.plus(&self.rtol.times(&exact)))
    }

    /// True if no finite operands within the range fail the test, as long as nothing overflows.
    pub fn is_proved(&self, proved: &ToleranceBounds) -> bool {
        let within = proved.within.as_ref();
        within.is_some_and(|within| !within.magnitude_exceeds(&self.atol))
    }
}
