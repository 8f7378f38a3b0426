//! The tests of the support for subnormal numbers (Fasi et al., §3.1.1).

use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::sums::{Place, Sum, Unfit, number, pow2, seen_in_result, zero};
use crate::identify::probe::test::{ReadingRule, flag, named};
use crate::identify::probe::unread::undecided;
use mmasmt_core::numbers::float::{Dyadic, Format};

/// The exponents of the least normal number and of the least subnormal number of a format.
fn least(format: &Format) -> (i64, i64) {
    let least = i64::from(format.min_exponent());
    (least, i64::from(format.least_exponent()))
}

fn supported(
    asker: &TestInputs<'_>,
    id: usize,
    value: Dyadic,
    what: &'static str,
) -> Result<ReadingRule, Unfit> {
    seen_in_result(&asker.signature.d, &value)?;
    Ok(Box::new(move |results| {
        let kept = results.one_of(id, &[&zero(), &value])? == 1;
        let shows = if kept { "supported" } else { "taken for zero" };
        let shows = format!("{what} are {shows}");
        flag(kept, &shows, &shows)
    }))
}

/// Whether subnormal factors are supported: asks for 4 times the least subnormal factor.
pub(super) fn factors(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let (_, tiny) = least(&asker.signature.a);
    let sum = Sum::new(asker.signature).factors(0, &pow2(tiny), &pow2(2))?;
    let id = asker.push(sum.inputs());
    supported(asker, id, pow2(tiny + 2), "subnormal factors")
}

/// Whether subnormal accumulators are supported: asks for the least subnormal `c`, and for the
/// greatest power of two below the normal numbers as `c`. Alignment may cut the least subnormal
/// number, but it does not cut this power of two.
pub(super) fn accumulator(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let (normal, tiny) = least(&asker.signature.c);
    let id = asker.add(&[(Place::C, pow2(tiny))])?;
    let half = asker.add(&[(Place::C, pow2(normal - 1))])?;
    let read = supported(asker, id, pow2(tiny), "subnormal accumulators")?;
    Ok(Box::new(move |results| {
        let is_zero = |id, value| Ok(results.one_of(id, &[&zero(), &value])? == 0);
        if is_zero(id, pow2(tiny))? && !is_zero(half, pow2(normal - 1))? {
            return undecided(
                "the least subnormal accumulator becomes zero, half of the least normal one does not: low bits are cut",
            );
        }
        read(results)
    }))
}

/// Whether results that are subnormal in the factors' format are supported: asks for half of the
/// least normal factor.
pub(super) fn results(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let (normal, _) = least(&asker.signature.a);
    let sum = Sum::new(asker.signature).factors(0, &pow2(normal), &pow2(-1))?;
    let id = asker.push(sum.inputs());
    let what = "results that are subnormal in the format of the factors";
    supported(asker, id, pow2(normal - 1), what)
}

/// Whether differences that are subnormal in the factors' format are supported: asks for the least
/// normal factor minus its half.
pub(super) fn differences(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let (normal, _) = least(&asker.signature.a);
    let c = pow2(normal - 1).negated();
    seen_in_result(&asker.signature.d, &c)?;
    let sum = Sum::new(asker.signature).factors(0, &pow2(normal), &pow2(0))?;
    let id = asker.push(sum.put(Place::C, &c)?.inputs());
    let (kept, whole) = (pow2(normal - 1), pow2(normal));
    Ok(Box::new(move |results| {
        // The result is zero if subnormal results are replaced by zero, and `whole` if a subnormal
        // `c` is replaced by zero.
        let found = results.one_of(id, &[&zero(), &whole, &kept])?;
        flag(
            found == 2,
            "differences that are subnormal in the format of the factors are supported",
            "differences that are subnormal in the format of the factors are not supported",
        )
    }))
}

/// Whether the unit itself computes with subnormal factors: asks for the sum of a power of two and
/// three quarters of its ulp, where the three quarters are a product with a subnormal factor. The
/// sum is cut if the unit computes it, and rounded if arithmetic outside the unit does.
pub(super) fn in_hardware(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    asker.need_products(2)?;
    let signature = asker.signature;
    let (_, tiny) = least(&signature.b);
    let large = tiny + 2 + asker.fraction_bits();
    let sum = Sum::new(signature).factors(0, &pow2(0), &number(3, tiny))?;
    let id = asker.push(sum.put(Place::Product(1), &pow2(large))?.inputs());
    let (cut, rounded) = (pow2(large), pow2(large).plus(&pow2(tiny + 2)));
    // A second input has the same subnormal factor in a sum that loses nothing.
    let sum = Sum::new(signature).factors(0, &pow2(2), &number(3, tiny))?;
    let alone = asker.push(sum.inputs());
    Ok(Box::new(move |results| {
        if results.one_of(alone, &[&zero(), &number(3, tiny + 2)])? == 0 {
            return undecided("a subnormal factor is taken for zero: nothing is left to be cut");
        }
        match results.one_of(id, &[&cut, &rounded])? {
            0 => named(
                "cut",
                "a subnormal factor of 3/4 ulp is cut, as in the unit's additions",
            ),
            _ => named("rounded", "a subnormal factor of 3/4 ulp is rounded up"),
        }
    }))
}
