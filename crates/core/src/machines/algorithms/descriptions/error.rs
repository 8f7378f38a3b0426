//! Errors in descriptions.

use super::tree::Place;
use thiserror::Error;

/// A description that cannot be used, and the place that says why.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {}, character {}: expected {expected}", at.line, at.column)]
pub struct DescriptionError {
    /// The place.
    pub at: Place,
    /// The text that was expected there, and the text that was found.
    pub expected: String,
}
