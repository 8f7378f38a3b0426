//! Instructions whose arithmetic is unknown, among the rows that `models` lists and shows.

use crate::cli::error::Error;
use crate::cli::json::write_json;
use crate::cli::output::widest;
use mmasmt_core::machines::model::UnknownArithmetic;
use serde_json::{Value, json};
use std::io::Write;

/// The text that stands in the place of a model if the arithmetic is not known.
const NOT_KNOWN: &str = "arithmetic not known";

pub(super) fn unknown_json(unknown: &UnknownArithmetic) -> Value {
    json!({
        "architecture": unknown.architecture,
        "instruction": unknown.name,
        "formats": unknown.formats,
        "evidence": unknown.evidence,
        "note": unknown.note,
    })
}

/// Writes a line for each of the instructions.
pub(super) fn list_unknown(
    unknown: &[&UnknownArithmetic],
    out: &mut dyn Write,
) -> Result<(), Error> {
    let width = widest(unknown.iter().map(|unknown| &unknown.name));
    for one in unknown {
        writeln!(out, "  {:width$}  {NOT_KNOWN}: {}", one.name, one.formats)?;
    }
    Ok(())
}

/// Writes all that is known of an instruction of unknown arithmetic.
pub(super) fn show_unknown(
    name: &str,
    unknown: &UnknownArithmetic,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if json {
        return write_json(
            out,
            &json!({
                "name": name,
                "model": null,
                "shape": unknown.formats,
                "program_word_bits": null,
                "program_word": null,
                "row": unknown_json(unknown),
            }),
        );
    }
    writeln!(out, "{name}")?;
    writeln!(out, "  model     {NOT_KNOWN}")?;
    writeln!(out, "  formats   {}", unknown.formats)?;
    writeln!(out, "  row       {}/{}", unknown.architecture, unknown.name)?;
    for evidence in &unknown.evidence {
        writeln!(out, "  evidence  {evidence}")?;
    }
    if let Some(note) = &unknown.note {
        writeln!(out, "  note      {note}")?;
    }
    Ok(())
}
