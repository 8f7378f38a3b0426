//! Finds how a sum is rounded, as opposed to how its terms are rounded in alignment.
//!
//! Sums of 1 and quarters of a unit show the rounding mode if both bits below the unit reach the
//! rounding. If alignment cuts one of the two bits, some modes look like others; if it cuts both,
//! all modes look like the rounding of the alignment. Sums that carry have a larger unit but
//! summands of the same size, so more bits reach the rounding. The sums used here carry to
//! `2 = 0.5 + 1.5` and to `4 = 0.5 + 1.75 + 1.75`.

use super::mode::{Mode, QuarterCases};
use super::near_one::HalfUnit;
use crate::identify::probe::asker::{PlacedTerm, TestInputs, TestResults};
use crate::identify::probe::sums::{SumPlace, number, pow2};
use crate::identify::probe::unread::{ReadingFailure, undecided};

/// Inputs for sums near 1 that have `bits` fraction bits, and for sums that carry. They show which
/// bits are cut before the rounding.
pub(super) struct SumRounding {
    half: Option<HalfUnit>,
    /// Sums with one carry.
    two: Option<QuarterCases>,
    /// Sums with two carries.
    four: Option<QuarterCases>,
}

/// The choices of products, in eighths, whose sum with a `c` of one half is 2 (`TWO`) or 4
/// (`FOUR`). The first choice that the formats allow is used.
const TWO: &[&[i64]] = &[&[12]];
const FOUR: &[&[i64]] = &[&[14, 14], &[12, 12, 4]];

impl SumRounding {
    /// Adds the inputs for sums that have `bits` fraction bits if they are near 1.
    pub(super) fn ask(asker: &mut TestInputs<'_>, bits: i64) -> Self {
        SumRounding {
            half: HalfUnit::ask(asker, bits).ok(),
            two: carried(asker, bits, 1, TWO),
            four: carried(asker, bits, 2, FOUR),
        }
    }

    /// The rounding mode of sums. It is read from the results of `beside`, which are sums near 1,
    /// and from the results of the sums that carry.
    pub(super) fn read(
        &self,
        beside: &QuarterCases,
        results: &TestResults<'_>,
    ) -> Result<Mode, ReadingFailure> {
        let seen = beside.pattern(results)?;
        // If the results show one of these modes, the unit has this mode, whatever alignment cuts.
        if let Some(mode @ (Mode::NearestEven | Mode::Up | Mode::Away)) = seen {
            return Ok(mode);
        }
        let keeps_half = self.half.map(|half| half.is_kept(results)).transpose()?;
        let carried = match keeps_half {
            Some(true) => &self.two,
            _ => &self.four,
        };
        let Some(carried) = carried else {
            return undecided(
                "bits may be cut as terms are aligned, before the sum is rounded: no sum of these formats shows which",
            );
        };
        match (carried.pattern(results), seen) {
            (Ok(Some(mode)), _) => Ok(mode),
            // If the sums that carry are exact, nothing was left to round in them, and the results
            // near 1 show the rounding of the alignment.
            (Err(_), Some(mode)) if carried.is_exact(results) => Ok(mode),
            (Err(ReadingFailure::Undecided(why)), _) => Err(ReadingFailure::Undecided(why)),
            _ => undecided(
                "bits are cut as terms are aligned, before the sum is rounded, and sums that carry follow no one rounding mode",
            ),
        }
    }
}

/// Adds inputs with quarters of a unit beside `2^carries`, which is made of a half in `c` and of
/// products. `eighths` has the choices of products, in eighths; `None` if the formats allow none of
/// the choices.
fn carried(
    asker: &mut TestInputs<'_>,
    bits: i64,
    carries: i64,
    eighths: &[&[i64]],
) -> Option<QuarterCases> {
    eighths.iter().find_map(|eighths| {
        let made = asker.scaled(|asker, scale| {
            asker.need_products(eighths.len())?;
            let unit = scale + carries - bits;
            QuarterCases::ask(asker, &pow2(scale + carries), unit, |quarters| {
                let sign = quarters.signum();
                let half = number(sign, scale - 1);
                let products = eighths
                    .iter()
                    .enumerate()
                    .map(|(k, eighths)| (SumPlace::Product(k), number(sign * eighths, scale - 3)));
                let mut terms: Vec<PlacedTerm> = products.collect();
                terms.push((SumPlace::C, half.plus(&number(quarters, unit - 2))));
                terms
            })
        });
        made.ok()
    })
}
