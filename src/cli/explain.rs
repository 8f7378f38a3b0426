//! `explain`: every stage of an evaluation, with its bits aligned to show where each bit is lost.

use super::Status;
use super::eval::note_replaced;
use super::explained::{ExactAnswer, ExplainAnswer};
use super::json::write_json;
use super::operands::TypedOperands;
use super::output::{value_text, widest, write_inputs, write_text_file};
use super::specification::model;
use crate::cli::complete::models;
use crate::cli::error::Error;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::explanation_page;
use mmasmt_explain::explain::{
    Explained, ExplainedRounding, ExplainedSum, ExplainedTerm, Explanation, binary, explain,
};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::{Dyadic, Format};
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::vectors::measure::{ExactSum, Measure};
use mmasmt_questions::vectors::{Results, VectorFile};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Show how a model comes to its result, bit by bit
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt explain fda:F=23 --a 1.5,0x1p-11 --b 1.5,0x1p-12 --c 0x1p-23\n  mmasmt explain fda:F=23 --a 1,0x1p-12 --b 1,0x1p-13 --error\n  mmasmt explain fda:F=24 3f800000 8c00 0800\n  mmasmt explain fda:F=24 --vectors results.txt:17\n  mmasmt explain V100/HMMA.884.F32.F32 --a 1,0x1p-12 --b 1,0x1p-13 --html sum.html"
)]
pub(super) struct Args {
    /// The model
    #[arg(add = ArgValueCompleter::new(models))]
    model: String,
    #[command(flatten)]
    operands: TypedOperands,
    /// Take the operands from line N of a vector file, as `check --show` names it
    #[arg(long, value_name = "FILE:N")]
    vectors: Option<String>,
    /// Show the exact sum as well, and how far the result is from it
    #[arg(long)]
    error: bool,
    /// Write the same as a page for a browser: one file, which needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let model = model(&args.model)?;
    let signature = model.signature();
    let inputs = match &args.vectors {
        Some(_) if !args.operands.is_empty() => {
            return Err(Error::Usage(
                "--vectors cannot be combined with operands".into(),
            ));
        }
        Some(place) => vector_at(place, &model)?,
        None => {
            let inputs = args.operands.inputs(&model)?;
            note_replaced(&args.operands, &model)?;
            inputs
        }
    };
    let is_sum = model.multiplies() || signature.is_conversion() && signature.products == 1;
    if args.error && (!is_sum || signature.d == Format::FLAGS) {
        return Err(Error::Usage(format!(
            "--error: expected a model of a sum or of one number, found {signature}"
        )));
    }
    if let Some(path) = &args.html {
        write_text_file(
            path,
            &explanation_page(&model, &inputs).map_err(QueryError::from)?,
        )?;
    }
    if json {
        let explained = explain(&model, &inputs).map_err(QueryError::from)?;
        let exact = args.error.then(|| {
            let exact = ExactSum::of(&model, &inputs);
            exact.map(|exact| ExactAnswer::new(&signature.d, explained.d, &exact))
        });
        write_json(out, &ExplainAnswer::new(&model, &inputs, &explained, exact))?;
    } else {
        let canonical = model.canonical();
        // The text of a description is long; its file is enough.
        let is_unit = canonical.contains("unit:{");
        let name = if is_unit {
            model.to_string()
        } else {
            canonical
        };
        writeln!(out, "{name}")?;
        write_inputs(out, &(&model).into(), &inputs)?;
        let d = write_stages(out, &model, &inputs)?;
        if args.error {
            write_error(out, &signature.d, d, ExactSum::of(&model, &inputs))?;
        }
    }
    Ok(Status::Yes)
}

