//! Instructions whose arithmetic is unknown, among the rows that `models` lists and shows.

use super::shown::ShowAnswer;
use crate::cli::error::Error;
use crate::cli::json::write_json;
use crate::cli::output::widest;
use mmasmt_core::machines::model::UnknownArithmetic;
use std::io::Write;

/// The text that stands in the place of a model if the arithmetic is not known.
const NOT_KNOWN: &str = "arithmetic not known";

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
        let object = ShowAnswer::of_unknown(name, unknown);
        return write_json(out, &object);
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
