//! The tests of the order of the additions (Fasi et al., §3.1.2) and of the bits that the additions
//! keep (§3.1.4).

use crate::identify::probe::asker::{TestInputs, TestResults};
use crate::identify::probe::mma_sim::{Alignment, Kept, ThreeQuarters};
use crate::identify::probe::mode::QuarterUlp;
use crate::identify::probe::sums::{Place, Unfit, number, pow2};
use crate::identify::probe::test::{ReadingRule, Value, found, named};
use crate::identify::probe::unread::{Unread, undecided};

/// Inputs that show how many bits below the result's ulp a sum keeps: `c` is -1, one product is 1,
/// and another product is small.
pub(super) struct ExtraBits {
    alignment: Alignment,
    fraction_bits: i64,
}

impl ExtraBits {
    pub(super) fn ask(asker: &mut TestInputs<'_>) -> Result<Self, Unfit> {
        Self::with_large(asker, Place::Product(0), Place::Product(1))
    }

    /// Does the same as [`ExtraBits::ask`], with the product of 1 in the place `large` and the
    /// small product in the place `small`.
    fn with_large(asker: &mut TestInputs<'_>, large: Place, small: Place) -> Result<Self, Unfit> {
        Ok(ExtraBits {
            alignment: Alignment::ask(asker, [Place::C, large], small)?,
            fraction_bits: asker.fraction_bits(),
        })
    }

    pub(super) fn read(&self, results: &TestResults<'_>) -> Result<Kept, Unread> {
        Ok(match self.alignment.read(results)? {
            Kept::Bits(bits) => Kept::Bits(bits - self.fraction_bits),
            Kept::AtLeast(bits) => Kept::AtLeast(bits - self.fraction_bits),
        })
    }
}

pub(super) fn extra_bits(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let extra = ExtraBits::ask(asker)?;
    let other = ExtraBits::with_large(asker, Place::Product(1), Place::Product(0))?;
    let large = [Place::C, Place::Product(0)];
    let quarters = ThreeQuarters::ask(asker, large, Place::Product(1))?;
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
            Kept::Bits(bits @ ..0) => {
                let shows = format!(
                    "the alignment keeps {} bits less than the result has",
                    -bits
                );
                found(Value::Exactly(bits), shows)
            }
            Kept::Bits(bits) => {
                let shows = format!("the alignment keeps {bits} bits below the ulp of the result");
                found(Value::Exactly(bits), shows)
            }
            Kept::AtLeast(bits) => found(
                Value::AtLeast(bits),
                "1 and -1 cancel before anything is lost",
            ),
        }
    }))
}

/// Inputs with 1 in one place and small numbers in all other places; one input for each place of
/// the 1. A small number is the greatest power of two that is lost if it alone is added to 1. There
/// are enough small numbers that their sum is at least an ulp, and at least four as in the paper.
struct Family {
    ids: Vec<usize>,
    scale: i64,
    extra: i64,
    count: i64,
}

impl Family {
    fn ask(asker: &mut TestInputs<'_>, extra: i64) -> Result<Self, Unfit> {
        let bits = asker.fraction_bits();
        let count = 4.max(2 << extra);
        asker.need_products(count)?;
        let places: Vec<_> = (0..count).map(Place::Product).chain([Place::C]).collect();
        asker.scaled(|asker, scale| {
            let term = |large: Place, place: Place| {
                if place == large {
                    (place, pow2(scale))
                } else {
                    (place, pow2(scale - bits - 1 - extra))
                }
            };
            let ids = places.iter().map(|large| {
                let terms: Vec<_> = places.iter().map(|place| term(*large, *place)).collect();
                asker.add(&terms)
            });
            Ok(Family {
                ids: ids.collect::<Result<_, Unfit>>()?,
                scale,
                extra,
                count: count as i64,
            })
        })
    }
}

pub(super) fn order(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let bits = asker.fraction_bits();
    let extra = ExtraBits::ask(asker)?;
    let mut families = vec![Family::ask(asker, 0)?];
    for extra in 1..=4 {
        families.extend(Family::ask(asker, extra).ok());
    }
    let quarter = QuarterUlp::ask(asker)?;
    Ok(Box::new(move |results| {
        let extra = match extra.read(results)? {
            Kept::Bits(bits) => bits,
            Kept::AtLeast(_) => 0,
        };
        let family = usize::try_from(extra).ok().and_then(|at| families.get(at));
        let Some(Family {
            ids, scale, count, ..
        }) = family
        else {
            return undecided("the small summands that are lost one by one do not make an ulp");
        };
        let one = pow2(*scale);
        let whole = (count >> (extra + 1)) + 1;
        let values: Vec<_> = (0..=whole)
            .map(|ulps| one.plus(&number(ulps, scale - bits)))
            .collect();
        let values: Vec<_> = values.iter().collect();
        let mut lost = 0;
        for &id in ids {
            match results.one_of(id, &values) {
                Ok(at) => lost += usize::from(at == 0),
                Err(_) => {
                    let tolerance = number(count + 1, scale - bits);
                    let why = "small summands are rounded up one by one";
                    return Err(results.near(id, &one, &tolerance, why));
                }
            }
        }
        quarter.refuse_moved(results)?;
        // With halves of an ulp, rounding to even may compensate for losses; with quarters it does
        // not. So both families must be exact.
        let exact = |family: &Family| {
            let ulps = family.count >> (family.extra + 1);
            let sum = pow2(family.scale).plus(&number(ulps, family.scale - bits));
            let mut ids = family.ids.iter();
            ids.try_fold(true, |all, &id| {
                Ok::<_, Unread>(all && results.is(id, &sum)?)
            })
        };
        let add_up = families
            .iter()
            .take(2)
            .try_fold(true, |all, family| Ok::<_, Unread>(all && exact(family)?));
        let add_up = add_up?;
        match lost {
            0 if !add_up => named(
                "as given",
                "small summands are lost in part, by where the large one stands",
            ),
            0 => named("any", "small summands add up wherever the large one stands"),
            lost if lost == ids.len() => named(
                "largest first",
                "small summands are lost wherever the large one stands, as if it came first",
            ),
            _ => named(
                "as given",
                "small summands are lost or not by where the large one stands",
            ),
        }
    }))
}
