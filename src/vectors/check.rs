//! Checking a model against vectors: the same bits, line for line.

use super::file::{Lines, VectorError, parse_line};
use super::inputs::Vector;
use crate::model::Model;
use std::io::BufRead;

/// The outcome of a file.
#[derive(Debug, Default)]
pub struct Checked {
    /// Lines on which the model gave the recorded result.
    pub passed: usize,
    /// Lines on which it did not.
    pub failed: usize,
    /// The first of the failures.
    pub failures: Vec<Failure>,
}

/// A line on which the model gave another result than the recorded one.
#[derive(Debug)]
pub struct Failure {
    /// Line number, from 1.
    pub line: usize,
    /// The line.
    pub vector: Vector,
    /// What the model gave.
    pub computed: u64,
}

/// Runs `model` on every vector of `reader` and keeps the first `keep` failures.
///
/// # Errors
/// If the file cannot be read or a line is not a vector of the model; nothing is counted then.
pub fn check_file(
    model: &Model,
    reader: impl BufRead,
    keep: usize,
) -> Result<Checked, VectorError> {
    let mut simulator = model.simulator();
    let mut checked = Checked::default();
    let signature = model.signature();
    let mut lines = Lines::new(reader);
    while let Some((line, text)) = lines.next_line()? {
        let vector = parse_line(text, line, &signature)?;
        let computed = simulator.run(&vector.inputs);
        if model.accepts(computed, vector.d) {
            checked.passed += 1;
            continue;
        }
        checked.failed += 1;
        if checked.failures.len() < keep {
            checked.failures.push(Failure {
                line,
                vector,
                computed,
            });
        }
    }
    Ok(checked)
}
