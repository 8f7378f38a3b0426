//! Rows of the tables: an instruction with its names, its model and its evidence.

use super::unknown::UnknownArithmetic;
use crate::machines::algorithms::Sparsity;
use crate::machines::model::conversion::is_conversion;
use crate::machines::model::error::ModelError;
use crate::machines::model::keys::algorithms;
use crate::machines::model::spec::{Spec, UNIT};
use serde::Deserialize;
use std::collections::BTreeMap;

/// One architecture, or one library, with its rows in the order of its table.
#[derive(Clone, Debug)]
pub struct Architecture {
    /// The name in specifications: `ada`.
    pub name: String,
    /// The name in prose: `Ada Lovelace`.
    pub title: String,
    /// Products that have the architecture.
    pub gpus: Vec<String>,
    /// The instructions of the architecture.
    pub rows: Vec<Row>,
    /// Instructions whose arithmetic is not known.
    pub unknown: Vec<UnknownArithmetic>,
}

/// One instruction on one architecture, or a composition that a library builds from one.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name of the architecture.
    pub architecture: String,
    /// The PTX name with unit and qualifiers, `mma.m16n8k16.f32.f16.f16.f32`; for AMD, the name of
    /// the instruction.
    pub name: String,
    /// Names of the machine instruction.
    pub sass: Vec<String>,
    /// Other spellings of the name.
    pub alias: Vec<String>,
    /// The specification that follows the best evidence.
    pub model: String,
    /// The evidence for the row: `recorded: …`, `reported: …`, `machine code: …`,
    /// `vendor: …`, `documentation: …`, `emulator: …`, `mma-sim: …`, `program: …`, `paper: …`.
    pub evidence: Vec<String>,
    /// How the compiler translates the instruction, unless it becomes one machine instruction.
    pub compiled: Option<Translation>,
    /// The compression of A, if there is one; the model then has only the products of the elements
    /// that A keeps.
    pub sparsity: Option<Sparsity>,
    /// Remarks.
    pub note: Option<String>,
    /// The variants, which are other readings of the evidence: the name of each variant, and the
    /// keys that it changes or a whole specification.
    pub variants: BTreeMap<String, String>,
}

/// How the compiler translates a PTX instruction that does not become one machine instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Translation {
    /// Other instructions, or a call of a function, compute the result.
    Emulated,
    /// Several machine instructions of the same kind.
    Split,
    /// No translation: the assembler does not know the instruction.
    Absent,
}

impl Translation {
    /// The translation in words.
    pub fn describe(self) -> &'static str {
        match self {
            Translation::Emulated => "emulated",
            Translation::Split => "split",
            Translation::Absent => "no such instruction",
        }
    }
}

impl Row {
    /// `ARCHITECTURE/INSTRUCTION`, the name that a specification gives the row.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.architecture, self.name)
    }

    /// All names of the row: the PTX or AMD name, the names of the machine instruction, and other
    /// spellings.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        let other = self.sass.iter().chain(&self.alias);
        std::iter::once(&self.name).chain(other)
    }

    /// The kinds of evidence, best first: the words before the colons in `evidence`.
    pub fn evidence_kinds(&self) -> impl Iterator<Item = &str> {
        let kinds = self.evidence.iter().filter_map(|line| line.split_once(':'));
        kinds.map(|(kind, _)| kind)
    }

    /// The specification of the row or, if `variant` is given, of that variant: an algorithm with
    /// its keys.
    ///
    /// # Errors
    /// If there is no such variant.
    pub fn spec(&self, variant: Option<&str>) -> Result<Spec, ModelError> {
        let spec = Spec::parse(&self.model)?;
        let Some(name) = variant else { return Ok(spec) };
        match self.variants.get(name) {
            Some(whole) if is_specification(whole) => Ok(Spec::parse(whole)?),
            Some(changes) => Ok(spec.with(changes)?),
            None => Err(ModelError::UnknownVariant {
                found: name.into(),
                row: self.full_name(),
                expected: match self.variants.len() {
                    0 => "none, the row has one reading only".into(),
                    _ => self.variants.keys().cloned().collect::<Vec<_>>().join(", "),
                },
            }),
        }
    }
}

/// Whether the text of a variant is a whole specification; otherwise it is the keys that the
/// variant changes.
pub(super) fn is_specification(text: &str) -> bool {
    let head = text.split(':').next().unwrap_or(text);
    text.starts_with(UNIT)
        || is_conversion(text)
        || head.contains('(')
        || algorithms().iter().any(|algorithm| algorithm.name == head)
}
