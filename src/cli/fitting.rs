//! The default candidates of `identify`: models of the rows of the tables that take the operands of
//! a file.

use super::error::Error;
use super::live::vectors_of;
use mmasmt_core::base::excerpt::file_name;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{Model, architectures};
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::identify::{Recorded, exclude};
use mmasmt_questions::vectors::Results;
use std::path::Path;

/// Models of rows of the tables that have the same signature.
struct Group {
    signature: Signature,
    models: Vec<Model>,
}

/// The models of all rows of the tables, grouped by signature. Models with the same canonical text
/// are there only once.
fn groups() -> Result<Vec<Group>, Error> {
    let mut groups: Vec<Group> = Vec::new();
    for row in architectures()?.iter().flat_map(|machine| &machine.rows) {
        let model = Model::parse(&format!("{}/{}", row.architecture, row.name))?;
        // Sparse instructions are left out: their vectors may have the whole dense b.
        if model.metadata().is_some() {
            continue;
        }
        let signature = model.signature();
        match groups.iter_mut().find(|group| group.signature == signature) {
            None => groups.push(Group {
                signature,
                models: vec![model],
            }),
            Some(group) => {
                let is_known = |known: &Model| known.canonical() == model.canonical();
                if !group.models.iter().any(is_known) {
                    group.models.push(model);
                }
            }
        }
    }
    Ok(groups)
}

/// The models of the rows that take the operands of the file at `path`. Their formats are those
/// that the file names, or, if it names none, formats with as many hexadecimal digits. Their number
/// of products is the least that has room for the vectors. If several signatures are left, only
/// those are taken for which some row gives all results.
///
/// # Errors
/// If there are no such rows, or the formats that fit cannot be told apart.
pub(super) fn fitting(path: &Path) -> Result<Vec<Model>, Error> {
    let mut fit: Vec<(Group, Vec<Recorded>)> = Vec::new();
    let mut first_error = None;
    for group in groups()? {
        match read(path, 0, &group.models[0]) {
            Ok(recorded) => fit.push((group, recorded)),
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    // Vectors of few products also fit units of more products, so the fewest products are kept.
    let least = fit.iter().map(|(group, _)| group.signature.products).min();
    fit.retain(|(group, _)| Some(group.signature.products) == least);
    if fit.len() > 1 {
        let mut whole = Vec::new();
        for (group, recorded) in fit {
            let left = exclude(&group.models, &recorded).map_err(QueryError::from)?;
            if !left.left.is_empty() {
                whole.push((group, recorded));
            }
        }
        fit = whole;
    }
    match (fit.len(), first_error) {
        (1, _) => Ok(fit.swap_remove(0).0.models),
        (0, Some(error)) if least.is_none() => Err(error),
        (found, _) => {
            let file = file_name(path);
            let found = match found {
                0 => "no row of the tables gives all of its results".to_owned(),
                _ => {
                    let formats = fit.iter().map(|(group, _)| group.signature.to_string());
                    formats.collect::<Vec<_>>().join(" or ")
                }
            };
            Err(Error::Usage(format!(
                "{file}: expected one kind of operands, found {found}; give candidates, such as `--model H100/HMMA.16816.F32` or \
                 `--family nvidia --base fda:K=16`"
            )))
        }
    }
}

/// The vectors of the file at `path` with their results. Each is marked with `file`, the number of
/// the file.
///
/// # Errors
/// If the file cannot be read, or has other operands than `model`.
pub(super) fn read(path: &Path, file: usize, model: &Model) -> Result<Vec<Recorded>, Error> {
    let vectors = vectors_of(path, model, Results::Only)?;
    let recorded = |(line, vector)| Recorded { file, line, vector };
    Ok(vectors.into_iter().map(recorded).collect())
}
