//! The frame around an answer: the number of the schema first, the version of the program last.

use crate::cli::error::Error;
use crate::cli::output::PROGRAM;
use mmasmt_questions::vectors::write::SCHEMA;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct AnswerFrame<'x, T> {
    schema: u32,
    #[serde(flatten)]
    answer: &'x T,
    version: &'static str,
}

/// Writes one JSON object as the only output, with the number of its schema and the version of the
/// program.
pub(in crate::cli) fn write_json<T: Serialize>(
    out: &mut dyn Write,
    answer: &T,
) -> Result<(), Error> {
    let framed = AnswerFrame {
        schema: SCHEMA,
        answer,
        version: PROGRAM,
    };
    let text = serde_json::to_string_pretty(&framed).map_err(io::Error::from)?;
    writeln!(out, "{text}")?;
    Ok(())
}

/// Writes an object as a line of JSON Lines.
pub(in crate::cli) fn write_json_line<T: Serialize>(
    out: &mut dyn Write,
    line: &T,
) -> Result<(), Error> {
    let text = serde_json::to_string(line).map_err(io::Error::from)?;
    Ok(writeln!(out, "{text}")?)
}
