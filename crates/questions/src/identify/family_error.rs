//! Errors of families of candidates.

use mmasmt_core::machines::model::ModelError;
use mmasmt_numbers::base::excerpt::excerpt;
use thiserror::Error;

/// The most candidates of a family.
pub(super) const MOST: usize = 200_000;

/// An error in a family.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FamilyError {
    /// The text does not follow the grammar.
    #[error("family `{}`: expected {expected}, found `{}`", excerpt(.text), excerpt(.found))]
    Syntax {
        /// The part of the family.
        text: String,
        /// The expected text.
        expected: String,
        /// The text found there.
        found: String,
    },
    /// A part has no model to change.
    #[error(
        "family `{}`: expected a base model, found none; give --base MODEL or write MODEL:KEY=…",
        excerpt(.0)
    )]
    NoBase(String),
    /// A family has more candidates than are supported.
    #[error("family `{}`: expected at most {MOST} candidates, found {found}", excerpt(.text))]
    TooMany {
        /// The part of the family.
        text: String,
        /// The number of candidates.
        found: usize,
    },
    /// Two candidates have different signatures.
    #[error(
        "expected models that take the same inputs: `{}` has {first_shape}, `{}` has {other_shape}",
        excerpt(.first), excerpt(.other)
    )]
    Signatures {
        /// The first model.
        first: String,
        /// The signature of the first model.
        first_shape: String,
        /// The model with another signature.
        other: String,
        /// The signature of the model `other`.
        other_shape: String,
    },
    /// A candidate does not exist.
    #[error("family `{}`: {error}", excerpt(.text))]
    Model {
        /// The part of the family.
        text: String,
        /// The error of the candidate's model.
        error: ModelError,
    },
}
