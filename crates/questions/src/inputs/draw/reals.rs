//! Registers of real numbers, and blocks of them with a scale.

use mmasmt_numbers::bits::{Bv, Concrete, W64};
use mmasmt_numbers::float::{Format, NanCode, Rounding, convert};

/// The number in a register.
pub fn value(format: &Format, register: u64) -> f64 {
    let bits = W64::lit(format.width(), register);
    f64::from_bits(convert(format, &Format::F64, Rounding::Rne, NanCode::Quiet, &bits).to_u64())
}

/// The register of a number, to nearest even and at most the greatest one.
pub(super) fn register(format: &Format, x: f64) -> u64 {
    let greatest = format.register_of(format.max_finite());
    let most = value(format, greatest);
    rounded(format, x.clamp(-most, most))
}

/// The register of a number, to nearest even.
pub(super) fn rounded(format: &Format, x: f64) -> u64 {
    let bits = W64::lit(64, x.to_bits());
    convert(&Format::F64, format, Rounding::Rne, NanCode::Quiet, &bits).to_u64()
}

/// The elements of a block and its scale: the power of two that brings the greatest magnitude to the greatest exponent of the
/// elements, or, where a scale is no power of two, the number that brings it to their greatest number.
pub(super) fn cast(part: &[f64], format: &Format, scale: &Format) -> (Vec<u64>, u64) {
    // The data is cast from f32.
    let part = part
        .iter()
        .map(|x| value(&Format::F32, register(&Format::F32, *x)));
    let part: Vec<f64> = part.collect();
    let most = part.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let (code, factor) = match scale.has_zero() {
        true => {
            let greatest = value(format, format.register_of(format.max_finite()));
            let code = register(scale, most / greatest);
            (code, value(scale, code))
        }
        false => {
            let exponent = exponent_of(most) - i64::from(format.max_exponent());
            let code = (exponent + 127).clamp(0, 254) as u64;
            (code, value(scale, code))
        }
    };
    let element = |x: &f64| match factor == 0.0 {
        true => 0,
        false => register(format, x / factor),
    };
    (part.iter().map(element).collect(), code)
}

/// The exponent of a number; that of 0 is below all.
fn exponent_of(x: f64) -> i64 {
    (x.to_bits() >> 52) as i64 - 1023
}
