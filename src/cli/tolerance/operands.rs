//! The random operands of `tolerance` as a file.

use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::OperandRow;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::file_name;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::inputs::Sources;
use mmasmt_questions::matrices::{ArrayError, Matrix, Stack, write_archive};
use std::path::Path;

/// Writes the operands, a row for each dot product, and the results of the model.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write(
    path: &Path,
    model: &Model,
    sources: &Sources,
    samples: u64,
    limits: &Limits,
) -> Result<(), Error> {
    let signature = model.signature();
    let mut batch = model.batch();
    batch.prepare_for_rows(samples);
    let drawn = sources.each(&signature, samples, limits, || {
        let mut batch = batch.clone();
        move |drawn| {
            let results = batch.results(drawn);
            Ok(drawn.iter().cloned().zip(results).collect())
        }
    });
    let drawn = drawn.map_err(|error| match limits.stopped() {
        Some(stopped) => Error::Query(QueryError::Stopped(stopped)),
        None => Error::Usage(error.to_string()),
    })?;
    let mut d = Vec::new();
    let mut rows: Vec<(OperandRow, Vec<u64>)> = Vec::new();
    rows.extend(signature.rows().map(|row| (row, Vec::new())));
    for (inputs, result) in drawn {
        for (row, registers) in &mut rows {
            registers.extend(inputs.row(row.operand));
        }
        d.push(result);
    }
    let count = samples as usize;
    let stack = |format: Format, columns: usize, registers: Vec<u64>| {
        let matrix = Matrix::new(format, [count, columns], registers);
        let matrix =
            matrix.ok_or_else(|| Error::Usage("expected a register for each operand".into()));
        matrix.map(Stack::from)
    };
    let mut stacks = Vec::new();
    for (row, registers) in rows {
        let name = row.operand.name();
        stacks.push((name, stack(row.format, row.length, registers)?));
    }
    stacks.push(("d", stack(signature.d, 1, d)?));
    let all: Vec<_> = stacks.iter().map(|(name, stack)| (*name, stack)).collect();
    let written = write_archive(path, &all);
    written.map_err(|error| match error {
        ArrayError::Io(error) => Error::file(path)(error),
        other => Error::Usage(format!("{}: {other}", file_name(path))),
    })
}
