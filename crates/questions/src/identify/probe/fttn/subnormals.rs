//! The tests `T_si_no`, `T_ni_so` and `T_sa` of FTTN: they find whether subnormal inputs and
//! outputs are supported.

use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::sums::{
    Place, Sum, Unfit, normal_exponents, pow2, seen_in_result, zero,
};
use crate::identify::probe::test::{ReadingRule, flag};
use mmasmt_core::numbers::float::Dyadic;

/// Whether subnormal factors count: asks for a product that is normal although one of its factors
/// is subnormal.
pub(super) fn si_no(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let signature = asker.signature;
    if !signature.a.has_subnormals() {
        return Err(Unfit(format!("{} has no subnormal numbers", signature.a)));
    }
    let (_, greatest) = normal_exponents(&signature.b);
    let x = pow2(i64::from(signature.a.min_exponent()) - 1);
    let y = pow2(greatest.min(10));
    let id = asker.push(Sum::new(signature).factors(0, &x, &y)?.inputs());
    let product = x.shifted(greatest.min(10));
    seen_in_result(&signature.d, &product)?;
    kept_or_zero(
        id,
        product,
        "a subnormal factor counts",
        "a subnormal factor is taken for zero",
    )
}

/// Whether results can be subnormal: asks for a subnormal product of normal factors.
pub(super) fn ni_so(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let product = pow2(i64::from(asker.signature.d.min_exponent()) - 1);
    let id = asker.add(&[(Place::Product(0), product.clone())])?;
    kept_or_zero(
        id,
        product,
        "a subnormal result is given",
        "a subnormal result becomes zero",
    )
}

/// Whether subnormal accumulators are kept: asks for a sum with a subnormal `c`.
pub(super) fn sa(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let c = pow2(i64::from(asker.signature.c.min_exponent()) - 1);
    seen_in_result(&asker.signature.d, &c)?;
    let id = asker.add(&[(Place::C, c.clone())])?;
    kept_or_zero(
        id,
        c,
        "a subnormal accumulator is kept",
        "a subnormal accumulator becomes zero",
    )
}

/// Returns a rule that reads whether the result number `id` is `value` or zero.
fn kept_or_zero(
    id: usize,
    value: Dyadic,
    yes: &'static str,
    no: &'static str,
) -> Result<ReadingRule, Unfit> {
    Ok(Box::new(move |results| {
        let kept = results.one_of(id, &[&zero(), &value])? == 1;
        flag(kept, yes, no)
    }))
}
