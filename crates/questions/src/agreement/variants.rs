//! The rows that differ from one of their variants, key by key: inputs that show each difference,
//! and what silicon answered to them.

use super::differing_keys::{ALGORITHM, differing_keys};
use crate::claims::query::{Options, QueryError, Witness, distinguish};
use crate::inputs::simplicity;
use crate::vectors::{EvidenceError, Recording, Vector, VectorError, check_file, recorded};
use mmasmt_core::machines::model::{Model, ModelError, Row, find_architecture, find_row};
use mmasmt_numbers::base::limits::Limits;
use std::collections::BTreeMap;
use thiserror::Error;

/// How many of the recorded vectors that show a difference are compared by their simplicity.
const COMPARED: usize = 2000;
/// The most models of one difference that a solver is asked about.
const ASKED: usize = 6;

/// A failure to compare rows with a variant; tests rule out all but those of engines.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VariantError {
    /// A row or its variant has no model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The recorded vectors are damaged.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    /// A recorded line is not a vector.
    #[error(transparent)]
    Vectors(#[from] VectorError),
    /// An engine fails.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// The differences of rows from a variant.
#[derive(Clone, Debug)]
pub struct VariantDifferences {
    /// The number of rows that have the variant.
    pub rows: usize,
    /// The number of those that differ from it in a key.
    pub differing: usize,
    /// The differences, that of most rows first.
    pub keys: Vec<KeyDifference>,
}

/// A key with a value in rows, and another one in their variant.
#[derive(Clone, Debug)]
pub struct KeyDifference {
    /// The key, with the path of its layer; `algorithm` where the algorithms differ.
    pub key: String,
    /// The value in the rows and the value in the variant.
    pub values: [String; 2],
    /// The rows, in the order of the tables.
    pub rows: Vec<&'static Row>,
    /// What shows the difference.
    pub found: KeyEvidence,
}

/// What shows that a key of a row matters.
#[derive(Clone, Debug)]
pub enum KeyEvidence {
    /// Inputs on which the results differ.
    Inputs(Box<VariantWitness>),
    /// Every NaN counts as a result of the variant, so that no input shows the difference.
    AnyNan,
    /// Nothing: the models of the rows that were asked about are proved equal to the changed ones on
    /// finite inputs.
    Equal,
    /// No inputs were found in time.
    Unknown,
}

/// Inputs on which a row and the same row with the key of the variant give different results.
#[derive(Clone, Debug)]
pub struct VariantWitness {
    /// The row.
    pub row: &'static Row,
    /// The row with the key as the variant has it.
    pub changed: Model,
    /// The inputs, with the result of the row.
    pub vector: Vector,
    /// The result with the key of the variant.
    pub variant: u64,
    /// The card whose recorded answer is the result of the row.
    pub card: Option<String>,
}

/// Compares all of `rows` that have the variant with it. Recorded vectors show a difference if they
/// can, otherwise inputs that a solver finds within an equal share of `limits`.
///
/// # Errors
/// If an engine fails.
pub fn variant_differences(
    rows: impl Iterator<Item = &'static Row>,
    variant: &str,
    options: &Options,
    limits: &Limits,
) -> Result<VariantDifferences, VariantError> {
    let mut all = VariantDifferences {
        rows: 0,
        differing: 0,
        keys: Vec::new(),
    };
    let mut found: BTreeMap<(String, [String; 2]), Vec<&'static Row>> = BTreeMap::new();
    for row in rows.filter(|row| row.variants.contains_key(variant)) {
        all.rows += 1;
        let [own, other] = [row.full_name(), format!("{}@{variant}", row.full_name())];
        let different = differing_keys(&Model::parse(&own)?, &Model::parse(&other)?);
        all.differing += usize::from(!different.is_empty());
        for difference in different {
            found.entry(difference).or_default().push(row);
        }
    }
    let sections = sections()?;
    let count = found.len() as u32;
    for (number, ((key, values), rows)) in found.into_iter().enumerate() {
        let limits = limits.share(count - number as u32);
        let changed = |row: &Row| match &key[..] {
            ALGORITHM => Model::parse(&format!("{}@{variant}", row.full_name())),
            _ => Model::parse(&row.full_name())?.with(&format!("{key}={}", values[1])),
        };
        let found = match by_recording(&rows, &sections, changed)? {
            Some(shown) => KeyEvidence::Inputs(Box::new(shown)),
            None => by_solver(&rows, changed, options, &limits)?,
        };
        all.keys.push(KeyDifference {
            key,
            values,
            rows,
            found,
        });
    }
    all.keys
        .sort_by_key(|difference| std::cmp::Reverse(difference.rows.len()));
    Ok(all)
}

/// The recorded vectors that come with the program, each with its row; those of compositions and of
/// changed rows are left out.
fn sections() -> Result<Vec<(&'static Row, Recording)>, VariantError> {
    let mut sections = Vec::new();
    for section in recorded()? {
        let named = section.model.split_once('/');
        let Some((architecture, instruction)) =
            named.filter(|_| !section.model.contains(['(', ':', '@']))
        else {
            continue;
        };
        let row = find_row(find_architecture(architecture)?, instruction)?;
        sections.push((row, section));
    }
    Ok(sections)
}

/// The simplest recorded vector of one of the rows that the changed model does not give.
fn by_recording(
    rows: &[&'static Row],
    sections: &[(&'static Row, Recording)],
    changed: impl Fn(&Row) -> Result<Model, ModelError>,
) -> Result<Option<VariantWitness>, VariantError> {
    for (row, section) in sections {
        if !rows.iter().any(|other| std::ptr::eq(*other, *row)) {
            continue;
        }
        let changed = changed(row)?;
        let signature = changed.signature();
        let checked = check_file(&changed, section.lines.as_bytes(), COMPARED)?;
        let simplest = checked.failures.into_iter().min_by_key(|failure| {
            let inputs = &failure.vector.inputs;
            (
                !inputs.is_finite(&signature),
                simplicity(&signature, inputs),
            )
        });
        if let Some(failure) = simplest {
            return Ok(Some(VariantWitness {
                row,
                changed,
                vector: failure.vector,
                variant: failure.computed,
                card: Some(section.card.clone()),
            }));
        }
    }
    Ok(None)
}

/// The answer of a solver about the first rows with different models.
fn by_solver(
    rows: &[&'static Row],
    changed: impl Fn(&Row) -> Result<Model, ModelError>,
    options: &Options,
    limits: &Limits,
) -> Result<KeyEvidence, VariantError> {
    let mut asked: Vec<&'static Row> = Vec::new();
    for row in rows {
        if asked.len() < ASKED && asked.iter().all(|other| other.model != row.model) {
            asked.push(row);
        }
    }
    let mut are_equal = true;
    for (number, row) in asked.iter().enumerate() {
        let (own, changed) = (Model::parse(&row.full_name())?, changed(row)?);
        let limits = limits.share((asked.len() - number) as u32);
        let answer = distinguish(&own, &changed, options, &limits)?;
        if let Some(Witness {
            inputs, results, ..
        }) = answer.witness()
        {
            return Ok(KeyEvidence::Inputs(Box::new(VariantWitness {
                row,
                vector: Vector {
                    inputs: inputs.clone(),
                    d: results[0],
                },
                variant: results[1],
                card: None,
                changed,
            })));
        }
        if changed.gives_any_nan() && !own.gives_any_nan() {
            return Ok(KeyEvidence::AnyNan);
        }
        are_equal &= answer.proved().is_some();
    }
    Ok(match are_equal {
        true => KeyEvidence::Equal,
        false => KeyEvidence::Unknown,
    })
}