/// The operands at `FILE:N`, where N is the number of a line, or of a vector in an archive, from 1.
fn vector_at(place: &str, model: &Model) -> Result<Inputs, Error> {
    let split = place.rsplit_once(':');
    let parsed = split.and_then(|(path, line)| Some((Path::new(path), line.parse().ok()?)));
    let Some((path, line)) = parsed.filter(|(_, line): &(_, usize)| *line > 0) else {
        let found = excerpt(place);
        return Err(Error::Usage(format!(
            "--vectors: expected FILE:N with the number of a line, found `{found}`"
        )));
    };
    let located = |error| Error::vectors(path, error);
    let mut file = VectorFile::open(path, model, Results::None).map_err(located)?;
    while let Some((number, vector)) = file.next_vector().map_err(located)? {
        if number == line {
            return Ok(vector.inputs.clone());
        }
    }
    Err(Error::Usage(format!(
        "--vectors: expected a vector on line {line} of {}, found none",
        path.display()
    )))
}

/// Writes the exact sum, and the error of `d` in every measure.
fn write_error(
    out: &mut dyn Write,
    format: &Format,
    d: u64,
    exact: Option<ExactSum>,
) -> Result<(), Error> {
    let Some(exact) = exact else {
        return Ok(writeln!(out, "no exact sum: an operand is not finite")?);
    };
    writeln!(out, "exact sum  {}", exact.value)?;
    for measure in Measure::ALL {
        let error = match measure.error(format, d, &exact) {
            Some(error) => error.to_string(),
            None => "none: the result is not finite".into(),
        };
        writeln!(
            out,
            "  error {:4} {error:20} {}",
            measure.name(),
            measure.describe()
        )?;
    }
    Ok(())
}

/// Writes the stages of `model` on `inputs`, step by step, and returns the result.
pub(super) fn write_stages(
    out: &mut dyn Write,
    model: &Model,
    inputs: &Inputs,
) -> Result<u64, Error> {
    let Explanation { steps, d, .. } = explain(model, inputs).map_err(QueryError::from)?;
    let signature = model.signature();
    // The number that the next step of a conversion rounds.
    let mut converted = (signature.is_conversion() && signature.products == 1)
        .then(|| Dyadic::of(&signature.a, inputs.a[0]))
        .flatten();
    for (number, step) in (1..).zip(&steps) {
        writeln!(out)?;
        if steps.len() > 1 {
            write!(out, "step {number} of {}: ", steps.len())?;
        }
        match step {
            Explained::Sum(sum) => write_sum(out, sum)?,
            Explained::Rounded {
                what,
                format,
                register,
            } => {
                writeln!(out, "{what}")?;
                let rounding = converted
                    .as_ref()
                    .and_then(|number| ExplainedRounding::of(number, format, *register));
                match rounding {
                    Some(rounding) => write_bits(out, format, *register, &rounding)?,
                    None => writeln!(out, "  result  {}", value_text(format, *register))?,
                }
                converted = converted.and_then(|_| Dyadic::of(format, *register));
            }
        }
    }
    writeln!(out, "\nd  {}", value_text(&model.signature().d, d))?;
    Ok(d)
}

/// The least width of the column of the terms' names.
const SHORTEST_NAME: usize = 10;

fn write_sum(out: &mut dyn Write, view: &ExplainedSum) -> Result<(), Error> {
    let shown: Vec<_> = view
        .terms
        .iter()
        .filter(|term| !term.value.mantissa().is_zero())
        .collect();
    if !view.what.is_empty() {
        write!(out, "{}: ", view.what)?;
    }
    if shown.is_empty() {
        writeln!(out, "{} terms, all of them zero", view.terms.len())?;
        let result = view.result.as_ref();
        return Ok(result.map_or(Ok(()), |(format, result)| {
            writeln!(out, "  result     {}", value_text(format, *result))
        })?);
    }
    writeln!(
        out,
        "{} terms, {} of them zero, aligned to 2^{}, {} fraction bits kept",
        view.terms.len(),
        view.terms.len() - shown.len(),
        view.max_exponent,
        view.fraction_bits,
    )?;
    let lines = Binary {
        integer_bits: view.integer_bits,
        fraction_bits: view.fraction_bits,
    };
    let values = shown.iter().map(|term| term.value.to_string());
    let width = widest(values.chain([view.sum.to_string(), "value".into()]));
    let names = widest(shown.iter().map(|term| &term.name)).max(SHORTEST_NAME);
    writeln!(
        out,
        "  {:<names$} {:>width$} {:>8} {:>5}  {}",
        "term",
        "value",
        "exponent",
        "shift",
        lines.ruler()
    )?;
    for term in shown {
        writeln!(
            out,
            "  {:<names$} {:>width$} {:>8} {:>5}  {}{}",
            term.name,
            term.value.to_string(),
            term.exponent,
            term.shift,
            lines.bits(&term.aligned),
            lost_text(term, view.unit),
        )?;
    }
    writeln!(
        out,
        "  {:<names$} {:>width$} {:>8} {:>5}  {}",
        "sum",
        view.sum.to_string(),
        view.max_exponent,
        "",
        lines.bits(&view.sum_on_grid)
    )?;
    if let Some(sticky) = view.sticky_text() {
        writeln!(out, "  {sticky}")?;
    }
    match &view.result {
        Some((format, result)) => write_rounding(out, format, *result, view),
        None => Ok(()),
    }
}

