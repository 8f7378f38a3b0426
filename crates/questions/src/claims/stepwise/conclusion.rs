//! A claim as what a certificate proves, and the facts that this needs.

use super::error::NoCertificate;
use super::steps::mode;
use crate::claims::monotone::MovingOperands;
use crate::claims::property::{Claim, EqualResults, Property, Rounds};
use mmasmt_core::machines::model::Model;
use serde_json::{Value, json};

/// The models that a certificate is about, the facts of their steps, and what follows from these.
pub(super) struct Conclusion<'x> {
    pub(super) models: Vec<&'x Model>,
    pub(super) needs: FactNeeds,
    /// What may be proved; the first that the checker accepts is written.
    pub(super) proves: Vec<Value>,
}

/// The facts of steps that a conclusion needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FactNeeds {
    /// Multiples and magnitudes.
    Magnitudes,
    /// The direction in which values move.
    Directions(MovingOperands),
    /// What values are functions of.
    Summands,
    /// Bounds of errors and magnitudes.
    Bounds,
    /// The steps alone.
    Nothing,
}

/// The conclusion that proves the claim.
///
/// # Errors
/// If no certificate is about such claims.
pub(super) fn conclusion(claim: &Claim) -> Result<Conclusion<'_>, NoCertificate> {
    let exact = json!({"exact": true});
    let rounded = |mode: &str| json!({"rounded": mode});
    let (needs, proves) = match &claim.property {
        Property::Exact(_) | Property::NoOverflow(_) => (FactNeeds::Magnitudes, vec![exact]),
        Property::Rounds(Rounds(by)) => (FactNeeds::Magnitudes, vec![exact, rounded(&mode(*by))]),
        Property::ExactSums(_) | Property::Faithful(_) => {
            (FactNeeds::Magnitudes, vec![exact, rounded("any")])
        }
        Property::MonotoneInC(_) => {
            let proves = json!({"monotone_in": "c"});
            (FactNeeds::Directions(MovingOperands::C), vec![proves])
        }
        Property::MonotoneInProducts(_) => {
            let proves = json!({"monotone_in": "products"});
            (
                FactNeeds::Directions(MovingOperands::Products),
                vec![proves],
            )
        }
        Property::OrderIndependent(_) => {
            let by_structure = json!({"order": "by structure"});
            (FactNeeds::Nothing, vec![by_structure])
        }
        Property::FactorIndependent(_) => (FactNeeds::Summands, vec![json!({"summands": true})]),
        Property::FiniteResults(_) => (FactNeeds::Bounds, vec![json!({"finite": true})]),
        Property::SignSymmetric(_) => {
            let proves = json!({"sign_symmetric": true});
            (FactNeeds::Magnitudes, vec![proves])
        }
        Property::Equal(EqualResults(other)) => {
            return Ok(Conclusion {
                models: vec![&claim.model, other],
                needs: FactNeeds::Magnitudes,
                proves: vec![json!({"alike": true})],
            });
        }
        _ => return Err(NoCertificate::Claim),
    };
    Ok(Conclusion {
        models: vec![&claim.model],
        needs,
        proves,
    })
}
