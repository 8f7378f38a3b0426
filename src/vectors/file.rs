//! Lines of vector files: a vector on each, `#` for comments, and what can be wrong with them.

use super::read::check_comment;
use crate::algorithms::Signature;
use std::io::{BufRead, Read};
use thiserror::Error;

/// The most bytes of a line; no vector of 65,536 products has more: 4 MiB.
pub(super) const LONGEST: usize = 1 << 22;

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
    /// A line that no vector can be.
    #[error(
        "line {line}: expected at most {LONGEST} bytes, found more; is this a file of vectors, one on each line?"
    )]
    TooLong {
        /// Line number, from 1.
        line: usize,
    },
    /// The file says that it is for operands of another kind.
    #[error(
        "line {line}: the file says `{found}`, the model has `{expected}`; give a model of these formats"
    )]
    OtherSignature {
        /// Line number, from 1.
        line: usize,
        /// What the file says.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// The file has results of several models.
    #[error(
        "line {line}: expected the results of one model{wanted}, found those of {found}; write a file of each"
    )]
    WhichResults {
        /// Line number, from 1.
        line: usize,
        /// Another model that is looked for.
        wanted: String,
        /// The models whose results there are.
        found: String,
    },
    /// More vectors than are kept in memory at a time.
    #[error(
        "line {line}: expected at most {most} registers in all, found more; all are kept in memory, so split the file"
    )]
    TooMany {
        /// Line number, from 1.
        line: usize,
        /// How many registers can be kept.
        most: usize,
    },
    /// An archive of arrays that is not what `gen` or NumPy write.
    #[error("{array}: expected {expected}, found {found}")]
    Archive {
        /// The archive, or one of its arrays.
        array: String,
        /// What was expected.
        expected: String,
        /// What there is.
        found: String,
    },
    /// There is no such file, or it cannot be opened.
    #[error("{0}")]
    Closed(std::io::Error),
}

impl VectorError {
    /// The same error, `lines` further down.
    pub(super) fn after(mut self, lines: usize) -> Self {
        use VectorError::*;
        match &mut self {
            Malformed { line, .. }
            | Unreadable { line, .. }
            | TooLong { line }
            | OtherSignature { line, .. }
            | WhichResults { line, .. }
            | TooMany { line, .. } => *line += lines,
            Archive { .. } | Closed(_) => {}
        }
        self
    }
}

/// The lines of a file that hold vectors; comments and empty lines are passed over, and a line may
/// end in CRLF. No line of more than 4 MiB is kept.
pub struct Lines<R> {
    reader: R,
    signature: Option<Signature>,
    bytes: Vec<u8>,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `reader`.
    pub fn new(reader: R) -> Self {
        Lines {
            reader,
            signature: None,
            bytes: Vec::new(),
            number: 0,
        }
    }

    /// The lines of `reader`, in which a comment that names another signature is an error.
    pub fn of(reader: R, signature: Signature) -> Self {
        Lines {
            signature: Some(signature),
            ..Lines::new(reader)
        }
    }

    /// What has not been read.
    pub(super) fn rest(&mut self) -> &mut R {
        &mut self.reader
    }

    /// How many lines there were, after the last one.
    pub(super) fn passed(&self) -> usize {
        self.number.saturating_sub(1)
    }

    /// The next line with its number, from 1; nothing at the end.
    ///
    /// # Errors
    /// If the file cannot be read or is not text, a line is too long, or a comment names another
    /// signature.
    pub fn next_line(&mut self) -> Result<Option<(usize, &str)>, VectorError> {
        loop {
            self.number += 1;
            let line = self.number;
            self.bytes.clear();
            let mut limited = self.reader.by_ref().take(LONGEST as u64 + 1);
            let read = limited.read_until(b'\n', &mut self.bytes);
            if read.map_err(|error| VectorError::Unreadable { line, error })? == 0 {
                return Ok(None);
            }
            if self.bytes.len() > LONGEST && self.bytes.last() != Some(&b'\n') {
                return Err(VectorError::TooLong { line });
            }
            while self
                .bytes
                .last()
                .is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
            {
                self.bytes.pop();
            }
            match (self.bytes.first(), &self.signature) {
                (None, _) | (Some(b'#'), None) => {}
                (Some(b'#'), Some(signature)) => check_comment(&self.bytes, line, signature)?,
                _ => break,
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
