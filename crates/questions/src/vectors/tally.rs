//! The outcomes of a file's blocks, put together in the order of the file.

use super::Vector;
use super::error::VectorError;

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

/// The outcome of one block.
pub(super) struct Block {
    /// How many lines it has.
    pub lines: usize,
    /// Lines of failures are counted from the start of the block.
    pub checked: Checked,
}

/// The outcome of all blocks up to one.
pub(super) struct Tally {
    keep: usize,
    lines: usize,
    pub checked: Checked,
}

impl Tally {
    /// Nothing yet; it will keep the first `keep` failures.
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
    /// If a line of it is no vector; nothing after that counts.
    pub fn add(&mut self, outcome: Result<Block, VectorError>) -> Result<(), VectorError> {
        let Block { lines, checked } = outcome.map_err(|error| error.after(self.lines))?;
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
        Ok(())
    }
}
