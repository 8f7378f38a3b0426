//! What is wrong with a model specification, in one line each.

use thiserror::Error;

/// What is wrong with a model specification.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// The algorithm has no such name.
    #[error(
        "unknown algorithm `{found}`: expected {expected}, or ARCH/INSTRUCTION (`mmasmt models` lists them)"
    )]
    UnknownAlgorithm {
        /// What stood there.
        found: String,
        /// The algorithms there are.
        expected: String,
    },
    /// The architecture has no such name.
    #[error("unknown architecture `{found}`: expected one of {expected}")]
    UnknownArchitecture {
        /// What stood there.
        found: String,
        /// The architectures there are.
        expected: String,
    },
    /// The architecture has no such instruction.
    #[error(
        "no row for `{found}` on {architecture}: {hint}; `mmasmt models {architecture}` lists its instructions"
    )]
    UnknownInstruction {
        /// What stood there.
        found: String,
        /// Where it was looked for.
        architecture: String,
        /// What comes close.
        hint: String,
    },
    /// The row has no such variant.
    #[error("`{row}` has no variant `{found}`: expected {expected}")]
    UnknownVariant {
        /// What stood there.
        found: String,
        /// The row.
        row: String,
        /// The variants there are.
        expected: String,
    },
    /// The algorithm has no such key.
    #[error("unknown key `{key}` for `{algorithm}`: expected one of {expected} (case matters)")]
    UnknownKey {
        /// What stood there.
        key: String,
        /// The algorithm.
        algorithm: String,
        /// The keys there are.
        expected: String,
    },
    /// A key has no such value.
    #[error("`{key}={value}`: expected {expected}")]
    BadValue {
        /// The key.
        key: String,
        /// What stood there.
        value: String,
        /// What it can be.
        expected: String,
    },
    /// The text does not follow the grammar.
    #[error("model `{text}`, at character {at}: expected {expected}")]
    Syntax {
        /// The whole text.
        text: String,
        /// Position of the offence, from 1.
        at: usize,
        /// What was expected there.
        expected: String,
    },
    /// A table that is part of the program is wrong.
    #[error("table `{table}`: {what}")]
    Table {
        /// The table.
        table: String,
        /// What is wrong with it.
        what: String,
    },
}
