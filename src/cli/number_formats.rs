//! `formats`: the number formats, with their codes and their limits.

use super::Status;
use super::json::{RegisterValue, write_json};
use super::output::{bits, value_text};
use crate::cli::error::Error;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::{Format, NanCode, OTHER_NAMES, SpecialCodes, decimal, hex_float};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// Show the number formats: fields, precision, exponents, limits, special codes
///
/// Precision counts the leading one. The exponent of a number is that of its leading one; subnormal
/// numbers have that of the least normal one. Epsilon is the step from 1 to the next number. Overflow
/// says what a rounded number beyond the greatest one becomes, where nothing else is asked for.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt formats\n  mmasmt formats e4m3 float8_e4m3fnuz\n  mmasmt formats fp8 --json"
)]
pub(super) struct Args {
    /// Formats, by any of their names; without one, all that are no integers
    #[arg(value_name = "FORMAT")]
    names: Vec<String>,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let mut formats = Vec::new();
    for name in &args.names {
        let known = Format::all_known_as(name);
        if known.is_empty() {
            let names = every_format()
                .map(|format| format.name())
                .collect::<Vec<_>>();
            return Err(Error::Usage(format!(
                "expected a format ({}), or another name of one, found `{}`",
                names.join(", "),
                excerpt(name)
            )));
        }
        formats.extend(known);
    }
    if args.names.is_empty() {
        formats.extend(every_format().filter(|format| !format.is_integer()));
    }
    let all: Vec<FormatRow> = formats.iter().map(FormatRow::of).collect();
    if json {
        write_json(out, &FormatsAnswer { formats: all })?;
    } else if args.names.is_empty() {
        write_table(&formats, out)?;
    } else {
        for (number, row) in all.iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            row.write(&formats[number], out)?;
        }
    }
    Ok(Status::Yes)
}

fn every_format() -> impl Iterator<Item = Format> {
    let all = Format::ALL.into_iter().chain(Format::ELEMENTS);
    all.chain(Format::SCALES).chain(Format::INTEGERS)
}

/// `mmasmt formats`
#[derive(Serialize, JsonSchema)]
pub(super) struct FormatsAnswer {
    formats: Vec<FormatRow>,
}

/// A format of numbers.
#[derive(Serialize, JsonSchema)]
struct FormatRow {
    name: &'static str,
    /// Names that others use, in lower case and without `_` and `-`.
    other_names: Vec<&'static str>,
    /// The bits of a register.
    bits: u32,
    /// What the highest bit is: `sign`, `two's complement`, `not read` or `none`.
    sign: &'static str,
    exponent_bits: u32,
    fraction_bits: u32,
    /// Low bits of a register that are not read.
    dropped_bits: u32,
    /// The bits of a significand, the leading one among them.
    precision: u32,
    bias: Option<i32>,
    /// The exponents of normal numbers; null for integers.
    exponents: Option<[i32; 2]>,
    zero: Option<RegisterValue>,
    negative_zero: bool,
    /// The least positive number.
    least: RegisterValue,
    /// The least positive normal number, if there are others; null for integers.
    least_normal: Option<RegisterValue>,
    greatest: RegisterValue,
    /// The least number, if it is below zero.
    lowest: Option<RegisterValue>,
    /// The exponent of the step from 1 to the next number.
    epsilon_exponent: Option<i32>,
    infinity: Option<String>,
    /// How many codes are NaNs; bits that are not read are not counted.
    nans: u64,
    /// The code of one NaN.
    nan: Option<String>,
    /// The result where a rounded number is beyond the greatest one: `infinity`, `nan` or `greatest`; null for
    /// integers, where units wrap or saturate.
    overflow: Option<&'static str>,
}

impl FormatRow {
    fn of(format: &Format) -> FormatRow {
        let value = |register: u64| RegisterValue::new(format, register);
        let is_float = !format.is_integer();
        let exponents = [format.min_exponent(), format.max_exponent()];
        let others = OTHER_NAMES.iter().filter(|(_, other)| other == format);
        FormatRow {
            name: format.name(),
            other_names: others.map(|(name, _)| *name).collect(),
            bits: format.width(),
            sign: sign(format),
            exponent_bits: format.exponent_bits,
            fraction_bits: format.fraction_bits,
            dropped_bits: format.dropped_bits,
            precision: precision(format),
            bias: is_float.then(|| format.bias()),
            exponents: is_float.then_some(exponents),
            zero: format.has_zero().then(|| value(0)),
            negative_zero: is_float && format.has_negative_zero(),
            least: value(least(format)),
            least_normal: least_normal(format).map(value),
            greatest: value(format.greatest()),
            lowest: lowest(format).map(value),
            epsilon_exponent: is_float.then(|| -(format.fraction_bits as i32)),
            infinity: format
                .has_infinity()
                .then(|| bits(format, format.infinity())),
            nans: nans(format),
            nan: format
                .has_nan()
                .then(|| bits(format, format.nan(NanCode::Quiet))),
            overflow: overflow(format),
        }
    }

