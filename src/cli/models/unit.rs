//! The description of a model: what its unit computes, as `unit:FILE` takes it.

use crate::cli::error::Error;
use crate::cli::json::write_json;
use crate::cli::specification_text::specification;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::circuits::export::unit_text;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// `mmasmt models show --unit`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct UnitAnswer<'x> {
    name: &'x str,
    /// The description.
    unit: String,
}

pub(super) fn show_unit(name: &str, json: bool, out: &mut dyn Write) -> Result<(), Error> {
    let text = specification(name)?;
    let unit = unit_text(&Model::parse(&text)?)?;
    if json {
        return write_json(out, &UnitAnswer { name: &text, unit });
    }
    write!(out, "{unit}")?;
    Ok(())
}
