//! Errors in scripts.

use super::read::Place;
use mmasmt_core::base::excerpt::excerpt;
use thiserror::Error;

/// A script that cannot be used, and the place that says why.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {}, character {}: expected {expected}, found `{}`", at.line, at.column, excerpt(.found))]
pub struct ScriptError {
    /// The place.
    pub at: Place,
    /// The text that was expected there.
    pub expected: String,
    /// The text that was found.
    pub found: String,
}
