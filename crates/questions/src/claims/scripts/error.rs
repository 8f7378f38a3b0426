//! Errors in scripts.

use mmasmt_numbers::base::excerpt::excerpt;
use thiserror::Error;

/// A place in a text, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptPlace {
    /// The line.
    pub line: usize,
    /// The character of the line.
    pub column: usize,
}

/// A script that cannot be used, and the place that says why.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {}, character {}: expected {expected}, found `{}`", at.line, at.column, excerpt(.found))]
pub struct ScriptError {
    /// The place.
    pub at: ScriptPlace,
    /// The text that was expected there.
    pub expected: String,
    /// The text that was found.
    pub found: String,
}
