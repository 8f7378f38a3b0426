//! The tests of special values (Xie et al. §III-F): subnormal numbers, -0, NaN.

use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::sums::{Place, Sum, Unfit, pow2, seen_in_result, zero};
use crate::identify::probe::test::{ReadingRule, flag, named};
use crate::identify::probe::unread::Unread;
use mmasmt_core::numbers::float::{Dyadic, Format, NanCode};

/// Half of the least normal number.
fn half_least(format: &Format) -> Dyadic {
    pow2(i64::from(format.min_exponent()) - 1)
}

/// Returns a rule that reads whether the subnormal `value` reaches the result number `id` or
/// becomes zero.
fn kept(id: usize, value: Dyadic, what: &'static str) -> Result<ReadingRule, Unfit> {
    Ok(Box::new(move |results| {
        match results.one_of(id, &[&zero(), &value])? {
            1 => named("kept", format!("{what} is kept")),
            _ => named("flushed", format!("{what} becomes zero")),
        }
    }))
}

pub(super) fn subnormal_c(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let c = half_least(&asker.signature.c);
    seen_in_result(&asker.signature.d, &c)?;
    let id = asker.add(&[(Place::C, c.clone())])?;
    kept(id, c, "a subnormal c")
}

pub(super) fn subnormal_a(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let a = half_least(&asker.signature.a);
    seen_in_result(&asker.signature.d, &a)?;
    let sum = Sum::new(asker.signature).factors(0, &a, &pow2(0))?;
    let id = asker.push(sum.inputs());
    kept(id, a, "a subnormal factor a")
}

pub(super) fn subnormal_b(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let b = half_least(&asker.signature.b);
    seen_in_result(&asker.signature.d, &b)?;
    let sum = Sum::new(asker.signature).factors(0, &pow2(0), &b)?;
    let id = asker.push(sum.inputs());
    kept(id, b, "a subnormal factor b")
}

/// Whether subnormal products are kept: asks for `0.5 * epsilon`, where epsilon is the least normal
/// factor.
pub(super) fn subnormal_product(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let product = half_least(&asker.signature.b);
    seen_in_result(&asker.signature.d, &product)?;
    let sum = Sum::new(asker.signature).factors(0, &pow2(-1), &product.shifted(1))?;
    let id = asker.push(sum.inputs());
    // The product is also asked beside the least normal result, which is `c` or another product.
    // This sum is not subnormal, so the treatment of subnormal sums does not matter.
    let least = half_least(&asker.signature.d).shifted(1);
    let mut places = vec![(0, Place::C)];
    for k in 1..asker.products() {
        places.extend([(0, Place::Product(k)), (k, Place::Product(0))]);
    }
    let beside = places.into_iter().filter_map(|(small, place)| {
        let sum = Sum::new(asker.signature).factors(small, &pow2(-1), &product.shifted(1));
        let sum = sum.and_then(|sum| sum.put(place, &least)).ok()?;
        Some(asker.push(sum.inputs()))
    });
    let beside: Vec<usize> = beside.collect();
    let read = kept(
        id,
        product.clone(),
        "a product that is subnormal in the format of its factors",
    )?;
    let both = least.plus(&product);
    Ok(Box::new(move |results| {
        let alone = results.one_of(id, &[&zero(), &product])? == 1;
        let counts = |id| Ok::<_, Unread>(results.one_of(id, &[&least, &both])? == 1);
        let beside: Result<Vec<bool>, Unread> = beside.iter().map(|id| counts(*id)).collect();
        if !alone && beside?.contains(&true) {
            return named(
                "kept",
                "a product that is subnormal in the format of its factors counts beside a normal summand; a result that is subnormal becomes zero",
            );
        }
        read(results)
    }))
}

/// Whether subnormal sums are kept: asks for `1.5 * epsilon - epsilon`, where epsilon is the least
/// normal result.
pub(super) fn subnormal_sum(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let least = half_least(&asker.signature.d).shifted(1);
    let sum = half_least(&asker.signature.d);
    let id = asker.add(&[
        (Place::C, sum.plus(&least)),
        (Place::Product(0), least.negated()),
    ])?;
    kept(id, sum, "a subnormal sum of normal numbers")
}

/// Whether a sum of which all terms are -0 is -0: asks for `-0 + (+0 * -0) + ...`.
pub(super) fn negative_zero(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let signature = asker.signature;
    let formats = [signature.b, signature.c, signature.d];
    if let Some(without) = formats.iter().find(|format| !format.has_negative_zero()) {
        return Err(Unfit(format!("{without} has no -0")));
    }
    let mut sum = Sum::new(signature).c_register(signature.c.sign_mask());
    for k in 0..asker.products() {
        sum = sum.registers(k, 0, signature.b.sign_mask())?;
    }
    let id = asker.push(sum.inputs());
    let minus = signature.d.sign_mask();
    Ok(Box::new(move |results| match results.register(id)? {
        0 => flag(false, "", "a sum of nothing but -0 is +0"),
        register if register == minus => flag(true, "a sum of nothing but -0 is -0", ""),
        _ => Err(results.unexpected(id)),
    }))
}

/// Returns a rule that reads the code of a NaN, which the result number `id` must be.
fn nan(id: usize, format: Format, what: &'static str) -> Result<ReadingRule, Unfit> {
    Ok(Box::new(move |results| {
        let register = results.register(id)?;
        if !format.is_nan(register) {
            return Err(results.unexpected(id));
        }
        let code = [NanCode::Ones, NanCode::Quiet];
        let is_code = |code: &&NanCode| format.nan(**code) == register & !format.sign_mask();
        let negative = register & format.sign_mask() != 0;
        let name = match (code.iter().find(is_code), negative) {
            (Some(NanCode::Ones), false) => "all ones",
            (Some(NanCode::Ones), true) => "all ones, with the sign",
            (Some(_), false) => "quiet",
            (Some(_), true) => "quiet, with the sign",
            (None, _) => "with a payload",
        };
        let bits = format!("{register:0digits$x}", digits = format.digits());
        named(bits.clone(), format!("{what} is the NaN {bits}: {name}"))
    }))
}

/// The register of infinity; an error if the format has no infinity.
pub(super) fn infinity(format: &Format) -> Result<u64, Unfit> {
    if format.has_infinity() {
        Ok(format.infinity())
    } else {
        Err(Unfit(format!("{format} has no infinity")))
    }
}

/// The NaN that a product gives: asks for `0 * inf`.
pub(super) fn nan_of_product(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let signature = asker.signature;
    let sum = Sum::new(signature).registers(0, 0, infinity(&signature.b)?)?;
    let id = asker.push(sum.inputs());
    nan(id, signature.d, "0 * inf")
}

/// The NaN that a sum gives: asks for `inf - inf`, as two products.
pub(super) fn nan_of_sum(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let signature = asker.signature;
    let plus = infinity(&signature.b)?;
    let one = signature.a.one();
    let sum = Sum::new(signature).registers(0, one, plus)?;
    let sum = sum.registers(1, one, plus | signature.b.sign_mask())?;
    let id = asker.push(sum.inputs());
    nan(id, signature.d, "inf - inf")
}
