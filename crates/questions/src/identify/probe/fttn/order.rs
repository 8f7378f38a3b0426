//! The test `T_acc_order` of FTTN: it finds whether the place of a product affects when the product
//! is added.

use super::width::{Wide, Width};
use crate::identify::probe::asker::{TestInputs, TestResults};
use crate::identify::probe::sums::{Place, Unfit, pow2};
use crate::identify::probe::test::{ReadingRule, flag};
use crate::identify::probe::unread::{Unread, undecided};

/// Inputs with 1 in one place and, in all other places, small numbers that sum to an ulp; one input
/// for each place of the 1.
struct Permutations {
    ids: Vec<usize>,
    scale: i64,
}

impl Permutations {
    /// Adds the inputs for sums of `c` and `count` products, where `count` is a power of two.
    fn ask(asker: &mut TestInputs<'_>, count: usize) -> Result<Self, Unfit> {
        let bits = asker.fraction_bits();
        let log2 = i64::from(count.trailing_zeros());
        asker.scaled(|asker, scale| {
            let places: Vec<_> = (0..count).map(Place::Product).chain([Place::C]).collect();
            let ids = places.iter().map(|large| {
                let terms: Vec<_> = places
                    .iter()
                    .map(|place| {
                        if place == large {
                            (*place, pow2(scale))
                        } else {
                            (*place, pow2(scale - bits - log2))
                        }
                    })
                    .collect();
                asker.add(&terms)
            });
            let ids = ids.collect::<Result<_, Unfit>>()?;
            Ok(Permutations { ids, scale })
        })
    }

    /// For how many places of the 1 the small numbers are not lost.
    fn count(&self, results: &TestResults<'_>, bits: i64) -> Result<usize, Unread> {
        let one = pow2(self.scale);
        let next = one.plus(&pow2(self.scale - bits));
        let mut count = 0;
        for &id in &self.ids {
            count += results.one_of(id, &[&one, &next])?;
        }
        Ok(count)
    }
}

pub(super) fn order(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let bits = asker.fraction_bits();
    let width = Width::ask(asker)?;
    let two = Permutations::ask(asker, 2)?;
    let four = match asker.products() {
        4.. => Some(Permutations::ask(asker, 4)?),
        _ => None,
    };
    Ok(Box::new(move |results| {
        let permutations = match (width.read(results)?, &four) {
            (Wide::Exactly(1), _) => {
                return undecided("one product at a time: nothing to order in one operation");
            }
            (Wide::Exactly(4..) | Wide::AtLeast(4..), Some(four)) => four,
            _ => &two,
        };
        let count = permutations.count(results, bits)?;
        flag(
            (1..permutations.ids.len()).contains(&count),
            "where a product stands decides what is lost",
            "no place makes a difference",
        )
    }))
}
