//! Checks a model against vectors, line by line: its results must match the recorded bits.

use super::Vector;
use super::blocks::Blocks;
use super::error::VectorError;
use super::file::Lines;
use super::line::read_line;
use super::metadata::MetadataLayout;
use super::read::{Results, VectorFile};
use super::tally::{Block, CheckFailure, Checked, Tally};
use mmasmt_core::batch::{Batch, Columns};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use rayon::prelude::*;
use std::io::{self, Read};
use std::path::Path;

/// Runs `model` on every vector of the file at `path` (lines, JSON Lines or an archive), and keeps
/// the first `keep` failures. The counts, the failures, their order and any error do not depend on
/// the number of threads.
///
/// # Errors
/// If the file cannot be read, has no vector or is for other operands, or if a line is not a vector of
/// the model; the error is that of the first such line, and nothing is counted.
pub fn check_vectors(model: &Model, path: &Path, keep: usize) -> Result<Checked, VectorError> {
    check_either(model, None, path, keep)
}

/// The same, where a result that differs from that of the model may be that of `other`, which has the same operands.
///
/// # Errors
/// As for [`check_vectors`].
pub fn check_either(
    model: &Model,
    other: Option<&Model>,
    path: &Path,
    keep: usize,
) -> Result<Checked, VectorError> {
    let name = model.canonical();
    let mut file = VectorFile::open(path, model, Results::Of(&name))?;
    let checked = match file.text() {
        Some(text) => check_text(model, other, text, keep)?,
        None => check_each(model, other, file, keep)?,
    };
    match checked.passed + checked.failed {
        0 => Err(VectorError::NoVectors),
        _ => Ok(checked),
    }
}

fn check_each(
    model: &Model,
    other: Option<&Model>,
    mut file: VectorFile,
    keep: usize,
) -> Result<Checked, VectorError> {
    let mut checker = Checker::new(model.batch(), (model, other), keep);
    let mut checked = Checked::default();
    while let Some((line, vector)) = file.next_vector()? {
        checker.take(line, vector, &mut checked);
    }
    checker.check_taken(&mut checked);
    Ok(checked)
}

/// Checks text with a vector on each line, as [`check_vectors`] does.
///
/// # Errors
/// As for [`check_vectors`].
pub fn check_file(model: &Model, reader: impl Read, keep: usize) -> Result<Checked, VectorError> {
    check_text(model, None, reader, keep)
}

fn check_text(
    model: &Model,
    other: Option<&Model>,
    reader: impl Read,
    keep: usize,
) -> Result<Checked, VectorError> {
    let mut blocks = Blocks::new(reader);
    let mut tally = Tally::new(keep);
    let most = rayon::current_num_threads();
    let mut some = blocks.next_blocks(most);
    let mut batch = model.batch();
    while !some.is_empty() {
        let mut outcomes = Vec::new();
        // While other threads check these blocks, this thread reads the next ones, since the reader
        // may not be `Send`.
        let next = rayon::in_place_scope(|scope| {
            scope.spawn(|_| outcomes = check_blocks(&batch, (model, other), keep, some));
            blocks.next_blocks(most)
        });
        for outcome in outcomes {
            tally.add(outcome)?;
        }
        // There are more blocks, so a program is made here that all threads share.
        if !next.is_empty() {
            batch.prepare();
        }
        some = next;
    }
    Ok(tally.checked)
}

/// The outcomes of the blocks, in the order of the blocks.
fn check_blocks<'m>(
    batch: &Batch<'m>,
    models: (&'m Model, Option<&'m Model>),
    keep: usize,
    blocks: Vec<io::Result<Vec<u8>>>,
) -> Vec<Result<Block, VectorError>> {
    let checked = blocks.into_par_iter().map_init(
        || Checker::new(batch.clone(), models, keep),
        |checker, block| checker.check(block),
    );
    checked.collect()
}

/// The number of vectors that are evaluated together, if they have at most 16 products; for more
/// products it is smaller.
const TOGETHER: usize = 4096;

/// The state with which a thread checks blocks.
struct Checker<'m> {
    model: &'m Model,
    /// A model of which a result is right as well.
    other: Option<&'m Model>,
    batch: Batch<'m>,
    /// The operands that are not evaluated yet.
    columns: Columns,
    /// The line number and the recorded result of each vector whose operands are in `columns`.
    taken: Vec<(usize, u64)>,
    computed: Vec<u64>,
    keep: usize,
}

impl<'m> Checker<'m> {
    fn new(batch: Batch<'m>, (model, other): (&'m Model, Option<&'m Model>), keep: usize) -> Self {
        Checker {
            model,
            other,
            columns: Columns::new(&model.signature()),
            batch,
            taken: Vec::new(),
            computed: Vec::new(),
            keep,
        }
    }

    /// Takes one vector. If enough vectors were taken to fill a batch, checks all of them.
    fn take(&mut self, line: usize, vector: &Vector, checked: &mut Checked) {
        self.columns.push_row(&vector.inputs);
        self.taken.push((line, vector.d));
        let products = self.columns.signature().products as usize;
        if self.taken.len() * products.max(16) >= TOGETHER * 16 {
            self.check_taken(checked);
        }
    }

    /// Evaluates the vectors taken, and counts those that pass and those that fail.
    fn check_taken(&mut self, checked: &mut Checked) {
        self.computed.clear();
        self.batch.run(&self.columns, &mut self.computed);
        for (row, (&(line, d), &computed)) in self.taken.iter().zip(&self.computed).enumerate() {
            let is_right = |model: &Model, result| result == d || model.accepts(result, d);
            let is_of_other = |other: &Model| {
                let result = other.simulator().run(&self.columns.row(row));
                is_right(other, result)
            };
            if is_right(self.model, computed) || self.other.is_some_and(is_of_other) {
                checked.passed += 1;
                continue;
            }
            checked.failed += 1;
            if checked.failures.len() < self.keep {
                let inputs = self.columns.row(row);
                checked.failures.push(CheckFailure {
                    line,
                    vector: Vector { inputs, d },
                    computed,
                });
            }
        }
        self.taken.clear();
        self.columns.clear();
    }

    /// The outcome of a block; its lines are counted from 1.
    fn check(&mut self, block: io::Result<Vec<u8>>) -> Result<Block, VectorError> {
        let text = block.map_err(|error| VectorError::Unreadable { line: 1, error })?;
        let mut checked = Checked::default();
        // Vectors may be left over from a block in which a later line was no vector.
        self.taken.clear();
        self.columns.clear();
        let signature = self.model.signature();
        let inputs = Inputs::zero(&signature);
        let mut vector = Vector { inputs, d: 0 };
        let layout = MetadataLayout::from(self.model);
        let mut lines = Lines::of(&text[..], signature);
        while let Some((line, text)) = lines.next_line()? {
            read_line(text, line, &layout, &mut vector)?;
            self.take(line, &vector, &mut checked);
        }
        self.check_taken(&mut checked);
        Ok(Block {
            lines: lines.passed(),
            checked,
        })
    }
}
