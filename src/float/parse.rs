//! The parser of values: hexadecimal bits, C99 hexadecimal floats, decimals; all exact.

use super::{Dyadic, Format, NanCode, show};
use crate::excerpt::excerpt;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;
use thiserror::Error;

/// Why a text is not a value of a format.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueError {
    /// The text is not a number.
    #[error(
        "`{}`: expected bits (`0x3c00`), a hex float (`0x1.8p-3`), a decimal, `inf` or `nan`",
        excerpt(.text)
    )]
    Syntax {
        /// The text.
        text: String,
    },
    /// The bits exceed the width of the register.
    #[error("`{}`: expected at most {digits} hexadecimal digits for {format}", excerpt(.text))]
    TooWide {
        /// The text.
        text: String,
        /// The format.
        format: &'static str,
        /// The most hexadecimal digits.
        digits: usize,
    },
    /// The number lies between two values of the format.
    #[error("`{}` is not a value of {format}: the nearest are {below} and {above}", excerpt(.text))]
    Inexact {
        /// The text.
        text: String,
        /// The format.
        format: &'static str,
        /// The next value below.
        below: String,
        /// The next value above.
        above: String,
    },
    /// The number exceeds the greatest value.
    #[error("`{}` is beyond the range of {format}: the greatest value is {greatest}", excerpt(.text))]
    OutOfRange {
        /// The text.
        text: String,
        /// The format.
        format: &'static str,
        /// Its greatest value.
        greatest: String,
    },
    /// The format has no such infinity, NaN or negative number.
    #[error("`{}`: {format} has no such value", excerpt(.text))]
    NoSpecial {
        /// The text.
        text: String,
        /// The format.
        format: &'static str,
    },
}

type Rational = Ratio<BigInt>;

/// Exponents of ten or two are clamped to this: every format overflows or underflows before.
const MOST_EXPONENT: i64 = 20_000;

/// The register of `format` for `text`: bits (`0x3c00`), a C99 hexadecimal float (`0x1.8p-3`), a decimal,
/// `inf`, `-inf` or `nan`.
///
/// # Errors
/// If the text is not a number, or not exactly a value of the format.
pub fn parse_value(format: &Format, text: &str) -> Result<u64, ValueError> {
    let syntax = || ValueError::Syntax { text: text.into() };
    let (negative, magnitude) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let lower = magnitude.to_ascii_lowercase();
    match lower.as_str() {
        "inf" | "infinity" => {
            return special(
                format,
                text,
                negative,
                format.beyond_finite(),
                format.has_infinity(),
            );
        }
        "nan" => {
            let code = format.nan(NanCode::Quiet) >> format.dropped_bits;
            return special(format, text, false, code, format.has_nan());
        }
        _ => {}
    }
    if let Some(digits) = lower.strip_prefix("0x") {
        if !lower.contains('p') && !lower.contains('.') && magnitude.len() == text.len() {
            return parse_bits(format, text, digits);
        }
        let value = parse_hex_float(digits).ok_or_else(syntax)?;
        return exact(format, text, negative, &value);
    }
    let value = parse_decimal(&lower).ok_or_else(syntax)?;
    exact(format, text, negative, &value)
}

fn special(
    format: &Format,
    text: &str,
    negative: bool,
    code: u64,
    exists: bool,
) -> Result<u64, ValueError> {
    if !exists {
        return Err(ValueError::NoSpecial {
            text: text.into(),
            format: format.name(),
        });
    }
    Ok(register(format, negative, code))
}

fn register(format: &Format, negative: bool, magnitude: u64) -> u64 {
    (u64::from(negative) << format.magnitude_bits() | magnitude) << format.dropped_bits
}

fn parse_bits(format: &Format, text: &str, digits: &str) -> Result<u64, ValueError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(ValueError::Syntax { text: text.into() });
    }
    let value = u64::from_str_radix(digits, 16).ok();
    let fits = |value: &u64| format.width() == 64 || value >> format.width() == 0;
    value.filter(fits).ok_or_else(|| ValueError::TooWide {
        text: text.into(),
        format: format.name(),
        digits: format.digits(),
    })
}

