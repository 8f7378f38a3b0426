//! The order of additions: small numbers beside a 1, which stands in one place after another (FTTN
//! §III-A; Fasi et al., §3.1.2).

use super::extra_bits::ExtraBits;
use super::near_one::QuarterUlp;
use super::precision::KeptBits;
use super::width::{ProductCount, Width};
use crate::identify::probe::asker::{TestInputs, TestResults};
use crate::identify::probe::sums::{FormatMisfit, SumPlace, number, pow2};
use crate::identify::probe::test::{ReadingRule, flag, named};
use crate::identify::probe::unread::{ReadingFailure, undecided};
use mmasmt_numbers::float::Dyadic;

/// Inputs with 1 in one place and small powers of two in all other places, one input for each place
/// of the 1.
struct Permutations {
    ids: Vec<usize>,
    scale: i64,
    count: i64,
    depth: i64,
}

impl Permutations {
    /// Adds the inputs for sums of `c` and `count` products, where a small number is `2^-depth`.
    fn ask(asker: &mut TestInputs<'_>, count: usize, depth: i64) -> Result<Self, FormatMisfit> {
        asker.need_products(count)?;
        let places: Vec<_> = (0..count)
            .map(SumPlace::Product)
            .chain([SumPlace::C])
            .collect();
        asker.scaled(|asker, scale| {
            let term = |large: SumPlace, place: SumPlace| match place == large {
                true => (place, pow2(scale)),
                false => (place, pow2(scale - depth)),
            };
            let ids = places.iter().map(|large| {
                let terms: Vec<_> = places.iter().map(|place| term(*large, *place)).collect();
                asker.add(&terms)
            });
            Ok(Permutations {
                ids: ids.collect::<Result<_, FormatMisfit>>()?,
                scale,
                count: count as i64,
                depth,
            })
        })
    }

    /// 1 and so many ulps.
    fn ulps(&self, count: i64, bits: i64) -> Dyadic {
        pow2(self.scale).plus(&number(count, self.scale - bits))
    }

    /// The sum of all small numbers in ulps, without what is less than one.
    fn whole(&self, bits: i64) -> i64 {
        self.count >> (self.depth - bits)
    }

    /// True if every result is exact.
    fn are_exact(&self, results: &TestResults<'_>, bits: i64) -> Result<bool, ReadingFailure> {
        let sum = self.ulps(self.whole(bits), bits);
        let mut ids = self.ids.iter();
        ids.try_fold(true, |all, id| Ok(all && results.is(*id, &sum)?))
    }

    /// For how many places of the 1 the small numbers, which make an ulp, are not lost.
    fn counted(&self, results: &TestResults<'_>, bits: i64) -> Result<usize, ReadingFailure> {
        let values = [self.ulps(0, bits), self.ulps(1, bits)];
        let mut ids = self.ids.iter();
        ids.try_fold(0, |count, id| {
            Ok(count + results.one_of(*id, &values.each_ref())?)
        })
    }
}

/// True if the place of a product decides when it is added: asks for small numbers that make an ulp.
pub(super) fn by_place(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let bits = asker.fraction_bits();
    let width = Width::ask(asker)?;
    let two = Permutations::ask(asker, 2, bits + 1)?;
    let four = match asker.products() {
        4.. => Some(Permutations::ask(asker, 4, bits + 2)?),
        _ => None,
    };
    Ok(Box::new(move |results| {
        let permutations = match (width.read(results)?, &four) {
            (ProductCount::Exactly(1), _) => {
                return undecided("one product at a time: nothing to order in one operation");
            }
            (ProductCount::Exactly(4..) | ProductCount::AtLeast(4..), Some(four)) => four,
            _ => &two,
        };
        let count = permutations.counted(results, bits)?;
        flag(
            (1..permutations.ids.len()).contains(&count),
            "where a product stands decides what is lost",
            "no place makes a difference",
        )
    }))
}

/// The order of the additions, from small numbers of which each is lost if it alone is added to 1:
/// the greatest such powers of two. There are enough of them that their sum is at least an ulp, and
/// at least four as in the paper.
pub(super) fn of_additions(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let bits = asker.fraction_bits();
    let extra = ExtraBits::ask(asker)?;
    let mut families = vec![Permutations::ask(asker, 4, bits + 1)?];
    for extra in 1..=4 {
        let count = 4.max(2 << extra);
        families.extend(Permutations::ask(asker, count, bits + 1 + extra).ok());
    }
    let quarter = QuarterUlp::ask(asker)?;
    Ok(Box::new(move |results| {
        let extra = match extra.read(results)? {
            KeptBits::Bits(bits) => bits,
            KeptBits::AtLeast(_) => 0,
        };
        let family = usize::try_from(extra).ok().and_then(|at| families.get(at));
        let Some(family) = family else {
            return undecided("the small summands that are lost one by one do not make an ulp");
        };
        let values: Vec<_> = (0..=family.whole(bits) + 1)
            .map(|ulps| family.ulps(ulps, bits))
            .collect();
        let values: Vec<_> = values.iter().collect();
        let mut lost = 0;
        for &id in &family.ids {
            match results.one_of(id, &values) {
                Ok(at) => lost += usize::from(at == 0),
                Err(_) => {
                    let tolerance = number(family.count + 1, family.scale - bits);
                    let why = "small summands are rounded up one by one";
                    return Err(results.near(id, values[0], &tolerance, why));
                }
            }
        }
        quarter.refuse_moved(results)?;
        // With halves of an ulp, rounding to even may compensate for losses; with quarters it does
        // not. So both families must be exact.
        let mut two = families.iter().take(2);
        let add_up = two.try_fold(true, |all, family| {
            Ok::<_, ReadingFailure>(all && family.are_exact(results, bits)?)
        })?;
        match lost {
            0 if !add_up => named(
                "as given",
                "small summands are lost in part, by where the large one stands",
            ),
            0 => named("any", "small summands add up wherever the large one stands"),
            lost if lost == family.ids.len() => named(
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
