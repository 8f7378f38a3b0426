//! The reasons that there is no certificate.

use thiserror::Error;

/// The reason that a claim has no certificate.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NoCertificate {
    /// No certificate is about claims of this kind.
    #[error(
        "certificates by steps are of exact, no-overflow, rounds, exact-sums, faithful, equal, order-independent, monotone-c, monotone-products, sign-symmetric, finite-results and factor-independent"
    )]
    Claim,
    /// A model has no steps.
    #[error("the language of steps has no word for a part of {0}")]
    Steps(String),
    /// No bound of errors is known.
    #[error("no bound of the errors of {0} is known step by step")]
    Bound(String),
    /// The domain admits no finite value of some operand.
    #[error("the domain admits no finite value of some operand")]
    Empty,
}
