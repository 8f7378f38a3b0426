//! Checking a model against vectors: the same bits, line for line.

use super::blocks::Blocks;
use super::error::VectorError;
use super::file::Lines;
use super::line::read_line;
use super::read::{Results, VectorFile};
use super::tally::{Block, Checked, Failure, Tally};
use super::{Inputs, Vector};
use crate::model::{Model, Simulator};
use rayon::prelude::*;
use std::io::{self, Read};
use std::path::Path;

/// Runs `model` on every vector of the file at `path`, lines, JSON Lines or an archive, and keeps the
/// first `keep` failures. What does not depend on the threads of the machine: counts, failures and
/// their order, and which error.
///
/// # Errors
/// If the file cannot be read, is for other operands, or a line is not a vector of the model: the
/// first such line. Nothing is counted then.
pub fn check_vectors(model: &Model, path: &Path, keep: usize) -> Result<Checked, VectorError> {
    let name = model.canonical();
    let mut file = VectorFile::open(path, &model.signature(), Results::Of(&name))?;
    if let Some(text) = file.text() {
        return check_file(model, text, keep);
    }
    let mut checker = Checker::new(model, keep);
    let mut checked = Checked::default();
    while let Some((line, vector)) = file.next_vector()? {
        checker.check_vector(line, vector, &mut checked);
    }
    Ok(checked)
}

/// As [`check_vectors`], of text with a vector on each line.
///
/// # Errors
/// As there.
pub fn check_file(model: &Model, reader: impl Read, keep: usize) -> Result<Checked, VectorError> {
    let mut blocks = Blocks::new(reader);
    let mut tally = Tally::new(keep);
    let most = rayon::current_num_threads();
    let mut some = blocks.next_blocks(most);
    while !some.is_empty() {
        let mut outcomes = Vec::new();
        // This thread reads on meanwhile: what it reads from may belong to it alone.
        let next = rayon::in_place_scope(|scope| {
            scope.spawn(|_| outcomes = check_blocks(model, keep, some));
            blocks.next_blocks(most)
        });
        for outcome in outcomes {
            tally.add(outcome)?;
        }
        some = next;
    }
    Ok(tally.checked)
}

/// The outcome of each of the blocks, in their order.
fn check_blocks(
    model: &Model,
    keep: usize,
    blocks: Vec<io::Result<Vec<u8>>>,
) -> Vec<Result<Block, VectorError>> {
    let checked = blocks.into_par_iter().map_init(
        || Checker::new(model, keep),
        |checker, block| checker.check(block),
    );
    checked.collect()
}

/// What a thread needs to check blocks.
struct Checker<'m> {
    model: &'m Model,
    simulator: Simulator<'m>,
    keep: usize,
}

impl<'m> Checker<'m> {
    fn new(model: &'m Model, keep: usize) -> Self {
        Checker {
            model,
            simulator: model.simulator(),
            keep,
        }
    }

    /// Counts one vector.
    fn check_vector(&mut self, line: usize, vector: &Vector, checked: &mut Checked) {
        let computed = self.simulator.run(&vector.inputs);
        if computed == vector.d || self.model.accepts(computed, vector.d) {
            checked.passed += 1;
            return;
        }
        checked.failed += 1;
        if checked.failures.len() < self.keep {
            checked.failures.push(Failure {
                line,
                vector: vector.clone(),
                computed,
            });
        }
    }

    /// The outcome of a block, its lines counted from 1.
    fn check(&mut self, block: io::Result<Vec<u8>>) -> Result<Block, VectorError> {
        let text = block.map_err(|error| VectorError::Unreadable { line: 1, error })?;
        let mut checked = Checked::default();
        let signature = self.model.signature();
        let inputs = Inputs::zero(&signature);
        let mut vector = Vector { inputs, d: 0 };
        let mut lines = Lines::of(&text[..], signature);
        while let Some((line, text)) = lines.next_line()? {
            read_line(text, line, &signature, &mut vector)?;
            self.check_vector(line, &vector, &mut checked);
        }
        Ok(Block {
            lines: lines.passed(),
            checked,
        })
    }
}
