//! The rounding of sums to the format of the result (FTTN §III-A; Fasi et al., §3.1.3, §3.1.4).

use super::mode::{Mode, QuarterCases};
use super::sum_rounding::SumRounding;
use crate::identify::probe::asker::{TestInputs, TestResults};
use crate::identify::probe::sums::{FormatMisfit, SumPlace, number, pow2, zero};
use crate::identify::probe::test::{ReadingRule, named};
use crate::identify::probe::unread::{ReadingFailure, undecided};
use mmasmt_numbers::float::Format;

/// The reason that the rounding of a unit that keeps few bits is undecided, for Fasi et al.
const SHORT: &str =
    "sums keep fewer bits than the result has: what is lost is cut before it is rounded";

/// Inputs that show how sums are rounded: sums of 1 and quarters of an ulp, with both signs, and
/// the sum of 1 and one ulp, which is exact in a unit that keeps enough bits.
pub(super) struct Direction {
    eight: QuarterCases,
    rounding: SumRounding,
    whole: usize,
    scale: i64,
    fraction_bits: i64,
}

impl Direction {
    pub(super) fn ask(asker: &mut TestInputs<'_>) -> Result<Self, FormatMisfit> {
        let fraction_bits = asker.fraction_bits();
        let (eight, whole, scale) = asker.scaled(|asker, scale| {
            let unit = scale - fraction_bits;
            let terms = |places: [SumPlace; 2], quarters: i64| {
                let one = number(quarters.signum(), scale);
                vec![(places[0], one), (places[1], number(quarters, unit - 2))]
            };
            let products = [SumPlace::Product(0), SumPlace::Product(1)];
            let late = [SumPlace::Product(0), SumPlace::C];
            let mut ask = |places| -> Result<_, FormatMisfit> {
                let eight = QuarterCases::ask(asker, &pow2(scale), unit, |q| terms(places, q))?;
                Ok((eight, asker.add(&terms(places, 4))?))
            };
            let (eight, whole) = match ask(products) {
                Ok(asked) => asked,
                Err(_) => ask(late)?,
            };
            Ok((eight, whole, scale))
        })?;
        Ok(Direction {
            eight,
            rounding: SumRounding::ask(asker, fraction_bits),
            whole,
            scale,
            fraction_bits,
        })
    }

    pub(super) fn read(&self, results: &TestResults<'_>) -> Result<Mode, ReadingFailure> {
        if self.is_short(results)? {
            undecided("sums keep fewer bits than the result has")
        } else {
            self.rounding.read(&self.eight, results)
        }
    }

    /// True if sums keep fewer bits than the result has.
    pub(super) fn is_short(&self, results: &TestResults<'_>) -> Result<bool, ReadingFailure> {
        let one = pow2(self.scale);
        let next = one.plus(&pow2(self.scale - self.fraction_bits));
        Ok(results.one_of(self.whole, &[&one, &next])? == 0)
    }
}

/// The direction of the rounding, in the words of FTTN.
pub(super) fn direction(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let direction = Direction::ask(asker)?;
    Ok(Box::new(move |results| {
        let mode = direction.read(results)?;
        named(mode.fttn_name(), format!("a sum {}", mode.shows()))
    }))
}

/// The rounding of a sum, in the words of Fasi et al., who ask for the sum of 2 and three quarters of
/// an ulp.
pub(super) fn additions(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let sums = Direction::ask(asker)?;
    Ok(Box::new(move |results| {
        if sums.is_short(results)? {
            return undecided(SHORT);
        }
        sums.read(results)?.in_fasi("a sum")
    }))
}

/// How the normalised sum is rounded: asks for `1 + 1 + 1 + 1 + (1 + 3 ulp)`, whose last two bits
/// are below the ulp of the sum, and for the same with other numbers of ulps.
pub(super) fn normalised(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(4)?;
    let bits = asker.fraction_bits();
    let eight = QuarterCases::ask(asker, &number(5, 0), 2 - bits, |quarters| {
        let one = number(quarters.signum(), 0);
        let mut terms = vec![(SumPlace::C, one.plus(&number(quarters, -bits)))];
        terms.extend((0..4).map(|k| (SumPlace::Product(k), one.clone())));
        terms
    })?;
    let sums = Direction::ask(asker)?;
    Ok(Box::new(move |results| {
        if sums.is_short(results)? {
            return undecided(SHORT);
        }
        eight.read(results)?.in_fasi("the normalised sum")
    }))
}

/// How a sum is rounded when it is converted to a narrow result: asks for quarters of the least
/// subnormal result.
pub(super) fn conversion(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let d = &asker.signature.d;
    let tiny = i64::from(d.min_exponent()) - asker.fraction_bits();
    if d.precision() >= Format::F32.precision() {
        return Err(FormatMisfit(format!("sums are not converted to give {d}")));
    }
    let eight = QuarterCases::ask(asker, &zero(), tiny, |quarters| {
        vec![(SumPlace::Product(0), number(quarters, tiny - 2))]
    })?;
    let whole = asker.add(&[(SumPlace::Product(0), pow2(tiny))])?;
    Ok(Box::new(move |results| {
        if results.one_of(whole, &[&zero(), &pow2(tiny)])? == 0 {
            return undecided("subnormal results become zero: nothing of them is rounded");
        }
        let mode = eight.read(results)?;
        mode.in_fasi("the conversion of the sum to the narrow result")
    }))
}
