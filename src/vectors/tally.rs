//! The outcomes of a file's blocks, put together in the order of the file.

use super::error::VectorError;
use super::inputs::Vector;
use std::collections::BTreeMap;

/// The outcome of a file.
#[derive(Debug, Default)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct Failure {
    /// Line number, from 1.
    pub line: usize,
    /// The line.
    pub vector: Vector,
    /// What the model gave.
    pub computed: u64,
}

/// The outcome of one block.
pub(super) struct Block {
    /// How many lines it has.
    pub lines: usize,
    /// Lines of failures are counted from the start of the block.
    pub checked: Checked,
}

/// The outcome of all blocks up to one, and those that came too early.
pub(super) struct Tally {
    keep: usize,
    next: usize,
    early: BTreeMap<usize, Result<Block, VectorError>>,
    lines: usize,
    checked: Checked,
    error: Option<VectorError>,
}

impl Tally {
    /// Nothing yet; it will keep the first `keep` failures.
    pub fn new(keep: usize) -> Self {
        Tally {
            keep,
            next: 0,
            early: BTreeMap::new(),
            lines: 0,
            checked: Checked::default(),
            error: None,
        }
    }

    /// How many failures it keeps.
    pub fn keep(&self) -> usize {
        self.keep
    }

    /// Whether what comes after does not matter: a line is no vector.
    pub fn is_over(&self) -> bool {
        self.error.is_some()
    }

    /// Adds the outcome of block `number`, from 0, in any order.
    pub fn put(&mut self, number: usize, outcome: Result<Block, VectorError>) {
        self.early.insert(number, outcome);
        while let Some(outcome) = self.early.remove(&self.next) {
            self.add(outcome);
        }
    }

    /// Adds the outcome of the next block.
    pub fn add(&mut self, outcome: Result<Block, VectorError>) {
        self.next += 1;
        if self.is_over() {
            return;
        }
        let Block { lines, checked } = match outcome {
            Ok(block) => block,
            Err(error) => {
                self.error = Some(error.after(self.lines));
                return;
            }
        };
        self.checked.passed += checked.passed;
        self.checked.failed += checked.failed;
        let missing = self.keep.saturating_sub(self.checked.failures.len());
        let moved = |failure: Failure| Failure {
            line: self.lines + failure.line,
            ..failure
        };
        let failures = checked.failures.into_iter().take(missing).map(moved);
        self.checked.failures.extend(failures);
        self.lines += lines;
    }

    /// The outcome of the file.
    pub fn end(self) -> Result<Checked, VectorError> {
        self.error.map_or(Ok(self.checked), Err)
    }
}