/// Writes how the sum is normalised and rounded: its exponent, the bits that the result keeps, and
/// those that it loses.
fn write_rounding(
    out: &mut dyn Write,
    format: &Format,
    result: u64,
    view: &ExplainedSum,
) -> Result<(), Error> {
    match view.rounding() {
        Some(rounding) => write_bits(out, format, result, &rounding),
        None => Ok(writeln!(
            out,
            "  result     {}",
            value_text(format, result)
        )?),
    }
}

/// Writes the exponent of a number, the bits that its rounding keeps and those that it loses, and the result.
fn write_bits(
    out: &mut dyn Write,
    format: &Format,
    result: u64,
    rounding: &ExplainedRounding,
) -> Result<(), Error> {
    let value = value_text(format, result);
    let lost = match rounding.cut.as_str() {
        "" => String::new(),
        cut => format!(" | {cut} cut"),
    };
    let subnormal = if rounding.subnormal {
        ", subnormal"
    } else {
        ""
    };
    let (head, tail) = rounding.kept.split_at(1);
    let point = if tail.is_empty() { "" } else { "." };
    let exponent = rounding.exponent;
    writeln!(
        out,
        "  normalised to 2^{exponent}{subnormal}: {head}{point}{tail}{lost}"
    )?;
    let direction = rounding.direction.describe();
    Ok(writeln!(out, "  result     {value}  ({direction})")?)
}

/// How a number on the grid of alignment is written: integer bits, a point, fraction bits.
struct Binary {
    integer_bits: u32,
    fraction_bits: u32,
}

impl Binary {
    /// A header for the columns of bits.
    fn ruler(&self) -> String {
        let kept = format!("{} bits kept", self.fraction_bits);
        let (integer, fraction) = (self.integer_bits as usize + 1, self.fraction_bits as usize);
        format!("{:>integer$}.{kept:<fraction$} | lost", "")
    }

    /// The sign of a number on the grid, and the bits of its magnitude.
    fn bits(&self, on_grid: &BigInt) -> String {
        let sign = if on_grid.is_negative() { '-' } else { '+' };
        let magnitude = on_grid.abs();
        let bit = |index: u32| {
            if magnitude.bit(u64::from(index)) {
                '1'
            } else {
                '0'
            }
        };
        let all = self.integer_bits + self.fraction_bits;
        let integer: String = (self.fraction_bits..all).rev().map(bit).collect();
        let fraction: String = (0..self.fraction_bits).rev().map(bit).collect();
        format!("{sign}{integer}.{fraction}")
    }
}

/// What alignment cut off a term, as text: the bits behind the last one that is kept, or a number
/// if bits cannot show it. Empty if nothing was cut off.
fn lost_text(term: &ExplainedTerm, unit: i64) -> String {
    const MOST: usize = 40;
    let lost = &term.lost;
    if lost.mantissa().is_zero() {
        return String::new();
    }
    if lost.mantissa().is_negative() {
        return format!(" | rounded down by {lost}");
    }
    if term.is_cut_above(unit) {
        return format!(" | cut by {lost}");
    }
    let digits = binary(lost, unit - 1, lost.exponent());
    if digits.len() <= MOST {
        return format!(" | {digits}");
    }
    format!(" | {lost}")
}
