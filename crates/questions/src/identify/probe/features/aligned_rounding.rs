//! The rounding modes (Xie et al. §III-E, Tables I and II): how the result is rounded, to as many
//! bits as a sum has, and how terms are rounded in alignment.

use super::mode::QuarterCases;
use super::precision::{KeptBits, Precision, beside};
use super::sum_rounding::SumRounding;
use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::sums::{FormatMisfit, SumPlace, number, pow2, zero};
use crate::identify::probe::test::{ReadingRule, named};
use crate::identify::probe::unread::undecided;

/// The most fraction bits of aligned terms that are tested.
const MOST: i64 = 40;

/// How a sum is rounded to the result: asks for sums of 1 and quarters of a unit, where the unit is
/// the least epsilon that counts in `1 + epsilon`.
pub(super) fn result(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let addition = Precision::added(asker)?;
    let units = each_unit(asker.fraction_bits(), |bits| {
        let eight = asker.scaled(|asker, scale| {
            QuarterCases::ask(asker, &pow2(scale), scale - bits, |quarters| {
                let one = number(quarters.signum(), scale);
                let rest = number(quarters, scale - bits - 2);
                vec![(SumPlace::C, one), (SumPlace::Product(0), rest)]
            })
        })?;
        Ok((eight, SumRounding::ask(asker, bits)))
    })?;
    Ok(Box::new(move |results| {
        let bits = match addition.read(results)? {
            KeptBits::Bits(bits) => bits,
            KeptBits::AtLeast(_) => return undecided("the inputs do not reach what a sum loses"),
        };
        let Some((eight, rounding)) = unit_of(&units, bits) else {
            return undecided("the inputs do not reach the last bit of a sum");
        };
        let mode = rounding.read(eight, results)?;
        let shows = format!("a sum {} to {bits} fraction bits", mode.shows());
        named(mode.name(), shows)
    }))
}

/// How the term in `place` is rounded in alignment: asks for quarters of a unit beside -1 and 1 in
/// the places `large`, where the unit is the least epsilon that counts in `-1 + 1 + epsilon`.
pub(super) fn aligned(
    asker: &mut TestInputs<'_>,
    large: [SumPlace; 2],
    place: SumPlace,
    what: &'static str,
) -> Result<ReadingRule, FormatMisfit> {
    let alignment = Precision::aligned(asker, large, place)?;
    let units = each_unit(MOST, |bits| {
        asker.scaled(|asker, scale| {
            QuarterCases::ask(asker, &zero(), scale - bits, |quarters| {
                beside(large, scale, (place, number(quarters, scale - bits - 2)))
            })
        })
    })?;
    Ok(Box::new(move |results| {
        let bits = match alignment.read(results)? {
            KeptBits::Bits(bits) => bits,
            KeptBits::AtLeast(bits) => {
                return undecided(format!("nothing is lost down to {bits} fraction bits"));
            }
        };
        let Some(eight) = unit_of(&units, bits) else {
            return undecided("the inputs do not reach the last bit that counts");
        };
        let mode = eight.read(results)?;
        let shows = format!(
            "{what} {} as it is aligned, to {bits} fraction bits",
            mode.shows()
        );
        named(mode.name(), shows)
    }))
}

/// Inputs for units of 1, 2, ... up to `most` fraction bits, as far as the formats reach.
fn each_unit<T>(
    most: i64,
    mut ask: impl FnMut(i64) -> Result<T, FormatMisfit>,
) -> Result<Vec<T>, FormatMisfit> {
    let mut units = vec![ask(1)?];
    units.extend((2..=most).map_while(|bits| ask(bits).ok()));
    Ok(units)
}

/// The inputs for a unit of so many fraction bits.
fn unit_of<T>(units: &[T], bits: i64) -> Option<&T> {
    units.get(usize::try_from(bits - 1).ok()?)
}
