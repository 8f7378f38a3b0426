//! Monotonicity (Fasi et al., §3.1.4): a larger `c` must not decrease the sum.

use crate::identify::probe::asker::{PlacedTerm, TestInputs, TestResults};
use crate::identify::probe::sums::{FormatMisfit, SumPlace, number, pow2};
use crate::identify::probe::test::{ReadingRule, flag};
use crate::identify::probe::unread::ReadingFailure;
use mmasmt_numbers::float::Dyadic;

/// The greatest number of extra bits that is tested.
const MOST: i64 = 6;

/// In some inputs, a product subtracts `1 - 2^-TAKEN` from the sum.
const TAKEN: i64 = 4;

/// Asks if a larger `c` never makes the sum less, with sums of small products with `c` = 1 -
/// ulp/2 and with `c` = 1. In some inputs, a further product subtracts most of `c`, so that the low
/// bits of the sum become visible.
pub(super) fn monotonic(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(4)?;
    let bits = asker.fraction_bits();
    let products = asker.products();
    let mut pairs = Vec::new();
    for extra in 0..=MOST {
        for (count, taken) in [
            (products, false),
            (4, false),
            (3, true),
            (7, true),
            (products - 1, true),
        ] {
            let pair = asker.scaled(|asker, scale| {
                let small = pow2(scale - bits - 1 - extra);
                // The product that subtracts most of `c` comes first, so that one operation sums it
                // together with the other products.
                let first = usize::from(taken);
                let mut terms: Vec<_> = (first..first + count)
                    .map(|k| (SumPlace::Product(k), small.clone()))
                    .collect();
                if taken {
                    let most = number(15, scale - TAKEN);
                    terms.push((SumPlace::Product(0), most.negated()));
                }
                let one = pow2(scale);
                let less = one.minus(&pow2(scale - bits - 1));
                Ok([
                    KnownSum::ask(asker, &terms, less, scale)?,
                    KnownSum::ask(asker, &terms, one, scale)?,
                ])
            });
            pairs.extend(pair.ok());
        }
    }
    if pairs.is_empty() {
        let why = "the formats do not reach below an ulp of 1";
        return Err(FormatMisfit(why.into()));
    }
    Ok(Box::new(move |results| {
        let mut monotonic = true;
        for [less, more] in &pairs {
            let (less, more) = (less.value(results)?, more.value(results)?);
            monotonic &= !more.minus(&less).is_negative();
        }
        flag(
            monotonic,
            "no larger c makes the sum less, in these inputs",
            "a larger c can make the sum less",
        )
    }))
}

/// A sum whose exact value is known; the result of every unit is close to this value.
struct KnownSum {
    id: usize,
    exact: Dyadic,
    tolerance: Dyadic,
}

impl KnownSum {
    fn ask(
        asker: &mut TestInputs<'_>,
        terms: &[PlacedTerm],
        c: Dyadic,
        scale: i64,
    ) -> Result<Self, FormatMisfit> {
        let exact = terms
            .iter()
            .fold(c.clone(), |sum, (_, value)| sum.plus(value));
        let terms = [terms, &[(SumPlace::C, c)]].concat();
        Ok(KnownSum {
            id: asker.add(&terms)?,
            exact,
            tolerance: pow2(scale - TAKEN - 2),
        })
    }

    fn value(&self, results: &TestResults<'_>) -> Result<Dyadic, ReadingFailure> {
        let value = results.value(self.id)?;
        if value.minus(&self.exact).magnitude_exceeds(&self.tolerance) {
            Err(results.unexpected(self.id))
        } else {
            Ok(value)
        }
    }
}