    fn write(&self, format: &Format, out: &mut dyn Write) -> Result<(), Error> {
        let others = match &self.other_names[..] {
            [] => String::new(),
            names => format!(", also {}", names.join(", ")),
        };
        writeln!(out, "{}{others}", self.name)?;
        let mut line = |name: &str, text: String| writeln!(out, "  {name:<16} {text}");
        line("bits", fields(format))?;
        line(
            "codes",
            (1u128
                << (format.magnitude_bits()
                    + u32::from(format.sign_mask() != 0 && !format.is_complement())))
            .to_string(),
        )?;
        line("precision", self.precision.to_string())?;
        if let (Some([low, high]), Some(bias)) = (self.exponents, self.bias) {
            line("exponents", format!("{low} to {high}, bias {bias}"))?;
        }
        if format.has_zero() && !format.is_integer() {
            let one = if self.negative_zero {
                "+0 and -0"
            } else {
                "+0 alone"
            };
            line("zero", one.into())?;
        }
        let shown = |register| value_text(format, register);
        line("least", shown(least(format)))?;
        if let Some(register) = least_normal(format) {
            line("least normal", shown(register))?;
        }
        line("greatest", shown(format.greatest()))?;
        if let Some(register) = lowest(format) {
            line("lowest", shown(register))?;
        }
        if let Some(exponent) = self.epsilon_exponent {
            line("epsilon", power(exponent))?;
        }
        if let Some(code) = &self.infinity {
            line("infinity", format!("0x{code}, and with the sign bit"))?;
        }
        let codes = if self.nans == 1 { "code" } else { "codes" };
        line(
            "NaN",
            match &self.nan {
                Some(code) => format!("{} {codes}, such as 0x{code}", self.nans),
                None => "none".into(),
            },
        )?;
        if let Some(beyond) = self.overflow {
            line("overflow", format!("to {}", described(beyond)))?;
        }
        Ok(())
    }
}

fn write_table(formats: &[Format], out: &mut dyn Write) -> Result<(), Error> {
    let heads = [
        "format", "bits", "S.E.F", "p", "emin", "emax", "least", "greatest", "epsilon", "inf",
        "NaNs", "-0", "overflow",
    ];
    let mut rows = vec![heads.map(String::from)];
    for format in formats {
        let sign = u32::from(format.sign_mask() != 0);
        let yes = |is: bool| if is { "yes" } else { "-" }.to_owned();
        rows.push([
            format.name().into(),
            format.width().to_string(),
            format!("{sign}.{}.{}", format.exponent_bits, format.fraction_bits),
            precision(format).to_string(),
            format.min_exponent().to_string(),
            format.max_exponent().to_string(),
            hex_float(format, least(format)),
            decimal(format, format.greatest()),
            power(-(format.fraction_bits as i32)),
            yes(format.has_infinity()),
            nans(format).to_string(),
            yes(format.has_negative_zero()),
            overflow(format).unwrap_or("-").into(),
        ]);
    }
    let widths: Vec<usize> = (0..heads.len())
        .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0))
        .collect();
    for row in &rows {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(
        out,
        "\n`mmasmt formats NAME` shows the codes of one. A code is hexadecimal, as in vector files."
    )?;
    Ok(())
}

/// The bits of a significand: of an integer, those of its magnitude.
fn precision(format: &Format) -> u32 {
    match format.is_integer() {
        true => format.fraction_bits,
        false => format.precision(),
    }
}

fn sign(format: &Format) -> &'static str {
    use mmasmt_numbers::float::SignBit::{Absent, Ignored, Signed, TwosComplement};
    match format.sign {
        Signed => "sign",
        TwosComplement => "two's complement",
        Ignored => "not read",
        Absent => "none",
    }
}

/// The fields of a register, in words.
fn fields(format: &Format) -> String {
    let mut parts = Vec::new();
    match sign(format) {
        "sign" => parts.push("1 sign".to_owned()),
        "not read" => parts.push("1 that is not read".to_owned()),
        "two's complement" => parts.push("two's complement".to_owned()),
        _ => {}
    }
    if format.has_fields() {
        parts.push(format!("{} exponent", format.exponent_bits));
        parts.push(format!("{} fraction", format.fraction_bits));
    }
    if format.dropped_bits > 0 {
        parts.push(format!(
            "{} low ones that are not read",
            format.dropped_bits
        ));
    }
    match parts.is_empty() {
        true => format.width().to_string(),
        false => format!("{}: {}", format.width(), parts.join(", ")),
    }
}

/// The register of the least positive number.
fn least(format: &Format) -> u64 {
    format.register_of(u64::from(format.has_zero()))
}

/// The register of the least normal number, if it is not the least number.
fn least_normal(format: &Format) -> Option<u64> {
    let has_others = !format.is_integer() && format.has_subnormals() && format.fraction_bits > 0;
    has_others.then(|| format.register_of(format.code(1, 0)))
}

/// The register of the number of the greatest magnitude below zero.
fn lowest(format: &Format) -> Option<u64> {
    format
        .is_signed()
        .then(|| format.signed(true, format.max_finite_of(true)))
}

/// How many codes are NaNs.
fn nans(format: &Format) -> u64 {
    let signs = 1 + u64::from(format.sign_mask() != 0);
    match format.specials {
        SpecialCodes::Ieee => signs * format.max_fraction(),
        SpecialCodes::NanOnly => signs,
        SpecialCodes::NegativeZero => 1,
        SpecialCodes::None => 0,
    }
}

/// The result of rounding a number beyond the greatest one.
fn overflow(format: &Format) -> Option<&'static str> {
    if format.is_integer() {
        return None;
    }
    Some(match format.specials {
        SpecialCodes::Ieee => "infinity",
        SpecialCodes::NanOnly | SpecialCodes::NegativeZero => "nan",
        SpecialCodes::None => "greatest",
    })
}

fn described(overflow: &str) -> &str {
    match overflow {
        "nan" => "the NaN",
        "greatest" => "the greatest number",
        other => other,
    }
}

fn power(exponent: i32) -> String {
    match exponent {
        0 => "1".into(),
        exponent => format!("2^{exponent}"),
    }
}
