//! Instructions of which the tables have the name and the formats alone: nobody has recorded or
//! published what they compute.

use crate::machines::model::error::ModelError;
use crate::machines::model::name::{expanded, matches, table_spelling};
use serde::Deserialize;

/// An instruction whose arithmetic is not known.
#[derive(Clone, Debug)]
pub struct UnknownArithmetic {
    /// The architecture's name.
    pub architecture: String,
    /// The PTX name, or that of AMD's instruction set.
    pub name: String,
    /// Formats of factors, scales, `c` and `d`, in words.
    pub formats: String,
    /// What says that there is such an instruction: `documentation: …`.
    pub evidence: Vec<String>,
    /// Remarks.
    pub note: Option<String>,
}

/// As a table has it: names with brace groups.
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
    /// Every instruction that it names.
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
        Ok(names.map(instruction).collect())
    }
}

impl UnknownArithmetic {
    /// Whether that is its name, in full or as the tables have it.
    pub(super) fn is_named(&self, name: &str) -> bool {
        matches(&self.name, name) || matches(&self.name, &table_spelling(name))
    }

    /// That there is no model of it.
    pub(super) fn error(&self) -> ModelError {
        ModelError::ArithmeticNotKnown {
            instruction: format!("{}/{}", self.architecture, self.name),
            formats: self.formats.clone(),
        }
    }
}
