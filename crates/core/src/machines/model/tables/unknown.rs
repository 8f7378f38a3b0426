//! Instructions for which the tables have only the name and the formats: nobody has recorded or
//! published their arithmetic.

use super::evidence::check_evidence;
use crate::machines::model::error::ModelError;
use crate::machines::model::name::{expanded, matches, table_spelling};
use serde::Deserialize;

/// An instruction whose arithmetic is not known.
#[derive(Clone, Debug)]
pub struct UnknownArithmetic {
    /// The name of the architecture.
    pub architecture: String,
    /// The PTX name, or the name in AMD's instruction set.
    pub name: String,
    /// Formats of factors, scales, `c` and `d`, in words.
    pub formats: String,
    /// The evidence that there is such an instruction: `documentation: …`.
    pub evidence: Vec<String>,
    /// Remarks.
    pub note: Option<String>,
}

/// An entry of a table for instructions of unknown arithmetic; its names have brace groups.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableUnknown {
    #[serde(alias = "isa")]
    ptx: Vec<String>,
    formats: String,
    evidence: Vec<String>,
    note: Option<String>,
}

impl TableUnknown {
    /// Every instruction that the entry names.
    pub(super) fn instructions(
        &self,
        architecture: &str,
    ) -> Result<Vec<UnknownArithmetic>, String> {
        let names = expanded(&self.ptx)?.into_iter().flatten();
        let instruction = |name| UnknownArithmetic {
            architecture: architecture.into(),
            name,
            formats: self.formats.clone(),
            evidence: self.evidence.clone(),
            note: self.note.clone(),
        };
        let checked = |name: String| {
            check_evidence(&name, &self.evidence)?;
            Ok(instruction(name))
        };
        names.map(checked).collect()
    }
}

impl UnknownArithmetic {
    /// Whether `name` is the instruction's name, in full or in the spelling of the tables.
    pub(super) fn is_named(&self, name: &str) -> bool {
        matches(&self.name, name) || matches(&self.name, &table_spelling(name))
    }

    /// The error that there is no model of the instruction.
    pub(super) fn error(&self) -> ModelError {
        ModelError::ArithmeticNotKnown {
            instruction: format!("{}/{}", self.architecture, self.name),
            formats: self.formats.clone(),
        }
    }
}
