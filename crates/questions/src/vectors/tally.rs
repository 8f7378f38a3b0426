//! Adds up the outcomes of checking the blocks of a file, in the order of the blocks.

use super::Vector;
use super::error::VectorError;

/// The outcome of checking a file.
#[derive(Debug, Default)]
pub struct Checked {
    /// The number of lines on which the model gave the recorded result.
    pub passed: usize,
    /// The number of lines on which the model gave another result.
    pub failed: usize,
    /// The first failures, as many as the caller wants to keep.
    pub failures: Vec<CheckFailure>,
}

/// A line on which the model's result differs from the recorded one.
#[derive(Debug)]
pub struct CheckFailure {
    /// Line number, from 1.
    pub line: usize,
    /// The vector in the line.
    pub vector: Vector,
    /// The model's result.
    pub computed: u64,
}

/// The outcome of checking one block of lines.
pub(super) struct Block {
    /// The number of lines in the block.
    pub lines: usize,
    /// The counts of passed and failed lines, and the failures. The line numbers of the failures
    /// count from the start of the block.
    pub checked: Checked,
}

/// The outcome of checking all blocks so far.
pub(super) struct Tally {
    keep: usize,
    lines: usize,
    pub checked: Checked,
}

impl Tally {
    /// An empty tally that keeps the first `keep` failures.
    pub fn new(keep: usize) -> Self {
        Tally {
            keep,
            lines: 0,
            checked: Checked::default(),
        }
    }

    /// Adds the outcome of the next block.
    ///
    /// # Errors
    /// If a line of the block is not a vector. The error counts lines from the start of the file.
    pub fn add(&mut self, outcome: Result<Block, VectorError>) -> Result<(), VectorError> {
        let Block { lines, checked } = outcome.map_err(|error| error.after(self.lines))?;
        self.checked.passed += checked.passed;
        self.checked.failed += checked.failed;
        let missing = self.keep.saturating_sub(self.checked.failures.len());
        let moved = |failure: CheckFailure| CheckFailure {
            line: self.lines + failure.line,
            ..failure
        };
        let failures = checked.failures.into_iter().take(missing).map(moved);
        self.checked.failures.extend(failures);
        self.lines += lines;
        Ok(())
    }
}
