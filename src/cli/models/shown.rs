//! The answer of `models show` as JSON.

use super::listed::{ModelRow, UnknownRow};
use super::open::{OpenQuestion, open_questions};
use crate::cli::error::Error;
use crate::cli::json::ModelText;
use mmasmt_core::machines::model::{Model, Row, UnknownArithmetic};
use schemars::JsonSchema;
use serde::Serialize;

/// `mmasmt models show`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct ShowAnswer<'x> {
    name: &'x str,
    model: Option<ModelText>,
    /// The number of products, and the formats.
    shape: String,
    /// The bits of the widest word of the simulator.
    program_word_bits: Option<u32>,
    program_word: Option<&'x str>,
    row: Option<AnyRow<'x>>,
    /// The open questions of the row.
    open: Vec<OpenQuestion>,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum AnyRow<'x> {
    Known(ModelRow<'x>),
    Unknown(UnknownRow<'x>),
}

impl<'x> ShowAnswer<'x> {
    /// A model, and its row if it has one.
    ///
    /// # Errors
    /// If the model of the row is wrong.
    pub(super) fn of_model(
        name: &'x str,
        model: &Model,
        shape: String,
        row: Option<&'x Row>,
    ) -> Result<Self, Error> {
        let open = row.map(open_questions).unwrap_or_default();
        let row = row.map(ModelRow::of).transpose()?;
        Ok(ShowAnswer {
            name,
            model: Some(ModelText::of(model)),
            shape,
            program_word_bits: Some(model.widest()),
            program_word: Some(model.simulator().instance()),
            row: row.map(AnyRow::Known),
            open,
        })
    }

    /// An instruction whose arithmetic is not known.
    pub(super) fn of_unknown(name: &'x str, unknown: &'x UnknownArithmetic) -> Self {
        ShowAnswer {
            name,
            model: None,
            shape: unknown.formats.clone(),
            program_word_bits: None,
            program_word: None,
            row: Some(AnyRow::Unknown(UnknownRow::of(unknown))),
            open: Vec::new(),
        }
    }
}
