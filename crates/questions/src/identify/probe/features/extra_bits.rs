//! How many bits below the result's ulp a sum keeps (FTTN §III-A; Fasi et al., §3.1.4).

use super::mode::Mode;
use super::near_one::HalfUnit;
use super::precision::{KeptBits, Precision, ThreeQuarters};
use super::rounding::Direction;
use crate::identify::probe::asker::{ExponentSweep, TestInputs, TestResults};
use crate::identify::probe::sums::{FormatMisfit, SumPlace, number, pow2};
use crate::identify::probe::test::{ProbeValue, Reading, ReadingRule, flag, found, named};
use crate::identify::probe::unread::{ReadingFailure, undecided};

/// The greatest number of bits below the result's ulp that is tested.
const MOST: i64 = 41;

/// True if a sum keeps a bit below the ulp of 1.
pub(super) fn one_bit(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let bit = HalfUnit::ask(asker, asker.fraction_bits())?;
    Ok(Box::new(move |results| {
        flag(
            bit.read(results)?,
            "1 - ulp/2 keeps a bit below the ulp of 1",
            "1 - ulp/2 is 1: no bit below the ulp of 1 is kept",
        )
    }))
}

/// How many bits below the result's ulp a sum keeps (FTTN, Table III). Let m be the number of
/// fraction bits of the result. For a unit that cuts, the paper asks for
/// `(1 + 2^-2) - (2^-3 + 2^-(m+2))`, which does not show whether a third bit is kept; this test
/// also asks for the same difference with every other exponent in place of `-(m+2)`. For a unit
/// that rounds to nearest, it asks for `(1 + 2^-2) - (2^-3 + 5 * 2^-(m+3))`.
pub(super) fn three_bits(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let direction = Direction::ask(asker)?;
    let bits = asker.fraction_bits();
    let large = |scale| (SumPlace::Product(0), number(5, scale - 2));
    let cut = asker.sweep(4 - bits..=MOST, |scale, extra| {
        Ok(vec![
            large(scale),
            (SumPlace::Product(1), pow2(scale - bits - extra).negated()),
            (SumPlace::C, pow2(scale - 3).negated()),
        ])
    });
    let cut = match cut {
        Ok(cut) => cut,
        // If there is only one product, `c` is the sum of 2^-3 and the small number.
        Err(_) => asker.sweep(4 - bits..=3, |scale, extra| {
            let c = pow2(scale - 3).plus(&pow2(scale - bits - extra));
            Ok(vec![large(scale), (SumPlace::C, c.negated())])
        })?,
    };
    let (nearest, scale) = asker.scaled(|asker, scale| {
        let c = pow2(scale - 3).plus(&number(5, scale - bits - 3));
        let id = asker.add(&[large(scale), (SumPlace::C, c.negated())])?;
        Ok((id, scale))
    })?;
    Ok(Box::new(move |results| match direction.read(results) {
        Ok(Mode::Zero) => count_cut(results, &cut, bits),
        Ok(Mode::NearestEven) => {
            let whole = number(9, scale - 3);
            let below = whole.minus(&pow2(scale - bits));
            match results.one_of(nearest, &[&whole, &below])? {
                1 => found(
                    ProbeValue::Exactly(3),
                    "three extra bits: guard, round and sticky, as IEEE 754 rounds to nearest",
                ),
                _ => named("fewer than 3", "too few extra bits to round to nearest"),
            }
        }
        Ok(other) => undecided(format!(
            "a sum {}, which is not in Table III",
            other.shows()
        )),
        // If sums have fewer bits than the result, the rounding of the result is invisible.
        Err(unread @ ReadingFailure::Undecided(_)) => match count_cut(results, &cut, bits)? {
            fewer if matches!(fewer.value, ProbeValue::Exactly(..0)) => Ok(fewer),
            _ => Err(unread),
        },
        Err(unread) => Err(unread),
    }))
}

