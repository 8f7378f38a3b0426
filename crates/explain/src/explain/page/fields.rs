//! A register as bit fields: sign, exponent, fraction, unused bits.

use super::bits::{Run, run};
use maud::{Markup, html};
use mmasmt_numbers::float::{Format, SignBit, decimal, hex_float};

/// The markup of a register: its bits by field, its hexadecimal code, and its value.
pub(super) fn fields(format: &Format, register: u64) -> Markup {
    let width = format.width() as usize;
    let bits = format!("{register:0width$b}");
    let (sign, rest) = bits.split_at(usize::from(format.sign != SignBit::Absent));
    let (sign_class, sign_title) = match format.sign {
        SignBit::Ignored => ("ignored", "a bit that is not read"),
        SignBit::TwosComplement => ("sign", "the bit that counts negatively"),
        SignBit::Signed | SignBit::Absent => ("sign", "sign"),
    };
    // In two's complement the sign is one of the bits before the point.
    let before = format.exponent_bits - u32::from(format.is_complement());
    let (exponent, rest) = rest.split_at(before as usize);
    let (fraction, ignored) = rest.split_at(format.fraction_bits as usize);
    let field = |class, title: String, digits| {
        run(&Run {
            class,
            title,
            digits,
        })
    };
    html! {
        code.register {
            (field(sign_class, sign_title.into(), sign))
            (field("exponent", exponent_title(format, register), exponent))
            (field("fraction", "fraction".into(), fraction))
            (field("ignored", "bits that are not read".into(), ignored))
        }
        " " code { "0x" (format!("{register:0digits$x}", digits = format.digits())) }
        " = " span.value { (value(format, register)) }
    }
}

fn exponent_title(format: &Format, register: u64) -> String {
    let field = format.fields(register).exponent;
    match format.number(register) {
        None => format!("exponent field {field}: infinity or NaN"),
        Some(number) => {
            let exponent = number.exponent + i64::from(format.fraction_bits);
            format!("exponent field {field}: 2^{exponent}")
        }
    }
}

/// The value of a register in C99 notation and as a decimal.
pub(super) fn value(format: &Format, register: u64) -> String {
    let (hex, decimal) = (hex_float(format, register), decimal(format, register));
    if hex == decimal {
        decimal
    } else {
        format!("{hex} ({decimal})")
    }
}

/// The significand and exponent that the fields encode: `-1.1000 × 2^-3`.
pub(super) fn significand(format: &Format, register: u64) -> Option<String> {
    let number = format.number(register)?;
    if format.is_integer() || number.mantissa == 0 {
        return None;
    }
    let sign = if number.negative { "\u{2212}" } else { "" };
    let width = format.precision() as usize;
    let digits = format!("{:0width$b}", number.mantissa);
    let (head, tail) = digits.split_at(1);
    let point = if tail.is_empty() { "" } else { "." };
    let exponent = number.exponent + i64::from(format.fraction_bits);
    let subnormal = if head == "0" { ", subnormal" } else { "" };
    Some(format!(
        "{sign}{head}{point}{tail} \u{d7} 2^{exponent}{subnormal}"
    ))
}
