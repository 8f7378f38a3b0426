//! What can be wrong with a file of vectors.

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
