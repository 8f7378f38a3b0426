//! The errors of one model: over random operands, the largest one that is found, and a bound.

use super::distribution::{Distribution, distribution};
use super::exponents::Operands;
use crate::limits::Limits;
use crate::measure::Quotient;
use crate::model::Model;
use crate::property::{Domain, DomainError};
use crate::vectors::Inputs;
use crate::worst::{ErrorBound, error_bound, worst};
use thiserror::Error;

/// The errors of one model.
#[derive(Clone, Debug)]
pub struct Errors {
    /// Over random operands.
    pub distribution: Distribution,
    /// The largest error that was found, by a search or among the random operands.
    pub worst: (Inputs, Quotient),
    /// What no error exceeds, where that is known; relative to the sum of magnitudes.
    pub bound: Option<ErrorBound>,
}

/// Why there are no errors of a model.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The operands have no such numbers.
    #[error("{0}")]
    Exponents(String),
    /// The domain of the search.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// A limit was reached.
    #[error("a limit was reached before all operands were drawn")]
    Stopped,
}

/// The errors of `model` for such operands.
///
/// # Errors
/// If a format lacks the exponents, the model has block scales, or a limit is reached.
pub fn errors(model: &Model, operands: &Operands, limits: &Limits) -> Result<Errors, CompareError> {
    let signature = model.signature();
    let Operands {
        exponents,
        measure,
        seed,
        ..
    } = *operands;
    exponents.fit(&signature).map_err(CompareError::Exponents)?;
    let domain = Domain::parse(&exponents.domain(), &signature)?;
    let distribution = distribution(model, operands, limits).ok_or(CompareError::Stopped)?;
    let searched = worst(model, measure, &domain, seed, limits);
    let drawn = (
        distribution.largest.inputs.clone(),
        distribution.largest.error.clone(),
    );
    let worst = match searched {
        Some(found) if found.error > drawn.1 => (found.inputs, found.error),
        _ => drawn,
    };
    Ok(Errors {
        distribution,
        worst,
        bound: error_bound(model),
    })
}
