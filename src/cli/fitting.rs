//! The default candidates of `identify`: models of the rows of the tables that take the operands of
//! a file.

use super::error::Error;
use super::formats::as_base;
use super::live::vectors_of;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{Model, ModelError, architectures, described};
use mmasmt_numbers::base::excerpt::file_name;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::identify::{CandidateAgreement, RecordedLine, exclude, nearest};
use mmasmt_questions::vectors::Results;
use std::io::{self, Write};
use std::path::Path;

/// Models of rows of the tables that have the same signature.
struct Group {
    signature: Signature,
    models: Vec<Model>,
}

/// The models of all rows of the tables, grouped by signature. Models with the same canonical text
/// are there only once. Rows whose arithmetic is not known are left out, with a note on standard
/// error.
fn groups() -> Result<Vec<Group>, Error> {
    let mut groups: Vec<Group> = Vec::new();
    let mut left_out = Vec::new();
    for row in architectures()?
        .iter()
        .chain(described()?)
        .flat_map(|machine| &machine.rows)
    {
        let name = row.full_name();
        let model = match Model::parse(&name) {
            Err(ModelError::ArithmeticNotKnown { .. }) => {
                left_out.push(name);
                continue;
            }
            model => model?,
        };
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
    if let Some(first) = left_out.first() {
        let count = left_out.len();
        writeln!(
            io::stderr(),
            "note: left out: {count} rows whose arithmetic is not known, {first} the first"
        )?;
    }
    Ok(groups)
}

/// The models of the rows with this signature.
///
/// # Errors
/// If there are none.
pub(super) fn rows_with(signature: &Signature) -> Result<Vec<Model>, Error> {
    let groups = groups()?.into_iter();
    let mut found = groups.filter(|group| group.signature == *signature);
    found.next().map(|group| group.models).ok_or_else(|| {
        Error::Usage(format!(
            "expected rows of the tables with {signature}, found none; add `--family full`"
        ))
    })
}

/// The models of the rows that take the operands of the file at `path`. Their formats are those
/// that the file names, or, if it names none, formats with as many hexadecimal digits. Their number
/// of products is the least that has room for the vectors. If several signatures are left, only
/// those are taken for which some row gives all results.
///
/// # Errors
/// If there are no such rows, or the formats that fit cannot be told apart.
pub(super) fn fitting(path: &Path) -> Result<Vec<Model>, Error> {
    let mut fit: Vec<(Group, Vec<RecordedLine>)> = Vec::new();
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
    if let (true, Some(error)) = (fit.is_empty(), first_error) {
        return Err(error);
    }
    if fit.len() > 1 {
        let mut whole = Vec::new();
        for (at, (group, recorded)) in fit.iter().enumerate() {
            let left = exclude(&group.models, recorded).map_err(QueryError::from)?;
            if !left.left.is_empty() {
                whole.push(at);
            }
        }
        if whole.is_empty() {
            return Err(none_fits(path, &fit)?);
        }
        let mut at = 0..;
        fit.retain(|_| at.next().is_some_and(|at| whole.contains(&at)));
    }
    if fit.len() == 1 {
        return Ok(fit.swap_remove(0).0.models);
    }
    let formats = fit.iter().map(|(group, _)| group.signature.to_string());
    let formats = formats.collect::<Vec<_>>().join(" or ");
    Err(Error::Usage(format!(
        "{}: expected one kind of operands, found {formats}; give candidates, such as `--model H100/HMMA.16816.F32` or \
         `--family nvidia --base fda:K=16`",
        file_name(path)
    )))
}

/// The error that the rows which take the operands of the file do not give its results. It names
/// the nearest row.
fn none_fits(path: &Path, fit: &[(Group, Vec<RecordedLine>)]) -> Result<Error, Error> {
    let mut best: Option<(&Group, CandidateAgreement, usize)> = None;
    for (group, recorded) in fit {
        let vectors: Vec<_> = recorded.iter().map(|line| &line.vector).collect();
        let found = nearest(&group.models, &vectors, 1).map_err(QueryError::from)?;
        for near in found {
            let known = best.as_ref().map(|(_, known, _)| known.agrees);
            if known.is_none_or(|agrees| agrees < near.agrees) {
                best = Some((group, near, vectors.len()));
            }
        }
    }
    let rows: usize = fit.iter().map(|(group, _)| group.models.len()).sum();
    let (file, mut text) = (file_name(path), String::new());
    let mut base = None;
    if let Some((group, near, of)) = best {
        let model = &group.models[near.model];
        base = as_base(&group.signature);
        text = format!(
            ", {model} being the nearest with {} of {of} results",
            near.agrees
        );
    }
    let base = base.unwrap_or_else(|| "MODEL".into());
    Ok(Error::Usage(format!(
        "{file}: expected results that a row of the tables gives, found others: {rows} rows take these operands, and none gives \
         all results{text}; `--family full --base {base}` has more candidates"
    )))
}

/// The vectors of the file at `path` with their results. Each is marked with `file`, the number of
/// the file.
///
/// # Errors
/// If the file cannot be read, or has other operands than `model`.
pub(super) fn read(path: &Path, file: usize, model: &Model) -> Result<Vec<RecordedLine>, Error> {
    let vectors = vectors_of(path, model, Results::Only)?;
    let recorded = |(line, vector)| RecordedLine { file, line, vector };
    Ok(vectors.into_iter().map(recorded).collect())
}