/// `1.8p-3`, what follows `0x`.
fn parse_hex_float(text: &str) -> Option<Rational> {
    let (digits, exponent) = text.split_once('p').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = digits_to_int(whole, fraction, 16)?;
    let exponent = parse_exponent(exponent)? - 4 * fraction.len() as i64;
    Some(scaled(mantissa, 2, exponent))
}

/// `12.5e-3`.
fn parse_decimal(text: &str) -> Option<Rational> {
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

fn scaled(mantissa: BigInt, base: u32, exponent: i64) -> Rational {
    let power = BigInt::from(base).pow(exponent.unsigned_abs() as u32);
    if exponent < 0 {
        Rational::new(mantissa, power)
    } else {
        Rational::from(mantissa * power)
    }
}

/// The register of exactly `value`, negated if `negative`.
fn exact(format: &Format, text: &str, negative: bool, value: &Rational) -> Result<u64, ValueError> {
    if format.is_integer() {
        return integer(format, text, negative, value);
    }
    let (least, greatest) = (rational(format, 0), rational(format, format.max_finite()));
    if *value > greatest {
        return Err(ValueError::OutOfRange {
            text: text.into(),
            format: format.name(),
            greatest: show(format, register(format, negative, format.max_finite())),
        });
    }
    let below = greatest_code_up_to(format, value);
    let is_exact = rational(format, below) == *value;
    let unsigned = format.sign_mask() == 0 || value.is_zero() && !format.has_negative_zero();
    if *value < least || negative && unsigned {
        return Err(ValueError::NoSpecial {
            text: text.into(),
            format: format.name(),
        });
    }
    if is_exact {
        return Ok(register(format, negative, below));
    }
    let (low, high) = if negative {
        (below + 1, below)
    } else {
        (below, below + 1)
    };
    Err(ValueError::Inexact {
        text: text.into(),
        format: format.name(),
        below: show(format, register(format, negative, low)),
        above: show(format, register(format, negative, high)),
    })
}

/// The same for a format of integers.
fn integer(
    format: &Format,
    text: &str,
    negative: bool,
    value: &Rational,
) -> Result<u64, ValueError> {
    if negative && !value.is_zero() && !format.is_signed() {
        return Err(ValueError::NoSpecial {
            text: text.into(),
            format: format.name(),
        });
    }
    let (low, high) = (value.floor().to_integer(), value.ceil().to_integer());
    let register = |magnitude: &BigInt| {
        let value = if negative {
            -magnitude
        } else {
            magnitude.clone()
        };
        Dyadic::new(value, 0).register(format)
    };
    match (register(&low), register(&high)) {
        (Some(below), Some(_)) if low == high => Ok(below),
        (Some(below), Some(above)) => {
            let (below, above) = if negative {
                (above, below)
            } else {
                (below, above)
            };
            Err(ValueError::Inexact {
                text: text.into(),
                format: format.name(),
                below: show(format, below),
                above: show(format, above),
            })
        }
        _ => Err(ValueError::OutOfRange {
            text: text.into(),
            format: format.name(),
            greatest: match negative {
                true => show(format, format.sign_mask()),
                false => show(format, format.greatest()),
            },
        }),
    }
}

/// Exponent field and fraction of the greatest number up to `value`, by bisection: codes are in the order
/// of their numbers.
fn greatest_code_up_to(format: &Format, value: &Rational) -> u64 {
    let (mut low, mut high) = (0, format.max_finite());
    while low < high {
        let middle = high - (high - low) / 2;
        if rational(format, middle) <= *value {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// The value of a positive number, given its exponent field and fraction.
fn rational(format: &Format, code: u64) -> Rational {
    Dyadic::of(format, register(format, false, code)).map_or_else(Rational::zero, |value| {
        scaled(value.mantissa().clone(), 2, value.exponent())
    })
}
