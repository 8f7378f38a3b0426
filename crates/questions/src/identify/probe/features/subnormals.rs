//! Subnormal numbers as factors, as `c` and as results (FTTN §III-A; Xie et al. §III-F; Fasi et al.,
//! §3.1.1).

use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::sums::{
    FormatMisfit, ProbeSum, SumPlace, normal_exponents, number, pow2, seen_in_result, zero,
};
use crate::identify::probe::test::{Reading, ReadingRule, flag, named};
use crate::identify::probe::unread::{ReadingFailure, undecided};
use mmasmt_numbers::float::{Dyadic, Format};

/// The words of a paper for a subnormal number that counts, or is taken for zero.
#[derive(Clone, Copy)]
pub(super) enum SubnormalWords {
    /// FTTN: yes and no, with these sentences.
    Sentences(&'static str, &'static str),
    /// MMA-Sim: kept or flushed.
    Kept(&'static str),
    /// Fasi et al.: supported or not.
    Supported(&'static str),
}

impl SubnormalWords {
    fn reading(self, is_kept: bool) -> Reading {
        match (self, is_kept) {
            (SubnormalWords::Sentences(yes, no), _) => flag(is_kept, yes, no),
            (SubnormalWords::Kept(what), true) => named("kept", format!("{what} is kept")),
            (SubnormalWords::Kept(what), false) => named("flushed", format!("{what} becomes zero")),
            (SubnormalWords::Supported(what), true) => {
                flag(true, &format!("{what} are supported"), "")
            }
            (SubnormalWords::Supported(what), false) => {
                flag(false, "", &format!("{what} are taken for zero"))
            }
        }
    }
}

/// Returns a rule that reads whether the result number `id` is `value` or zero.
fn kept_or_zero(id: usize, value: Dyadic, words: SubnormalWords) -> ReadingRule {
    Box::new(move |results| words.reading(results.one_of(id, &[&zero(), &value])? == 1))
}

/// The least normal number.
fn least_normal(format: &Format) -> Dyadic {
    pow2(format.min_exponent().into())
}

/// The least subnormal number.
fn least(format: &Format) -> Dyadic {
    pow2(format.least_exponent().into())
}

/// Half of the least normal number.
fn half_least(format: &Format) -> Dyadic {
    least_normal(format).shifted(-1)
}

/// Asks for one product.
fn product(
    asker: &mut TestInputs<'_>,
    x: &Dyadic,
    y: &Dyadic,
    words: SubnormalWords,
) -> Result<ReadingRule, FormatMisfit> {
    let product = x.times(y);
    let id = asker.multiply(x, y)?;
    seen_in_result(&asker.signature.d, &product)?;
    Ok(kept_or_zero(id, product, words))
}

/// A subnormal factor in a product that is normal: half of the least normal `a`.
pub(super) fn factor_of_normal(
    asker: &mut TestInputs<'_>,
    words: SubnormalWords,
) -> Result<ReadingRule, FormatMisfit> {
    let (a, b) = (&asker.signature.a, &asker.signature.b);
    if !a.has_subnormals() {
        return Err(FormatMisfit(format!("{a} has no subnormal numbers")));
    }
    let (_, greatest) = normal_exponents(b);
    product(asker, &half_least(a), &pow2(greatest.min(10)), words)
}

/// Four times the least subnormal `a`.
pub(super) fn least_factor(
    asker: &mut TestInputs<'_>,
    words: SubnormalWords,
) -> Result<ReadingRule, FormatMisfit> {
    product(asker, &least(&asker.signature.a), &pow2(2), words)
}

/// Half of the least normal `a`, times 1.
pub(super) fn factor_a(
    asker: &mut TestInputs<'_>,
    words: SubnormalWords,
) -> Result<ReadingRule, FormatMisfit> {
    product(asker, &half_least(&asker.signature.a), &pow2(0), words)
}

/// Half of the least normal `b`, times 1.
pub(super) fn factor_b(
    asker: &mut TestInputs<'_>,
    words: SubnormalWords,
) -> Result<ReadingRule, FormatMisfit> {
    product(asker, &pow2(0), &half_least(&asker.signature.b), words)
}

/// A product that is subnormal in the format of its factors: half of the least normal factor.
pub(super) fn half_of_factor(
    asker: &mut TestInputs<'_>,
    words: SubnormalWords,
) -> Result<ReadingRule, FormatMisfit> {
    product(asker, &least_normal(&asker.signature.a), &pow2(-1), words)
}

/// A subnormal `c` alone.
pub(super) fn accumulator(
    asker: &mut TestInputs<'_>,
    words: SubnormalWords,
) -> Result<ReadingRule, FormatMisfit> {
    let c = half_least(&asker.signature.c);
    seen_in_result(&asker.signature.d, &c)?;
    let id = asker.add(&[(SumPlace::C, c.clone())])?;
    Ok(kept_or_zero(id, c, words))
}

/// The least subnormal `c` alone. Alignment may cut it, but it does not cut half of the least normal
/// number.
pub(super) fn least_accumulator(
    asker: &mut TestInputs<'_>,
    words: SubnormalWords,
) -> Result<ReadingRule, FormatMisfit> {
    let (tiny, half) = (least(&asker.signature.c), half_least(&asker.signature.c));
    let ids = [&tiny, &half].map(|c| asker.add(&[(SumPlace::C, c.clone())]));
    let [id, other] = ids;
    let (id, other) = (id?, other?);
    seen_in_result(&asker.signature.d, &tiny)?;
    Ok(Box::new(move |results| {
        let is_zero = |id, value: &Dyadic| Ok(results.one_of(id, &[&zero(), value])? == 0);
        let is_lost = is_zero(id, &tiny)?;
        if is_lost && !is_zero(other, &half)? {
            return undecided(
                "the least subnormal accumulator becomes zero, half of the least normal one does not: low bits are cut",
            );
        }
        words.reading(!is_lost)
    }))
}

/// A subnormal result, as the product of normal factors.
pub(super) fn result(
    asker: &mut TestInputs<'_>,
    words: SubnormalWords,
) -> Result<ReadingRule, FormatMisfit> {
    let product = half_least(&asker.signature.d);
    let id = asker.add(&[(SumPlace::Product(0), product.clone())])?;
    Ok(kept_or_zero(id, product, words))
}

/// A subnormal sum of normal numbers: asks for `1.5 * epsilon - epsilon`, where epsilon is the least
/// normal result.
pub(super) fn sum(
    asker: &mut TestInputs<'_>,
    words: SubnormalWords,
) -> Result<ReadingRule, FormatMisfit> {
    let (least, sum) = (
        least_normal(&asker.signature.d),
        half_least(&asker.signature.d),
    );
    let id = asker.add(&[
        (SumPlace::C, sum.plus(&least)),
        (SumPlace::Product(0), least.negated()),
    ])?;
    Ok(kept_or_zero(id, sum, words))
}

/// A product that is subnormal in the format of its factors, alone and beside the least normal
/// result, which is `c` or another product. This sum is not subnormal, so the treatment of subnormal
/// sums does not matter.
pub(super) fn product_beside(
    asker: &mut TestInputs<'_>,
    words: SubnormalWords,
) -> Result<ReadingRule, FormatMisfit> {
    let (half, factor) = (pow2(-1), least_normal(&asker.signature.b));
    let product = factor.shifted(-1);
    seen_in_result(&asker.signature.d, &product)?;
    let id = asker.multiply(&half, &factor)?;
    let least = least_normal(&asker.signature.d);
    let mut places = vec![(0, SumPlace::C)];
    for k in 1..asker.products() {
        places.extend([(0, SumPlace::Product(k)), (k, SumPlace::Product(0))]);
    }
    let beside = places.into_iter().filter_map(|(small, place)| {
        let sum = ProbeSum::new(asker.signature).factors(small, &half, &factor);
        let sum = sum.and_then(|sum| sum.put(place, &least)).ok()?;
        Some(asker.push(sum.inputs()))
    });
    let beside: Vec<usize> = beside.collect();
    let both = least.plus(&product);
    Ok(Box::new(move |results| {
        let alone = results.one_of(id, &[&zero(), &product])? == 1;
        let counts = |id| Ok::<_, ReadingFailure>(results.one_of(id, &[&least, &both])? == 1);
        let beside: Result<Vec<bool>, ReadingFailure> =
            beside.iter().map(|id| counts(*id)).collect();
        if !alone && beside?.contains(&true) {
            return named(
                "kept",
                "a product that is subnormal in the format of its factors counts beside a normal summand; a result that is subnormal becomes zero",
            );
        }
        words.reading(alone)
    }))
}

/// A difference that is subnormal in the factors' format: asks for the least normal factor minus its
/// half.
pub(super) fn difference(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let (whole, kept) = (
        least_normal(&asker.signature.a),
        half_least(&asker.signature.a),
    );
    let c = kept.negated();
    seen_in_result(&asker.signature.d, &c)?;
    let sum = ProbeSum::new(asker.signature).factors(0, &whole, &pow2(0))?;
    let id = asker.push(sum.put(SumPlace::C, &c)?.inputs());
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

/// Asks if the unit itself computes with subnormal factors, with the sum of a power of two and
/// three quarters of its ulp, where the three quarters are a product with a subnormal factor. The
/// sum is cut if the unit computes it, and rounded if arithmetic outside the unit does.
pub(super) fn in_hardware(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    asker.need_products(2)?;
    let signature = asker.signature;
    let tiny = i64::from(signature.b.least_exponent());
    let large = tiny + 2 + asker.fraction_bits();
    let sum = ProbeSum::new(signature).factors(0, &pow2(0), &number(3, tiny))?;
    let id = asker.push(sum.put(SumPlace::Product(1), &pow2(large))?.inputs());
    let (cut, rounded) = (pow2(large), pow2(large).plus(&pow2(tiny + 2)));
    // A second input has the same subnormal factor in a sum that loses nothing.
    let alone = asker.multiply(&pow2(2), &number(3, tiny))?;
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
