//! Printing of values: C99 hexadecimal floats, decimals, distances in ulp.

use super::{Dyadic, Format};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// The value as a C99 hexadecimal float and a decimal, `0x1.8p+1 (3)`; for an integer, the decimal
/// alone.
pub fn show(format: &Format, register: u64) -> String {
    if format.is_integer() {
        return decimal(format, register);
    }
    match Dyadic::of(format, register) {
        Some(_) => format!(
            "{} ({})",
            hex_float(format, register),
            decimal(format, register)
        ),
        None => decimal(format, register),
    }
}

/// The value in C99 hexadecimal notation with a leading one, also for subnormal numbers; for an
/// integer, the decimal.
pub fn hex_float(format: &Format, register: u64) -> String {
    if format.is_integer() {
        return decimal(format, register);
    }
    match Dyadic::of(format, register) {
        Some(value) if value.mantissa().is_zero() && format.is_negative(register) => {
            "-0x0p+0".into()
        }
        Some(value) => value.to_string(),
        None => decimal(format, register),
    }
}

/// The value as a decimal, `inf` or `nan`: exact if 17 significant digits suffice, else `~` and the
/// shortest decimal that rounds to the value.
pub fn decimal(format: &Format, register: u64) -> String {
    let sign = if format.is_negative(register) {
        "-"
    } else {
        ""
    };
    if format.is_nan(register) {
        return "nan".into();
    }
    let Some(value) = Dyadic::of(format, register) else {
        return format!("{sign}inf");
    };
    if format.is_integer() {
        return format!("{sign}{}", format.magnitude(register));
    }
    if value.mantissa().is_zero() {
        return format!("{sign}0");
    }
    if let Some(exact) = exact_decimal(&value) {
        return format!("{sign}{exact}");
    }
    let nearest = to_f64(&value).abs();
    let plain = (1e-5..1e16).contains(&nearest);
    match (format.width() <= 32, plain) {
        (true, true) => format!("{sign}~{}", nearest as f32),
        (true, false) => format!("{sign}~{:e}", nearest as f32),
        (false, true) => format!("{sign}~{nearest}"),
        (false, false) => format!("{sign}~{nearest:e}"),
    }
}

/// The magnitude as an exact decimal; `None` if it has more than 17 significant digits.
fn exact_decimal(value: &Dyadic) -> Option<String> {
    // mantissa * 2^-n is mantissa * 5^n * 10^-n.
    let magnitude = value.mantissa().abs();
    let (scaled, point) = match u32::try_from(-value.exponent()) {
        Ok(below) => (magnitude * BigInt::from(5).pow(below), i64::from(below)),
        Err(_) => (magnitude << value.exponent(), 0),
    };
    let digits = scaled.to_string();
    let significant = digits.trim_end_matches('0');
    if significant.len() > 17 {
        return None;
    }
    // The power of ten of the first digit.
    let exponent = digits.len() as i64 - 1 - point;
    Some(match exponent {
        0..16 if digits.len() as i64 - point >= significant.len() as i64 => {
            digits[..=exponent as usize].to_owned()
        }
        0..16 => {
            let (whole, fraction) = significant.split_at(exponent as usize + 1);
            format!("{whole}.{fraction}")
        }
        -5..0 => format!("0.{}{significant}", "0".repeat(-exponent as usize - 1)),
        _ => match significant.split_at(1) {
            (first, "") => format!("{first}e{exponent}"),
            (first, rest) => format!("{first}.{rest}e{exponent}"),
        },
    })
}

/// The value as an f64. The conversion is exact: no format has more precision or range than f64.
fn to_f64(value: &Dyadic) -> f64 {
    let magnitude = value.mantissa().abs().iter_u64_digits().next().unwrap_or(0);
    let (mut result, mut exponent) = (magnitude as f64, value.exponent());
    while exponent != 0 {
        let step = exponent.clamp(-1000, 1000);
        result *= 2f64.powi(step as i32);
        exponent -= step;
    }
    if value.mantissa().is_negative() {
        -result
    } else {
        result
    }
}

/// The number of steps from `left` to `right` through the values of the format; `None` if one of
/// them is a NaN. +0 and -0 count as one value; infinity is next to the greatest finite number.
pub fn ulp_distance(format: &Format, left: u64, right: u64) -> Option<u64> {
    let position = |register: u64| {
        let magnitude = i128::from(format.magnitude(register));
        if format.is_negative(register) {
            -magnitude
        } else {
            magnitude
        }
    };
    if format.is_nan(left) || format.is_nan(right) {
        return None;
    }
    u64::try_from((position(left) - position(right)).abs()).ok()
}
