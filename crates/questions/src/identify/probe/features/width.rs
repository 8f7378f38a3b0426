//! How many products are summed before the sum is rounded, and whether extra bits last through the
//! accumulation (FTTN §III-A).

use super::near_one::{HalfUnit, QuarterUlp};
use crate::identify::probe::asker::{TestInputs, TestResults};
use crate::identify::probe::sums::{FormatMisfit, SumPlace, number, pow2};
use crate::identify::probe::test::{ProbeValue, ReadingRule, flag, found};
use crate::identify::probe::unread::{ReadingFailure, undecided};

/// The inputs of Algorithm 1 of FTTN, one for each i: `c` is 1, and products 0 and i are half an
/// ulp each.
pub(super) struct Width {
    bit: HalfUnit,
    quarter: QuarterUlp,
    ids: Vec<usize>,
    /// Similar inputs, which go beyond the paper: product 0 is 1, and products 1 and i are half an
    /// ulp each.
    among_products: Vec<usize>,
    scale: i64,
    fraction_bits: i64,
}

/// The number of products that one operation sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProductCount {
    Exactly(usize),
    AtLeast(usize),
}

impl Width {
    pub(super) fn ask(asker: &mut TestInputs<'_>) -> Result<Self, FormatMisfit> {
        asker.need_products(2)?;
        let fraction_bits = asker.fraction_bits();
        let bit = HalfUnit::ask(asker, fraction_bits)?;
        let quarter = QuarterUlp::ask(asker)?;
        asker.scaled(|asker, scale| {
            let half = pow2(scale - fraction_bits - 1);
            let mut ask = |one: SumPlace, first: usize| -> Result<Vec<usize>, FormatMisfit> {
                let ids = (first + 1..asker.products()).map(|k| {
                    let halves = [SumPlace::Product(first), SumPlace::Product(k)];
                    let terms = halves.map(|place| (place, half.clone()));
                    asker.add(&[terms.as_slice(), &[(one, pow2(scale))]].concat())
                });
                ids.collect()
            };
            Ok(Width {
                bit,
                quarter,
                ids: ask(SumPlace::C, 0)?,
                among_products: ask(SumPlace::Product(0), 1)?,
                scale,
                fraction_bits,
            })
        })
    }

    pub(super) fn read(&self, results: &TestResults<'_>) -> Result<ProductCount, ReadingFailure> {
        if !self.bit.read(results)? {
            return undecided("no extra bit is kept that could be lost between operations");
        }
        self.quarter.refuse_moved(results)?;
        let one = pow2(self.scale);
        let ulp = pow2(self.scale - self.fraction_bits);
        let (next, beyond) = (one.plus(&ulp), one.plus(&ulp).plus(&ulp));
        let mut width = None;
        for (at, &id) in self.ids.iter().enumerate() {
            match results.one_of(id, &[&one, &next, &beyond])? {
                0 => width = width.or(Some(at + 1)),
                1 => {}
                _ => return undecided("halves of an ulp are rounded up one by one"),
            }
        }
        Ok(match width {
            Some(width) => ProductCount::Exactly(width),
            None => ProductCount::AtLeast(self.ids.len() + 1),
        })
    }

    /// True if sums of up to `width` products are rounded before `c` is added to them.
    fn rounds_among_products(
        &self,
        results: &TestResults<'_>,
        width: usize,
    ) -> Result<bool, ReadingFailure> {
        let one = pow2(self.scale);
        for &id in self.among_products.iter().take(width.saturating_sub(2)) {
            if results.value(id)? == one {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The number of products that one operation sums.
pub(super) fn width(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let width = Width::ask(asker)?;
    Ok(Box::new(move |results| match width.read(results)? {
        ProductCount::Exactly(1) => found(
            ProbeValue::Exactly(1),
            "each product is added and rounded by itself",
        ),
        ProductCount::Exactly(count) => {
            let shows = summed(
                &count.to_string(),
                width.rounds_among_products(results, count)?,
            );
            found(ProbeValue::Exactly(count as i64), shows)
        }
        ProductCount::AtLeast(count) => {
            let shows = summed(
                &format!("all {count}"),
                width.rounds_among_products(results, count)?,
            );
            found(ProbeValue::AtLeast(count as i64), shows)
        }
    }))
}

/// A sentence about a sum of `products` products.
fn summed(products: &str, rounded: bool) -> String {
    if rounded {
        format!("{products} products are summed, with roundings, before c is added")
    } else {
        format!("{products} products are summed before anything is rounded")
    }
}

/// Asks if extra bits last through the accumulation, with `1 + ulp/2 + ulp/2 + ulp/2`.
pub(super) fn preserved(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(3)?;
    let bits = asker.fraction_bits();
    let width = Width::ask(asker)?;
    let (id, scale) = asker.scaled(|asker, scale| {
        let half = pow2(scale - bits - 1);
        let mut terms = vec![(SumPlace::C, pow2(scale))];
        terms.extend((0..3).map(|k| (SumPlace::Product(k), half.clone())));
        Ok((asker.add(&terms)?, scale))
    })?;
    Ok(Box::new(move |results| {
        let ulps = |count| pow2(scale).plus(&number(count, scale - bits));
        // One and a half ulp become one ulp if the sum is cut, and two ulps if it is rounded to
        // even.
        let sums = [&ulps(0), &ulps(1), &ulps(2), &ulps(3)];
        let found = results.one_of(id, &sums)?;
        if found == 3 {
            return undecided("halves of an ulp are rounded up one by one");
        }
        if found > 0 && width.read(results)? == ProductCount::Exactly(2) {
            return undecided("two of the halves make an ulp before the third is added");
        }
        flag(
            found > 0,
            "halves of an ulp add up: extra bits last through the accumulation",
            "halves of an ulp are lost one by one",
        )
    }))
}
