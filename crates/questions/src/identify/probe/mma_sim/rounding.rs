//! The tests of the rounding modes (Xie et al. §III-E, Tables I and II): how the result is
//! rounded, and how terms are rounded in alignment.

use super::precision::{Addition, Alignment, Kept};
use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::mode::Eight;
use crate::identify::probe::sum_rounding::SumRounding;
use crate::identify::probe::sums::{Place, Unfit, number, pow2, zero};
use crate::identify::probe::test::{ReadingRule, named};
use crate::identify::probe::unread::undecided;

/// How a sum is rounded to the result: asks for sums of 1 and quarters of a unit, where the unit is
/// the least epsilon that counts in `1 + epsilon`.
pub(super) fn result(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let addition = Addition::ask(asker)?;
    let mut units = Vec::new();
    for bits in 1..=asker.fraction_bits() {
        let eight = asker.scaled(|asker, scale| {
            Eight::ask(asker, &pow2(scale), scale - bits, |quarters| {
                let one = number(quarters.signum(), scale);
                let rest = number(quarters, scale - bits - 2);
                vec![(Place::C, one), (Place::Product(0), rest)]
            })
        });
        match eight {
            Ok(eight) => units.push((eight, SumRounding::ask(asker, bits))),
            Err(unfit) if units.is_empty() => return Err(unfit),
            Err(_) => break,
        }
    }
    Ok(Box::new(move |results| {
        let bits = match addition.read(results)? {
            Kept::Bits(bits) => bits,
            Kept::AtLeast(_) => return undecided("the inputs do not reach what a sum loses"),
        };
        match units.get((bits - 1).max(0) as usize).filter(|_| bits > 0) {
            Some((eight, rounding)) => {
                let mode = rounding.read(eight, results)?;
                let shows = format!("a sum {} to {bits} fraction bits", mode.shows());
                named(mode.name(), shows)
            }
            None => undecided("the inputs do not reach the last bit of a sum"),
        }
    }))
}

/// How a product is rounded in alignment: asks for a product beside `c` = -1 and a product of 1.
pub(super) fn products(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    alignment(
        asker,
        [Place::C, Place::Product(0)],
        Place::Product(1),
        "a product",
    )
}

/// How `c` is rounded in alignment: asks for `c` beside products of -1 and 1.
pub(super) fn accumulator(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    alignment(asker, [Place::Product(0), Place::Product(1)], Place::C, "c")
}

/// How the term in `place` is rounded in alignment: asks for quarters of a unit beside -1 and 1 in
/// the places `large`, where the unit is the least epsilon that counts in `-1 + 1 + epsilon`.
fn alignment(
    asker: &mut TestInputs<'_>,
    large: [Place; 2],
    place: Place,
    what: &'static str,
) -> Result<ReadingRule, Unfit> {
    let alignment = Alignment::ask(asker, large, place)?;
    let mut units = Vec::new();
    for bits in 1..=40 {
        let eight = asker.scaled(|asker, scale| {
            Eight::ask(asker, &zero(), scale - bits, |quarters| {
                let [minus, plus] = large;
                vec![
                    (minus, pow2(scale).negated()),
                    (plus, pow2(scale)),
                    (place, number(quarters, scale - bits - 2)),
                ]
            })
        });
        match eight {
            Ok(eight) => units.push(eight),
            Err(unfit) if units.is_empty() => return Err(unfit),
            Err(_) => break,
        }
    }
    Ok(Box::new(move |results| {
        let bits = match alignment.read(results)? {
            Kept::Bits(bits) => bits,
            Kept::AtLeast(bits) => {
                return undecided(format!("nothing is lost down to {bits} fraction bits"));
            }
        };
        match units.get((bits - 1).max(0) as usize).filter(|_| bits > 0) {
            Some(eight) => {
                let mode = eight.read(results)?;
                let shows = format!(
                    "{what} {} as it is aligned, to {bits} fraction bits",
                    mode.shows()
                );
                named(mode.name(), shows)
            }
            None => undecided("the inputs do not reach the last bit that counts"),
        }
    }))
}
