//! Inputs for sums of 1 and a part of an ulp.

use crate::identify::probe::asker::{TestInputs, TestResults};
use crate::identify::probe::sums::{FormatMisfit, SumPlace, pow2};
use crate::identify::probe::unread::{ReadingFailure, undecided};

/// An input for 1 minus half a unit, which shows whether a sum keeps a bit below its last place.
#[derive(Clone, Copy)]
pub(super) struct HalfUnit {
    id: usize,
    scale: i64,
    bits: i64,
}

impl HalfUnit {
    /// Adds the input for a unit of `2^-bits`. If there is only one product, `c` is the half.
    pub(super) fn ask(asker: &mut TestInputs<'_>, bits: i64) -> Result<Self, FormatMisfit> {
        asker.scaled(|asker, scale| {
            let half = pow2(scale - bits - 1).negated();
            let one = (SumPlace::Product(0), pow2(scale));
            let id = match asker.add(&[one.clone(), (SumPlace::Product(1), half.clone())]) {
                Ok(id) => id,
                Err(_) => asker.add(&[one, (SumPlace::C, half)])?,
            };
            Ok(HalfUnit { id, scale, bits })
        })
    }

    /// True if the result is exact.
    pub(super) fn is_kept(&self, results: &TestResults<'_>) -> Result<bool, ReadingFailure> {
        let kept = pow2(self.scale).minus(&pow2(self.scale - self.bits - 1));
        results.is(self.id, &kept)
    }

    /// True if the result is exact, and not the number above or below the exact one.
    pub(super) fn read(&self, results: &TestResults<'_>) -> Result<bool, ReadingFailure> {
        let one = pow2(self.scale);
        let unit = pow2(self.scale - self.bits);
        let kept = one.minus(&unit.shifted(-1));
        // Without the bit, rounding down loses a whole unit.
        let down = one.minus(&unit);
        Ok(results.one_of(self.id, &[&one, &kept, &down])? == 1)
    }
}

/// An input for the sum of 1 and a quarter of an ulp. The result is more than 1 only if sums are
/// rounded up, away from zero, or to odd.
#[derive(Clone, Copy)]
pub(super) struct QuarterUlp {
    id: usize,
    scale: i64,
    fraction_bits: i64,
}

impl QuarterUlp {
    pub(super) fn ask(asker: &mut TestInputs<'_>) -> Result<Self, FormatMisfit> {
        let fraction_bits = asker.fraction_bits();
        asker.scaled(|asker, scale| {
            let quarter = (SumPlace::Product(0), pow2(scale - fraction_bits - 2));
            let id = asker.add(&[(SumPlace::C, pow2(scale)), quarter])?;
            Ok(QuarterUlp {
                id,
                scale,
                fraction_bits,
            })
        })
    }

    /// Checks that the unit does not round a quarter of an ulp up to a whole ulp. If it does, small
    /// summands can change a result without being added to each other, so the test is undecided.
    pub(super) fn refuse_moved(&self, results: &TestResults<'_>) -> Result<(), ReadingFailure> {
        let one = pow2(self.scale);
        let next = one.plus(&pow2(self.scale - self.fraction_bits));
        match results.is(self.id, &next)? {
            true => undecided(
                "a quarter of an ulp makes a whole one: rounded up, away from zero or to odd",
            ),
            false => Ok(()),
        }
    }
}
