//! Parses values: hexadecimal bits, C99 hexadecimal floats and decimals. The text must be exactly a
//! value of the format, unless a `~` asks for the nearest value.

use super::number_text::{Rational, parse_decimal, parse_hex_float, scaled};
use super::{Dyadic, Format, NanCode, show};
use crate::base::excerpt::excerpt;
use num_bigint::BigInt;
use num_traits::Zero;
use thiserror::Error;

/// Why a text is not a value of a format.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
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
        /// The number of hexadecimal digits of a register of the format.
        digits: usize,
    },
    /// The number lies between two values of the format.
    #[error(
        "`{}` is not a value of {format}: the nearest are {below} and {above}; `~{}` takes the nearest one",
        excerpt(.text),
        excerpt(.text)
    )]
    Inexact {
        /// The text.
        text: String,
        /// The format.
        format: &'static str,
        /// The next value of the format below the number.
        below: String,
        /// The next value of the format above the number.
        above: String,
    },
    /// The number exceeds the greatest value.
    #[error("`{}` is beyond the range of {format}: the greatest value is {greatest}", excerpt(.text))]
    OutOfRange {
        /// The text.
        text: String,
        /// The format.
        format: &'static str,
        /// The greatest value of the format, with the sign of the number.
        greatest: String,
    },
    /// The text is an infinity, a NaN, a negative number or a very small one, and the format has no
    /// such value.
    #[error("`{}`: {format} has no such value", excerpt(.text))]
    NoSpecial {
        /// The text.
        text: String,
        /// The format.
        format: &'static str,
    },
}

/// The register of `format` for `text`: bits (`0x3c00`), a C99 hexadecimal float (`0x1.8p-3`), a
/// decimal, `inf`, `-inf` or `nan`. A `~` before a number, or after its sign as
/// [`decimal`](super::decimal) prints it, asks for the nearest number of the format; of two numbers
/// that are equally near, the one with an even fraction is taken.
///
/// # Errors
/// If the text is not a number, or if it has no `~` and is not exactly a value of the format.
pub fn parse_value(format: &Format, text: &str) -> Result<u64, ValueError> {
    let syntax = || ValueError::Syntax { text: text.into() };
    let (about, signed) = match text.strip_prefix('~') {
        Some(signed) => (true, signed),
        None => (false, text),
    };
    let (negative, magnitude) = match signed.as_bytes().first() {
        Some(b'-') => (true, &signed[1..]),
        Some(b'+') => (false, &signed[1..]),
        _ => (false, signed),
    };
    let (about, magnitude) = match magnitude.strip_prefix('~') {
        Some(magnitude) if !about => (true, magnitude),
        _ => (about, magnitude),
    };
    let number = |value: Option<Rational>| {
        let value = value.ok_or_else(syntax)?;
        if about {
            nearest(format, text, negative, &value)
        } else {
            exact(format, text, negative, &value)
        }
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
        return number(parse_hex_float(digits));
    }
    number(parse_decimal(&lower))
}

/// If the format lacks the number `text`, a sentence that says which value is taken instead. `None`
/// if the format has the number, or has no value near it. A `~` (nearest value) in `text` is
/// ignored.
pub fn taken_for(format: &Format, text: &str) -> Option<String> {
    let number = text.replacen('~', "", 1);
    let number = number.trim();
    match parse_value(format, number) {
        Err(ValueError::Inexact { .. } | ValueError::OutOfRange { .. }) => {
            let register = parse_value(format, &format!("~{number}")).ok()?;
            let taken = show(format, register);
            let number = excerpt(number);
            Some(format!(
                "{taken} is taken for {number}, which {format} does not have"
            ))
        }
        _ => None,
    }
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
    if format.is_complement() {
        return format.signed(negative, magnitude);
    }
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

/// The register of exactly `value`, negated if `negative`.
fn exact(format: &Format, text: &str, negative: bool, value: &Rational) -> Result<u64, ValueError> {
    if format.is_integer() {
        return integer(format, text, negative, value);
    }
    let most = format.max_finite_of(negative);
    let (least, greatest) = (rational(format, 0), rational(format, most));
    if *value > greatest {
        return Err(ValueError::OutOfRange {
            text: text.into(),
            format: format.name(),
            greatest: show(format, register(format, negative, most)),
        });
    }
    let below = greatest_code_up_to(format, most, value);
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

/// The register nearest to `value`, negated if `negative`. Of two registers that are equally near,
/// the one whose last bit is 0 is taken.
fn nearest(
    format: &Format,
    text: &str,
    negative: bool,
    value: &Rational,
) -> Result<u64, ValueError> {
    let found = exact(format, text, negative, value);
    match &found {
        // The value lies between two numbers.
        Err(ValueError::Inexact { .. }) if format.is_integer() => {
            let below = value.floor().to_integer();
            let is_even = !below.bit(0);
            let low = Rational::from(below.clone());
            let high = Rational::from(below + 1);
            let nearest = closer(value, &low, &high, is_even).clone();
            exact(format, text, negative, &nearest)
        }
        Err(ValueError::Inexact { .. }) => {
            let most = format.max_finite_of(negative);
            let below = greatest_code_up_to(format, most, value);
            let [low, high] = [below, below + 1].map(|code| rational(format, code));
            let code = if closer(value, &low, &high, below & 1 == 0) == &low {
                below
            } else {
                below + 1
            };
            Ok(register(format, negative, code))
        }
        // The value exceeds the greatest number by less than half the distance from the greatest
        // number to the next smaller number.
        Err(ValueError::OutOfRange { .. }) if !format.is_integer() => {
            let most = format.max_finite_of(negative);
            let [less, greatest] = [most - 1, most].map(|code| rational(format, code));
            let beyond = &greatest + (&greatest - less) / Rational::from(BigInt::from(2));
            if *value < beyond {
                exact(format, text, negative, &greatest)
            } else {
                found
            }
        }
        _ => found,
    }
}

/// Whichever of `low` and `high` is closer to `value`; if both are equally close, `low` if
/// `is_even`, else `high`.
fn closer<'x>(
    value: &Rational,
    low: &'x Rational,
    high: &'x Rational,
    is_even: bool,
) -> &'x Rational {
    let [below, above] = [value - low, high - value];
    if below < above || below == above && is_even {
        low
    } else {
        high
    }
}

/// Does the work of [`exact`] for a format of integers.
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
            greatest: if negative {
                show(format, format.sign_mask())
            } else {
                show(format, format.greatest())
            },
        }),
    }
}

/// Exponent field and fraction of the greatest number that is at most `value`. They are found by
/// bisection, as greater codes (exponent field and fraction) mean greater numbers.
fn greatest_code_up_to(format: &Format, most: u64, value: &Rational) -> u64 {
    let (mut low, mut high) = (0, most);
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

/// The value of the positive number with this exponent field and fraction.
fn rational(format: &Format, code: u64) -> Rational {
    // The greatest magnitude in two's complement is that of a negative number alone.
    let value = Dyadic::of(format, register(format, false, code));
    let value = value.map(|value| match value.is_negative() {
        true => value.negated(),
        false => value,
    });
    value.map_or_else(Rational::zero, |value| {
        scaled(value.mantissa().clone(), 2, value.exponent())
    })
}
