//! The rounding of a sum, distinguished from the rounding of its terms in alignment.
//!
//! Quarters of a unit beside 1 show a mode if both bits below that unit reach the rounding. An
//! alignment that cuts one of these bits makes other modes look alike, and one that cuts both makes
//! all modes look like its own. Sums that carry have larger units but summands of the same size, so
//! more bits reach the rounding: 2 = 0.5 + 1.5, and 4 = 0.5 + 1.75 + 1.75.

use super::asker::{PlacedTerm, TestInputs, TestResults};
use super::mode::{Eight, Mode};
use super::sums::{Place, number, pow2};
use super::unread::{Unread, undecided};

/// Sums with `bits` fraction bits beside 1 that show which bits are cut before the rounding.
pub(super) struct SumRounding {
    /// 1 less half a unit, and the power of two that stands for 1.
    half: Option<(usize, i64)>,
    bits: i64,
    /// Sums with one carry.
    two: Option<Eight>,
    /// Sums with two carries.
    four: Option<Eight>,
}

/// The summands, in eighths, that make 2 and 4 beside a half in `c`; the first choice that the
/// formats allow is used.
const TWO: &[&[i64]] = &[&[12]];
const FOUR: &[&[i64]] = &[&[14, 14], &[12, 12, 4]];

impl SumRounding {
    /// Asks for sums that have `bits` fraction bits beside 1.
    pub(super) fn ask(asker: &mut TestInputs<'_>, bits: i64) -> Self {
        let half = asker.scaled(|asker, scale| {
            let half = pow2(scale - bits - 1).negated();
            let one = (Place::Product(0), pow2(scale));
            let id = match asker.add(&[one.clone(), (Place::Product(1), half.clone())]) {
                Ok(id) => id,
                Err(_) => asker.add(&[one, (Place::C, half)])?,
            };
            Ok((id, scale))
        });
        SumRounding {
            half: half.ok(),
            bits,
            two: carried(asker, bits, 1, TWO),
            four: carried(asker, bits, 2, FOUR),
        }
    }

    /// The mode, from the results `beside` 1 and those of sums that carry.
    pub(super) fn read(&self, beside: &Eight, results: &TestResults<'_>) -> Result<Mode, Unread> {
        let seen = beside.pattern(results)?;
        // No alignment makes another mode look like one of these.
        if let Some(mode @ (Mode::NearestEven | Mode::Up | Mode::Away)) = seen {
            return Ok(mode);
        }
        let carried = if self.keeps_half(results)? {
            &self.two
        } else {
            &self.four
        };
        let Some(carried) = carried else {
            return undecided(
                "bits may be cut as terms are aligned, before the sum is rounded: no sum of these formats shows which",
            );
        };
        match (carried.pattern(results), seen) {
            (Ok(Some(mode)), _) => Ok(mode),
            // These results show the rounding of the alignment.
            (Err(_), Some(mode)) if carried.is_exact(results) => Ok(mode),
            (Err(Unread::Undecided(why)), _) => Err(Unread::Undecided(why)),
            _ => undecided(
                "bits are cut as terms are aligned, before the sum is rounded, and sums that carry follow no one rounding mode",
            ),
        }
    }

    /// Whether half a unit below 1 is kept.
    fn keeps_half(&self, results: &TestResults<'_>) -> Result<bool, Unread> {
        let Some((id, scale)) = self.half else {
            return Ok(false);
        };
        let kept = pow2(scale).minus(&pow2(scale - self.bits - 1));
        Ok(results.value(id)? == kept)
    }
}

/// Quarters of a unit beside `2^carries`, the sum of `eighths` and a half in `c`.
fn carried(
    asker: &mut TestInputs<'_>,
    bits: i64,
    carries: i64,
    eighths: &[&[i64]],
) -> Option<Eight> {
    eighths.iter().find_map(|eighths| {
        let made = asker.scaled(|asker, scale| {
            asker.need_products(eighths.len())?;
            let unit = scale + carries - bits;
            Eight::ask(asker, &pow2(scale + carries), unit, |quarters| {
                let sign = quarters.signum();
                let half = number(sign, scale - 1);
                let products = eighths
                    .iter()
                    .enumerate()
                    .map(|(k, eighths)| (Place::Product(k), number(sign * eighths, scale - 3)));
                let mut terms: Vec<PlacedTerm> = products.collect();
                terms.push((Place::C, half.plus(&number(quarters, unit - 2))));
                terms
            })
        });
        made.ok()
    })
}
