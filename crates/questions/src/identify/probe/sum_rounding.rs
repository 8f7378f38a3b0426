//! Finds how a sum is rounded, as opposed to how its terms are rounded in alignment.
//!
//! Quarters of a unit beside 1 show the rounding mode if both bits below the unit reach the
//! rounding. If alignment cuts one of the two bits, some modes look like others; if it cuts both,
//! all modes look like the rounding of the alignment. Sums that carry have a larger unit but
//! summands of the same size, so more bits reach the rounding. Such sums are 2 = 0.5 + 1.5 and 4 =
//! 0.5 + 1.75 + 1.75.

use super::asker::{PlacedTerm, TestInputs, TestResults};
use super::mode::{Eight, Mode};
use super::sums::{Place, number, pow2};
use super::unread::{Unread, undecided};

/// Inputs for sums with `bits` fraction bits beside 1, which show which bits are cut before the
/// rounding.
pub(super) struct SumRounding {
    /// The number of the input for 1 less half a unit, and the exponent of the power of two that
    /// takes the place of 1.
    half: Option<(usize, i64)>,
    bits: i64,
    /// Sums with one carry.
    two: Option<Eight>,
    /// Sums with two carries.
    four: Option<Eight>,
}

/// The products, in eighths, whose sum with a half in `c` is 2 (`TWO`) or 4 (`FOUR`); the first
/// choice that the formats allow is used.
const TWO: &[&[i64]] = &[&[12]];
const FOUR: &[&[i64]] = &[&[14, 14], &[12, 12, 4]];

impl SumRounding {
    /// Adds the inputs for sums that have `bits` fraction bits beside 1.
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

    /// The rounding mode of sums, from the results of the sums `beside` 1 and of the sums that
    /// carry.
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
            // If the sums that carry are exact, the results beside 1 show the rounding of the
            // alignment.
            (Err(_), Some(mode)) if carried.is_exact(results) => Ok(mode),
            (Err(Unread::Undecided(why)), _) => Err(Unread::Undecided(why)),
            _ => undecided(
                "bits are cut as terms are aligned, before the sum is rounded, and sums that carry follow no one rounding mode",
            ),
        }
    }

    /// Whether a sum keeps half a unit below 1.
    fn keeps_half(&self, results: &TestResults<'_>) -> Result<bool, Unread> {
        let Some((id, scale)) = self.half else {
            return Ok(false);
        };
        let kept = pow2(scale).minus(&pow2(scale - self.bits - 1));
        Ok(results.value(id)? == kept)
    }
}

/// Adds inputs with quarters of a unit beside `2^carries`, which is the sum of a half in `c` and
/// products, given in eighths. `None` if the formats allow none of the choices of products.
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
