//! Parses numbers as users type them, C99 hexadecimal floats and decimals, without rounding.

use num_bigint::BigInt;
use num_rational::Ratio;

/// An exact number.
pub(super) type Rational = Ratio<BigInt>;

/// Exponents of ten or two are clamped to this magnitude. With a greater exponent, a number
/// overflows or underflows in every format.
const MOST_EXPONENT: i64 = 20_000;

/// Parses the text after `0x` of a hexadecimal float, such as `1.8p-3`.
pub(super) fn parse_hex_float(text: &str) -> Option<Rational> {
    let (digits, exponent) = text.split_once('p').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = digits_to_int(whole, fraction, 16)?;
    let exponent = parse_exponent(exponent)? - 4 * fraction.len() as i64;
    Some(scaled(mantissa, 2, exponent))
}

/// Parses a decimal such as `12.5e-3`.
pub(super) fn parse_decimal(text: &str) -> Option<Rational> {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = digits_to_int(whole, fraction, 10)?;
    let exponent = parse_exponent(exponent)? - fraction.len() as i64;
    Some(scaled(mantissa, 10, exponent))
}

fn digits_to_int(whole: &str, fraction: &str, radix: u32) -> Option<BigInt> {
    let digits = format!("{whole}{fraction}");
    let valid = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    (valid && digits.len() < 5_000)
        .then(|| BigInt::parse_bytes(digits.as_bytes(), radix))
        .flatten()
}

fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let huge = if text.starts_with('-') {
        -MOST_EXPONENT
    } else {
        MOST_EXPONENT
    };
    Some(
        text.parse()
            .unwrap_or(huge)
            .clamp(-MOST_EXPONENT, MOST_EXPONENT),
    )
}

/// `mantissa * base^exponent`.
pub(super) fn scaled(mantissa: BigInt, base: u32, exponent: i64) -> Rational {
    let power = BigInt::from(base).pow(exponent.unsigned_abs() as u32);
    if exponent < 0 {
        Rational::new(mantissa, power)
    } else {
        Rational::from(mantissa * power)
    }
}
