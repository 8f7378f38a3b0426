//! Rows of the tables as JSON.

use crate::cli::error::Error;
use crate::cli::json::ModelText;
use mmasmt_core::machines::model::{Model, Row, Translation, UnknownArithmetic};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// `mmasmt models`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct ModelsAnswer<'x> {
    pub(super) rows: Vec<ModelRow<'x>>,
    pub(super) unknown: Vec<UnknownRow<'x>>,
}

/// A row of the tables.
#[derive(Serialize, JsonSchema)]
pub(super) struct ModelRow<'x> {
    architecture: &'x str,
    instruction: &'x str,
    sass: &'x [String],
    alias: &'x [String],
    /// `native`, or how the compiler makes other instructions of it.
    compiled: &'x str,
    model: ModelText,
    evidence: &'x [String],
    note: Option<&'x str>,
    /// The keys that differ, by variant.
    variants: &'x BTreeMap<String, String>,
}

impl<'x> ModelRow<'x> {
    /// All that is known of a row.
    ///
    /// # Errors
    /// If its model is wrong, which only a table of one's own may have.
    pub(super) fn of(row: &'x Row) -> Result<Self, Error> {
        Ok(ModelRow {
            architecture: &row.architecture,
            instruction: &row.name,
            sass: &row.sass,
            alias: &row.alias,
            compiled: row.compiled.map_or("native", Translation::describe),
            model: ModelText::of(&Model::parse(&row.model)?),
            evidence: &row.evidence,
            note: row.note.as_deref(),
            variants: &row.variants,
        })
    }
}

/// An instruction whose arithmetic is not known.
#[derive(Serialize, JsonSchema)]
pub(super) struct UnknownRow<'x> {
    architecture: &'x str,
    instruction: &'x str,
    formats: &'x str,
    evidence: &'x [String],
    note: Option<&'x str>,
}

impl<'x> UnknownRow<'x> {
    /// All that is known of an instruction.
    pub(super) fn of(unknown: &'x UnknownArithmetic) -> Self {
        UnknownRow {
            architecture: &unknown.architecture,
            instruction: &unknown.name,
            formats: &unknown.formats,
            evidence: &unknown.evidence,
            note: unknown.note.as_deref(),
        }
    }
}
