//! Random registers of a format.

use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Dyadic, Format, NanCode};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use rand::{Rng, RngExt};

/// Any bits.
pub(super) fn any(rng: &mut impl Rng, format: &Format) -> u64 {
    rng.random::<u64>() >> (64 - format.width())
}

/// Any finite number, each as likely as any other.
pub(super) fn finite(rng: &mut impl Rng, format: &Format) -> u64 {
    if !format.has_fields() {
        return any(rng, format);
    }
    let code = rng.random_range(0..=format.max_finite());
    with_sign(rng, format, code)
}

/// A number with the exponent `exponent`, or with the nearest exponent that the format has. The
/// fraction is zero, all ones, one bit alone, or random; the sign is random.
pub(super) fn number(rng: &mut impl Rng, format: &Format, exponent: i32) -> u64 {
    let ones = format.max_fraction();
    let fraction = match rng.random_range(0..5) {
        0 | 1 => 0,
        2 => ones,
        3 if ones > 0 => 1 << rng.random_range(0..format.fraction_bits),
        _ => rng.random::<u64>() & ones,
    };
    with_fraction(rng, format, exponent, fraction)
}

/// A number with the exponent `exponent`, or with the nearest exponent that the format has. The
/// fraction and the sign are random.
pub(super) fn near(rng: &mut impl Rng, format: &Format, exponent: i32) -> u64 {
    let fraction = rng.random::<u64>() & format.max_fraction();
    with_fraction(rng, format, exponent, fraction)
}

fn with_fraction(rng: &mut impl Rng, format: &Format, exponent: i32, fraction: u64) -> u64 {
    format.register(exponent, fraction, rng.random_bool(0.5))
}

/// The register with the exponent field and fraction `code` and a random sign. If this would be -0
/// in a format without -0, it is +0.
fn with_sign(rng: &mut impl Rng, format: &Format, code: u64) -> u64 {
    let negative = rng.random_bool(0.5) && (code > 0 || format.has_negative_zero());
    let sign = if negative { format.sign_mask() } else { 0 };
    format.register_of(code) | sign
}

/// The register of `2^exponent`. If this power is below the least number of the format, 0; if it is
/// above the greatest power of two of the format, the register of that power.
pub(super) fn power_of_two(format: &Format, exponent: i32) -> u64 {
    let below = exponent - format.min_exponent();
    let code = match below {
        0.. => {
            let field = (exponent + format.bias()) as u64;
            field.min(format.max_exponent_field()) << format.fraction_bits
        }
        _ if below >= -(format.fraction_bits as i32) => 1 << (below + format.fraction_bits as i32),
        _ => 0,
    };
    format.register_of(code)
}

/// The register of `value` rounded towards zero, at most the greatest finite number.
pub(super) fn towards_zero(format: &Format, value: &Dyadic) -> u64 {
    let Some(leading) = value.leading_exponent() else {
        return 0;
    };
    let above = leading - i64::from(format.min_exponent());
    let unit = i64::from(format.least_exponent()) + above.max(0);
    let magnitude: BigInt = value.mantissa().abs();
    let shift = value.exponent() - unit;
    let code = if above > i64::from(format.max_exponent() - format.min_exponent()) {
        format.max_finite()
    } else {
        let significand = if shift < 0 {
            magnitude >> -shift
        } else {
            magnitude << shift
        };
        let field = format.code(above.max(0) as u64, 0);
        let code = significand.to_u64().unwrap_or(u64::MAX);
        code.saturating_add(field).min(format.max_finite())
    };
    let negative = value.mantissa().is_negative() && code > 0 && format.is_signed();
    format.signed(negative, code)
}

/// The edge cases of a format, of both signs: zeros, the least and greatest subnormal and normal
/// numbers, 1 and its neighbours, infinities and NaNs.
pub(super) fn edges(format: &Format) -> Vec<u64> {
    let one = format.read_bits(format.one());
    let least_normal = format.code(1, 0);
    let greatest = format.max_finite();
    let mut codes = vec![0, 1, least_normal - 1, least_normal, least_normal + 1];
    codes.extend([one - 1, one, one + 1, greatest - 1, greatest]);
    codes.retain(|&code| code <= greatest);
    let mut encodings: Vec<u64> = codes
        .iter()
        .map(|code| code << format.dropped_bits)
        .collect();
    if format.has_infinity() {
        encodings.push(format.beyond_finite() << format.dropped_bits);
        // The signalling NaN with the least payload.
        encodings.push((format.beyond_finite() + 1) << format.dropped_bits);
    }
    if format.has_nan() {
        encodings.extend([NanCode::Ones, NanCode::Quiet].map(|code| format.nan(code)));
    }
    let mirrored: Vec<u64> = encodings
        .iter()
        .map(|bits| bits | format.sign_mask())
        .collect();
    encodings.extend(mirrored);
    encodings.sort_unstable();
    encodings.dedup();
    encodings
}

/// Inputs whose operands are +0 and whose block scales are 1.
pub(super) fn plain(signature: &Signature) -> Inputs {
    let mut inputs = Inputs::zero(signature);
    if let Some(scales) = signature.scales {
        let both = inputs.a_scales.iter_mut().chain(&mut inputs.b_scales);
        both.for_each(|scale| *scale = scales.format.one());
    }
    inputs
}
