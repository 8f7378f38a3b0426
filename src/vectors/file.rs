//! Vector files: a vector on each line, `#` for comments, and what can be wrong with them.

use std::io::BufRead;
use thiserror::Error;

/// What is wrong with a vector file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VectorError {
    /// A line that is not a vector of the signature.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    Malformed {
        /// Line number, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What was expected.
        expected: String,
        /// What stood there.
        found: String,
    },
    /// The file could not be read.
    #[error("line {line}: {error}")]
    Unreadable {
        /// Line number, from 1.
        line: usize,
        /// What the system said.
        error: std::io::Error,
    },
}

impl VectorError {
    /// The same error, `lines` further down.
    pub(super) fn after(mut self, lines: usize) -> Self {
        let (VectorError::Malformed { line, .. } | VectorError::Unreadable { line, .. }) =
            &mut self;
        *line += lines;
        self
    }
}

/// The lines of a file that hold vectors; comments and empty lines are passed over, and a line may
/// end in CRLF.
pub struct Lines<R> {
    reader: R,
    bytes: Vec<u8>,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `reader`.
    pub fn new(reader: R) -> Self {
        Lines {
            reader,
            bytes: Vec::new(),
            number: 0,
        }
    }

    /// How many lines there were, after the last one.
    pub(super) fn passed(&self) -> usize {
        self.number.saturating_sub(1)
    }

    /// The next line with its number, from 1; nothing at the end.
    ///
    /// # Errors
    /// If the file cannot be read or is not text.
    pub fn next_line(&mut self) -> Result<Option<(usize, &str)>, VectorError> {
        loop {
            self.number += 1;
            let line = self.number;
            self.bytes.clear();
            let read = self.reader.read_until(b'\n', &mut self.bytes);
            if read.map_err(|error| VectorError::Unreadable { line, error })? == 0 {
                return Ok(None);
            }
            while self
                .bytes
                .last()
                .is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
            {
                self.bytes.pop();
            }
            if !self.bytes.is_empty() && self.bytes[0] != b'#' {
                break;
            }
        }
        let text = std::str::from_utf8(&self.bytes).map_err(|error| {
            let valid = String::from_utf8_lossy(&self.bytes[..error.valid_up_to()]);
            VectorError::Malformed {
                line: self.number,
                column: valid.chars().count() + 1,
                expected: "text".into(),
                found: "bytes that are not UTF-8".into(),
            }
        })?;
        Ok(Some((self.number, text)))
    }
}
