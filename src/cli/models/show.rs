//! All that is known of one row or specification.

use super::arguments::documented;
use super::open::{OpenQuestion, open_questions};
use super::shown::ShowAnswer;
use super::unknown::show_unknown;
use crate::cli::error::Error;
use crate::cli::json::write_json;
use crate::cli::specification_text::specification;
use mmasmt_core::machines::model::{
    Model, Row, find_architecture, find_row, find_unknown, split_name,
};
use std::io::Write;

pub(super) fn show(name: &str, json: bool, out: &mut dyn Write) -> Result<(), Error> {
    let text = specification(name)?;
    let name = &*text;
    if let Some((architecture, instruction)) = instruction_of(name)
        && let Some(unknown) = find_unknown(find_architecture(architecture)?, instruction)
    {
        return show_unknown(name, unknown, json, out);
    }
    let model = Model::parse(name)?;
    let row = row_of(name)?;
    let signature = model.signature();
    // A description that declares no `c` has none.
    let is_described = model.algorithm().text().is_some();
    let c = match is_described && !model.reads_c() {
        true => "no c".to_owned(),
        false => format!("c {}", signature.c),
    };
    let shape = match signature.is_conversion() {
        true => signature.to_string(),
        false => format!(
            "{} products {} x {}, {c}, d {}",
            signature.products, signature.a, signature.b, signature.d
        ),
    };
    if json {
        let object = ShowAnswer::of_model(name, &model, shape, row)?;
        return write_json(out, &object);
    }
    writeln!(out, "{name}")?;
    writeln!(out, "  model     {}", model.canonical())?;
    writeln!(out, "  shape     {shape}")?;
    let Some(row) = row else {
        return write_keys(name, out);
    };
    writeln!(out, "  row       {}/{}", row.architecture, row.name)?;
    for (title, names) in [("sass", &row.sass), ("alias", &row.alias)] {
        if !names.is_empty() {
            writeln!(out, "  {title:<9} {}", names.join(", "))?;
        }
    }
    for evidence in &row.evidence {
        writeln!(out, "  evidence  {evidence}")?;
    }
    if let Some(note) = &row.note {
        writeln!(out, "  note      {note}")?;
    }
    for (variant, changes) in &row.variants {
        let changes = if changes.is_empty() {
            "the same"
        } else {
            changes
        };
        writeln!(out, "  variant   @{variant}: {changes}")?;
    }
    for open in open_questions(row) {
        let OpenQuestion { question, asks, .. } = open;
        writeln!(out, "  open      {question}: {asks}")?;
    }
    Ok(())
}

/// Writes which keys the algorithm or composition of a specification has.
fn write_keys(name: &str, out: &mut dyn Write) -> Result<(), Error> {
    let algorithm = name.split([':', '(']).next().unwrap_or(name);
    let Some(doc) = documented().find(|doc| doc.name == algorithm) else {
        return Ok(());
    };
    let keys: Vec<&str> = doc.keys.iter().map(|key| key.name).collect();
    writeln!(
        out,
        "  keys      {}; `mmasmt models {algorithm}` has the values of each",
        keys.join(", ")
    )?;
    Ok(())
}

/// What a description begins with; the path behind it may have any letters.
const UNIT: &str = "unit:";

/// The architecture and the instruction that a specification names; `None` if it names no
/// instruction.
fn instruction_of(name: &str) -> Option<(&str, &str)> {
    let (head, _) = split_name(name);
    let is_row = !head.contains('(') && !head.starts_with(UNIT);
    let (architecture, instruction) = head.split_once('/').filter(|_| is_row)?;
    let instruction = instruction.split('@').next().unwrap_or(instruction);
    Some((architecture, instruction))
}

/// The row that a specification names, if it names one.
fn row_of(name: &str) -> Result<Option<&'static Row>, Error> {
    let Some((architecture, instruction)) = instruction_of(name) else {
        return Ok(None);
    };
    Ok(Some(find_row(
        find_architecture(architecture)?,
        instruction,
    )?))
}
