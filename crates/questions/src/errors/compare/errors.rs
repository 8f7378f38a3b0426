//! The errors of one model: over random operands, the largest error that is found, and a bound.

use super::distribution::{Distribution, distribution};
use super::operands::OperandDraw;
use crate::claims::property::{Domain, DomainError};
use crate::claims::query::WRONG_RULE;
use crate::errors::worst::{Judge, Search, worst};
use crate::vectors::measure::Quotient;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use thiserror::Error;

/// The errors of one model.
#[derive(Clone, Debug)]
pub struct Errors {
    /// The distribution of the errors over random operands.
    pub distribution: Distribution,
    /// The largest error that was found, by a search or among the random operands.
    pub worst: (Inputs, Quotient),
    /// A bound of the errors of finite results on all operands that can be drawn; `None` if no bound
    /// is known.
    pub bound: Option<Quotient>,
}

/// Why the errors of a model are not measured.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The formats of the operands have no numbers with the exponents that are asked for.
    #[error("{0}")]
    Exponents(String),
    /// The domain of the search is wrong.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// A limit was reached before all operands were drawn.
    #[error("a limit was reached before all operands were drawn")]
    Stopped,
}

/// Measures the errors of `model` for these operands.
///
/// # Errors If a format lacks the exponents, the model has block scales or takes integers, or a
/// limit is reached.
pub fn errors(
    model: &Model,
    operands: &OperandDraw,
    limits: &Limits,
) -> Result<Errors, CompareError> {
    let signature = model.signature();
    operands.fit(&signature).map_err(CompareError::Exponents)?;
    let domain = Domain::parse(&operands.domain(), &signature)?;
    let distribution = distribution(model, operands, limits).ok_or(CompareError::Stopped)?;
    let search = Search {
        measure: operands.measure,
        seed: operands.seed,
        excuses_underflow: false,
    };
    let mut judge = Judge::new(model, search, &domain);
    let (searched, _) = worst(&mut judge, limits);
    if let Some(found) = searched.as_ref().filter(|found| judge.exceeds_bound(found)) {
        let line = found.inputs.to_line(&signature);
        log::error!(
            target: WRONG_RULE,
            "a rule was wrong, please report this: the error of `{model}` on `{line}` exceeds its proved bound"
        );
    }
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
        bound: judge.greatest(),
    })
}