/// Reads how many bits below the result's ulp a unit that cuts keeps. These bits reach down to the
/// least power of two that changes the result.
fn count_cut(results: &TestResults<'_>, cut: &ExponentSweep, bits: i64) -> Reading {
    let whole = number(9, cut.scale - 3);
    let ulp = pow2(cut.scale - bits);
    let reach = cut.reach(|extra, id| {
        // If the power of two is kept, the result is the exact difference, cut to a multiple of an
        // ulp. For a power of two below an ulp, this is an ulp less than `whole`.
        let less = whole.minus(&pow2(cut.scale - bits - extra.min(0)));
        let cut = whole.minus(&ulp);
        let less = if extra > 0 { &cut } else { &less };
        Ok(results.one_of(id, &[&whole, less])? == 1)
    })?;
    let shows = |count: i64| match count {
        ..=-1 => format!("sums are cut {} bits above the ulp of the result", -count),
        1 => "one extra bit below the ulp of the result, then cut".into(),
        _ => format!("{count} extra bits below the ulp of the result, then cut"),
    };
    match reach {
        None => Err(ReadingFailure::Inconsistent(
            "2^-4 is lost beside 1.25".into(),
        )),
        Some((count, false)) => found(ProbeValue::Exactly(count), shows(count)),
        Some((count, true)) => found(
            ProbeValue::AtLeast(count),
            format!("{count} extra bits at least, then cut"),
        ),
    }
}

/// Inputs that show how many bits below the result's ulp a sum keeps: `c` is -1, one product is 1,
/// and another product is small.
pub(super) struct ExtraBits {
    alignment: Precision,
    fraction_bits: i64,
}

impl ExtraBits {
    pub(super) fn ask(asker: &mut TestInputs<'_>) -> Result<Self, FormatMisfit> {
        Self::with_large(asker, SumPlace::Product(0), SumPlace::Product(1))
    }

    /// Does the same as [`ExtraBits::ask`], with the product of 1 in the place `large` and the
    /// small product in the place `small`.
    fn with_large(
        asker: &mut TestInputs<'_>,
        large: SumPlace,
        small: SumPlace,
    ) -> Result<Self, FormatMisfit> {
        Ok(ExtraBits {
            alignment: Precision::aligned(asker, [SumPlace::C, large], small)?,
            fraction_bits: asker.fraction_bits(),
        })
    }

    pub(super) fn read(&self, results: &TestResults<'_>) -> Result<KeptBits, ReadingFailure> {
        Ok(match self.alignment.read(results)? {
            KeptBits::Bits(bits) => KeptBits::Bits(bits - self.fraction_bits),
            KeptBits::AtLeast(bits) => KeptBits::AtLeast(bits - self.fraction_bits),
        })
    }
}

/// The bits that an alignment keeps below the ulp of the result.
pub(super) fn of_alignment(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let extra = ExtraBits::ask(asker)?;
    let other = ExtraBits::with_large(asker, SumPlace::Product(1), SumPlace::Product(0))?;
    let large = [SumPlace::C, SumPlace::Product(0)];
    let quarters = ThreeQuarters::ask(asker, large, SumPlace::Product(1))?;
    Ok(Box::new(move |results| {
        let kept = extra.read(results)?;
        if kept != other.read(results)? {
            return undecided(
                "what is kept depends on the order of the products: no one alignment",
            );
        }
        if extra.alignment.rounds(results)? || quarters.round_up(results)? {
            return undecided(
                "what is lost moves the result: a sum is rounded before the others are added",
            );
        }
        match kept {
            KeptBits::Bits(bits @ ..0) => {
                let shows = format!(
                    "the alignment keeps {} bits less than the result has",
                    -bits
                );
                found(ProbeValue::Exactly(bits), shows)
            }
            KeptBits::Bits(bits) => {
                let shows = format!("the alignment keeps {bits} bits below the ulp of the result");
                found(ProbeValue::Exactly(bits), shows)
            }
            KeptBits::AtLeast(bits) => found(
                ProbeValue::AtLeast(bits),
                "1 and -1 cancel before anything is lost",
            ),
        }
    }))
}
