//! The precision of the sum of products beside a `c` that is larger: how far below `c` a bit of the
//! sum still decides how a tie is rounded (the late addition of Xie et al. §IV-F keeps 31 bits).

use super::precision::MOST;
use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::sums::{FormatMisfit, SumPlace, normal_exponents, pow2};
use crate::identify::probe::test::{ProbeValue, ReadingRule, found};
use crate::identify::probe::unread::undecided;

/// Asks for `1 + (half an ulp + epsilon)` with 1 in `c`, where epsilon is one of smaller and smaller
/// powers of two. A unit that rounds to nearest, ties to even, gives 1 where epsilon is lost.
pub(super) fn beside_c(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(2)?;
    let half = asker.fraction_bits() + 1;
    let tie = |scale: i64| {
        vec![
            (SumPlace::C, pow2(scale)),
            (SumPlace::Product(0), pow2(scale - half)),
        ]
    };
    let (_, greatest) = normal_exponents(&asker.signature.d);
    let sweep = asker.sweep(half + 1..=MOST, |scale, depth| {
        if scale >= greatest {
            return Err(FormatMisfit("the result would overflow".into()));
        }
        let epsilon = (SumPlace::Product(1), pow2(scale - depth));
        Ok([tie(scale), vec![epsilon]].concat())
    })?;
    let even = asker.add(&tie(sweep.scale))?;
    Ok(Box::new(move |results| {
        let one = pow2(sweep.scale);
        let next = one.plus(&pow2(sweep.scale - half + 1));
        if results.one_of(even, &[&one, &next])? != 0 {
            return undecided("a tie is not rounded to even, so that no smaller bit decides it");
        }
        let reach = sweep.reach(|_, id| Ok(results.one_of(id, &[&one, &next])? == 1))?;
        let (value, depth) = match reach {
            None => {
                return undecided("the result is not rounded to nearest, or half an ulp is lost");
            }
            Some((depth, false)) => (ProbeValue::Exactly(depth), depth),
            Some((depth, true)) => (ProbeValue::AtLeast(depth), depth),
        };
        found(
            value,
            format!(
                "beside c = 1, a product of 2^-{depth} decides how a sum of products is rounded"
            ),
        )
    }))
}
