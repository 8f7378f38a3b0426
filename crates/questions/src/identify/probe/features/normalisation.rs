//! The normalisation of partial sums (Fasi et al., §3.1.4).

use super::extra_bits::ExtraBits;
use super::mode::Mode;
use super::precision::KeptBits;
use super::rounding::Direction;
use super::width::{ProductCount, Width};
use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::sums::{FormatMisfit, SumPlace, number, pow2, zero};
use crate::identify::probe::test::{Reading, ReadingRule, named};
use crate::identify::probe::unread::undecided;

/// The most extra bits for which the test with four products is conclusive.
const MOST: i64 = 2;

fn result_only() -> Reading {
    named(
        "result",
        "partial sums are not normalised, only the result is",
    )
}

fn each_sum() -> Reading {
    named("each sum", "each partial sum is normalised")
}

/// Asks if partial sums that carry are normalised, with the sum of `c` = 1 - ulp/2 and four
/// products, each an ulp less one unit of the alignment. (If a unit keeps no extra bits, these are
/// the numbers of the paper.) If the first partial sum is normalised, each later addition loses a
/// bit.
pub(super) fn sums(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(4)?;
    let extra = ExtraBits::ask(asker)?;
    let width = Width::ask(asker)?;
    let direction = Direction::ask(asker)?;
    let bits = asker.fraction_bits();
    let mut families = Vec::new();
    for extra in 0..=MOST {
        families.push(asker.scaled(|asker, scale| {
            let unit = scale - bits - 1 - extra;
            let small = number((2 << extra) - 1, unit);
            let c = pow2(scale).minus(&pow2(scale - bits - 1));
            let mut terms = vec![(SumPlace::C, c)];
            terms.extend((0..4).map(|k| (SumPlace::Product(k), small.clone())));
            Ok((asker.add(&terms)?, scale))
        })?);
    }
    Ok(Box::new(move |results| {
        let extra = match extra.read(results)? {
            KeptBits::Bits(bits @ 0..=MOST) => bits,
            KeptBits::Bits(_) => {
                return undecided("four products do not decide for that many extra bits");
            }
            KeptBits::AtLeast(_) => match width.read(results)? {
                ProductCount::Exactly(1) => return each_sum(),
                _ => return undecided("1 and -1 cancel before anything is lost"),
            },
        };
        if direction.read(results)? != Mode::Zero {
            return undecided("sums are not cut");
        }
        let (id, scale) = &families[extra as usize];
        let one = pow2(*scale);
        let ulps = |count: i64| one.plus(&number(count, scale - bits));
        // Computes two sums in units of the alignment: the whole sum, and the sum that loses its
        // last bit in each addition. Then cuts both sums to ulps; an ulp is 2^(extra + 1) units.
        let units = |whole: i64| whole >> (extra + 1);
        let fused = units((7 << extra) - 4);
        let normalised = units(((7 << extra) - 8).max(0));
        match results.one_of(*id, &[&ulps(fused), &ulps(normalised)]) {
            Ok(0) => result_only(),
            Ok(_) => each_sum(),
            Err(_) => Err(results.near(*id, &one, &number(4, scale - bits), "sums are not cut")),
        }
    }))
}

/// Asks if differences are normalised, with the sum of `c` = -1 + ulp/2, a product of 1, and a
/// product below the last bit of the alignment. This last product counts only if the difference of
/// the first two terms is normalised.
pub(super) fn differences(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(2)?;
    let extra = ExtraBits::ask(asker)?;
    let bits = asker.fraction_bits();
    let sweep = asker.sweep(0..=12, |scale, extra| {
        Ok(vec![
            (SumPlace::C, pow2(scale - bits - 1).minus(&pow2(scale))),
            (SumPlace::Product(0), pow2(scale)),
            (
                SumPlace::Product(1),
                pow2(scale - bits - 1 - extra).negated(),
            ),
        ])
    })?;
    Ok(Box::new(move |results| {
        let extra = match extra.read(results)? {
            KeptBits::Bits(bits) => bits,
            KeptBits::AtLeast(_) => 0,
        };
        let at = sweep.depths.iter().position(|depth| *depth == extra);
        let Some(&id) = at.and_then(|at| sweep.ids.get(at)) else {
            return undecided("the inputs do not reach what the alignment loses");
        };
        let unit = sweep.scale - bits - 1;
        // Without an extra bit, the difference of the first two terms is a whole ulp.
        let first = pow2(if extra == 0 { unit + 1 } else { unit });
        let last = pow2(unit - extra);
        let normalised = first.minus(&last);
        let exact = pow2(unit).minus(&last);
        match results.one_of(id, &[&first, &normalised, &exact]) {
            Ok(0) => result_only(),
            Ok(_) => each_sum(),
            Err(_) => Err(results.near(id, &zero(), &first.shifted(1), "terms are not cut alike")),
        }
    }))
}
