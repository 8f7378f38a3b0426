//! Output common to several commands.

use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::descriptions::FLAG_NAMES;
use mmasmt_core::machines::algorithms::{Inputs, Operand, OperandRow, Signature};
use mmasmt_numbers::base::whole_file::WholeFile;
use mmasmt_numbers::float::{Format, decimal, hex_float};
use mmasmt_questions::inputs::Interface;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The register in hexadecimal, as in vector files.
pub(super) fn bits(format: &Format, register: u64) -> String {
    format!("{register:0digits$x}", digits = format.digits())
}

/// A result in bits; `nan` stands for any NaN.
pub(super) fn answer_text(signature: &Signature, answer: u64) -> String {
    if answer == u64::MAX && signature.d.width() < 64 {
        return "nan".into();
    }
    bits(&signature.d, answer)
}

/// A register as text: bits, C99 hexadecimal float and decimal; for an integer, bits and decimal.
pub(super) fn value_text(format: &Format, register: u64) -> String {
    let bits = format!("0x{}", bits(format, register));
    if *format == Format::FLAGS {
        let raised = FLAG_NAMES.iter().enumerate();
        let raised = raised.filter(|(bit, _)| register >> bit & 1 == 1);
        let names: Vec<&str> = raised.map(|(_, name)| *name).rev().collect();
        let none = if names.is_empty() { "no flag" } else { "" };
        return format!("{bits:<10}  {}{none}", names.join(" "));
    }
    if format.is_integer() {
        return format!("{bits:<10}  {}", decimal(format, register));
    }
    format!(
        "{bits:<10}  {:<16}  {}",
        hex_float(format, register),
        decimal(format, register)
    )
}

/// Writes the operands of `models`, which have one signature, by name. Products +0 * +0 are left
/// out, and so is `c` of units that read none; equal products are written once.
pub(super) fn write_inputs(
    out: &mut dyn Write,
    interface: &Interface,
    inputs: &Inputs,
) -> Result<(), Error> {
    let signature = &interface.signature;
    if signature.is_conversion() {
        return write_numbers(out, signature, inputs);
    }
    let digits = inputs.a.len().saturating_sub(1).to_string().len();
    let products = || inputs.a.iter().zip(&inputs.b);
    let mut left_out = 0;
    for (k, (a, b)) in products().enumerate() {
        if (*a, *b) == (0, 0) {
            left_out += 1;
            continue;
        }
        if products().position(|other| other == (a, b)) != Some(k) {
            continue;
        }
        let again = (k + 1..).zip(products().skip(k + 1));
        let again: Vec<usize> = again
            .filter(|(_, other)| *other == (a, b))
            .map(|(at, _)| at)
            .collect();
        writeln!(out, "  a[{k:>digits$}]  {}", value_text(&signature.a, *a))?;
        writeln!(out, "  b[{k:>digits$}]  {}", value_text(&signature.b, *b))?;
        if !again.is_empty() {
            let plural = if again.len() == 1 { "" } else { "s" };
            writeln!(out, "  product{plural} {} the same", ranges(&again))?;
        }
    }
    if inputs.c != 0 || interface.reads_c {
        let text = value_text(&signature.c, inputs.c);
        writeln!(out, "  c{:digits$}    {text}", "")?;
    }
    for row in signature.further_rows() {
        for (index, &register) in inputs.row(row.operand).iter().enumerate() {
            let label = format!("{}[{index}]", row.operand.name());
            let width = digits + 3;
            let text = value_text(&row.format, register);
            writeln!(out, "  {label:width$}  {text}")?;
        }
    }
    if left_out > 0 {
        let others = counted(left_out, "product is", "products are");
        writeln!(out, "  the other {others} +0 * +0")?;
    }
    Ok(())
}

/// Writes the operands of a conversion: zeros of a block are left out.
fn write_numbers(out: &mut dyn Write, signature: &Signature, inputs: &Inputs) -> Result<(), Error> {
    let mut lines = Vec::new();
    let mut left_out = 0;
    for row in signature.rows() {
        let name = row.operand.name();
        for (index, &register) in inputs.row(row.operand).iter().enumerate() {
            if row.length > 1 && register == row.plain {
                left_out += 1;
                continue;
            }
            let label = match row.length {
                1 => name.to_owned(),
                _ => format!("{name}[{index}]"),
            };
            lines.push((label, value_text(&row.format, register)));
        }
    }
    let width = widest(lines.iter().map(|(label, _)| label));
    for (label, text) in lines {
        writeln!(out, "  {label:width$}  {text}")?;
    }
    if left_out > 0 {
        let others = counted(left_out, "number is", "numbers are");
        writeln!(out, "  the other {others} +0")?;
    }
    Ok(())
}

/// Ascending numbers as text, such as `1, 3 to 7`, both ends of a range included.
fn ranges(numbers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let texts = runs.iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// A count and its noun: `1 input`, `2 inputs`.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The text as one word of a command line of a shell: in quotes where it has to be.
pub(super) fn shell_word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/_.:=,@%+-".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// The width of a column that holds these texts.
pub(super) fn widest<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> usize {
    let widths = texts.into_iter().map(|text| text.as_ref().chars().count());
    widths.max().unwrap_or(0)
}

/// The program and its version.
pub(super) const PROGRAM: &str = concat!("mmasmt ", env!("CARGO_PKG_VERSION"));

/// Writes `text` to the file at `path`. If this fails, no part of `text` is left in the file.
pub(super) fn write_text_file(path: &Path, text: &str) -> Result<(), Error> {
    write_whole(path, |out| out.write_all(text.as_bytes())).map_err(Error::file(path))
}

/// The path, unless it is -, which is standard output.
pub(super) fn named(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| *path != Path::new("-"))
}

/// The first lines of a vector file with inputs for a machine, which has no results yet.
pub(super) fn head_of_inputs(title: &str, signature: &Signature) -> String {
    head_of_lines(title, signature, "run each line and write d at its end")
}

/// The same, with what is to be done with a line.
pub(super) fn head_of_lines(title: &str, signature: &Signature, lines: &str) -> String {
    let row = |row: OperandRow| match (row.length, row.operand.name()) {
        (1, name) if row.operand == Operand::C || signature.is_conversion() => name.to_owned(),
        (_, name) => format!("{name}0,{name}1,..."),
    };
    let rows: Vec<String> = signature.rows_in_line().map(row).collect();
    let rows = rows.join(" ");
    format!("# {PROGRAM} {title}\n# {signature}\n# {rows}: {lines}\n")
}

/// Inputs as a line of a vector file, with the end of the line.
pub(super) fn line(inputs: &Inputs, signature: &Signature) -> String {
    inputs.to_line(signature) + "\n"
}

/// Replaces the file at `path` by what `write` writes.
///
/// # Errors
/// If the file cannot be written; the previous file is then unchanged.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<WholeFile>) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(WholeFile::create(path)?);
    write(&mut out)?;
    out.into_inner()?.finish()
}
