//! Makes the model of a scheme on a unit, or on an instruction of an architecture.

use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{
    Model, ModelError, Row, find_architecture, is_composition, split_name, usual_rows,
};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::Format;
use thiserror::Error;

/// The placeholder of the unit in the text of a scheme.
const UNIT: char = '_';

/// The model that `scheme` makes of `unit`. If `scheme` is the name of a composition, with or
/// without keys, it is this composition of the unit. If `scheme` is a specification with a `_`, the
/// unit takes the place of the `_`. Any other specification is used as it is, without the unit.
///
/// # Errors
/// If [`Model::parse`] fails.
pub fn on_unit(scheme: &str, unit: &str) -> Result<Model, ModelError> {
    let (name, keys) = split_name(scheme);
    if is_composition(name) {
        return Model::parse(&format!("{name}({unit}){keys}"));
    }
    match place_of_unit(scheme) {
        None => Model::parse(scheme),
        Some(at) => Model::parse(&format!("{}{unit}{}", &scheme[..at], &scheme[at + 1..])),
    }
}

/// Whether the scheme needs a unit.
pub fn needs_unit(scheme: &str) -> bool {
    is_composition(split_name(scheme).0) || place_of_unit(scheme).is_some()
}

/// The place of a `_` that is no part of a name.
fn place_of_unit(scheme: &str) -> Option<usize> {
    let is_name = |letter: Option<char>| letter.is_some_and(|c| c.is_alphanumeric() || c == UNIT);
    scheme.match_indices(UNIT).map(|(at, _)| at).find(|at| {
        let (before, after) = (&scheme[..*at], &scheme[at + 1..]);
        !is_name(before.chars().next_back()) && !is_name(after.chars().next())
    })
}

/// Why no model can be made of a scheme and a place, which is a unit or an architecture.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FitError {
    /// The specification of the model is wrong.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The architecture has no instruction that fits the composition.
    #[error("{architecture} has no instruction for it: `{composition}` needs {expected}")]
    NoRow {
        /// The architecture.
        architecture: String,
        /// The composition.
        composition: String,
        /// What the composition needs, and what the last instruction that was tried is.
        expected: String,
    },
    /// The scheme fits several instructions of the architecture.
    #[error(
        "`{scheme}` on {architecture}: expected one instruction, found several that it can be made of: {rows}"
    )]
    SeveralRows {
        /// The architecture.
        architecture: String,
        /// The scheme of which the model is to be made.
        scheme: String,
        /// The instructions that fit the scheme.
        rows: String,
    },
}

impl FitError {
    /// Whether the place is at fault: with another place, the scheme may give a model.
    pub fn is_about_place(&self) -> bool {
        matches!(
            self,
            FitError::NoRow { .. } | FitError::Model(ModelError::Unit { .. })
        )
    }
}

/// The model that `scheme` makes of `place`: a unit, or an architecture, from which an instruction
/// is taken, which is returned as well. If the instructions that fit multiply different formats,
/// one with f16 factors and a result in f32 is taken, which nearly all architectures have. Of
/// several with the same formats, the one that programs use is taken, or else the first.
///
/// # Errors
/// If the model cannot be made, or the choice of the instruction is ambiguous.
pub fn on_row(scheme: &str, place: &str) -> Result<(Model, Option<&'static Row>), FitError> {
    let Ok(architecture) = find_architecture(place) else {
        return Ok((on_unit(scheme, place)?, None));
    };
    let name = &architecture.name;
    let mut needs = None;
    let mut fitting = Vec::new();
    for row in &architecture.rows {
        match on_unit(scheme, &format!("{name}/{}", row.name)) {
            Err(ModelError::Unit {
                composition,
                expected,
            }) => needs = Some((composition, expected)),
            other => fitting.push((row, other?)),
        }
    }
    let formats = |model: &Model| {
        let Signature { a, b, c, d, .. } = model.signature();
        [a, b, c, d]
    };
    let Some((_, first)) = fitting.first() else {
        return match needs {
            None => Ok((on_unit(scheme, place)?, None)),
            Some((composition, expected)) => Err(FitError::NoRow {
                architecture: name.clone(),
                composition,
                expected,
            }),
        };
    };
    let is_first = |(_, model): &(&Row, Model)| formats(model) == formats(first);
    let wanted = if fitting.iter().all(is_first) {
        formats(first)
    } else {
        [Format::F16, Format::F16, Format::F32, Format::F32]
    };
    let usual = usual_rows(architecture);
    let is_usual = |row: &Row| usual.iter().any(|(_, usual)| usual.name == row.name);
    let all = || {
        let fitting = fitting.iter();
        fitting.filter(|(_, model)| formats(model) == wanted)
    };
    let of_usual = all().find(|(row, _)| is_usual(row));
    if let Some((row, model)) = of_usual.or_else(|| all().next()) {
        return Ok((model.clone(), Some(*row)));
    }
    let rows = fitting
        .iter()
        .map(|(row, _)| format!("{name}/{}", row.name));
    Err(FitError::SeveralRows {
        architecture: name.clone(),
        scheme: excerpt(scheme),
        rows: rows.collect::<Vec<_>>().join(", "),
    })
}
