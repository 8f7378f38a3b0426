//! Why a claim cannot be made.

use super::domain::DomainError;
use mmasmt_core::machines::model::ModelError;
use mmasmt_numbers::base::excerpt::excerpt;
use thiserror::Error;

/// Why a claim cannot be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// There is no such property.
    #[error("unknown property `{}`: expected {expected}", excerpt(.found))]
    Unknown {
        /// The unknown text.
        found: String,
        /// Properties with a similar spelling; all of them if there are none.
        expected: String,
    },
    /// The property has no such value.
    #[error("`{}`: expected {name}{rest}", excerpt(.found))]
    Value {
        /// The text of the property.
        found: String,
        /// The name of the property, with its parameters in capitals.
        name: &'static str,
        /// A question that names a value near the one that was found, or the meaning of the property, which says how its
        /// parameters are written.
        rest: String,
    },
    /// The property is not defined for the model.
    #[error("`{}` is not defined for `{}`: {reason}", excerpt(.property), excerpt(.model))]
    Unfit {
        /// The property.
        property: String,
        /// The model.
        model: String,
        /// Why the property is not defined for the model.
        reason: &'static str,
    },
    /// The assumptions treat so many products differently that there are too many orders to check.
    #[error(
        "`{property}` of `{model}` where {domain}: expected assumptions that tell products apart in at most {most} ways, \
         found more: assume the same of more of them"
    )]
    TooManyOrders {
        /// The property.
        property: String,
        /// The model.
        model: String,
        /// The assumptions.
        domain: String,
        /// The greatest number of orders that are checked.
        most: usize,
    },
    /// A model in the text of the property is wrong.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The text of the domain is wrong.
    #[error(transparent)]
    Domain(#[from] DomainError),
}
