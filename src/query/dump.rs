//! Questions as SMT-LIB scripts, for any solver.

use super::distinguish::{Distinguish, QueryError, common_signature, difference};
use super::goal::{ClaimGoal, assumed};
use crate::algorithms::Signature;
use crate::bits::term::scope;
use crate::engine::{Goal, Script, plain_script};
use crate::model::Model;
use crate::property::{Claim, SymbolicInputs};

/// The question of [`distinguish`](super::distinguish()) as an SMT-LIB script, for any solver: satisfiable iff the models
/// differ somewhere. `plain` is without any simplification of ours.
///
/// # Errors
/// If the models do not have the same signature.
pub fn script(
    left: &Model,
    right: &Model,
    options: &Distinguish,
    plain: bool,
) -> Result<String, QueryError> {
    let signature = common_signature(left, right)?;
    let about = format!(
        "satisfiable iff these models give different results on {}\n{}\n{}\n{}",
        assumed(options.specials, options.domain.as_ref()),
        left.canonical(),
        right.canonical(),
        signature,
    );
    Ok(dumped(
        &difference([left, right], options),
        &signature,
        &about,
        plain,
    ))
}

/// The negation of a claim as an SMT-LIB script, for any solver: satisfiable iff the claim does not
/// hold. `plain` is without any simplification of ours.
pub fn claim_script(claim: &Claim, plain: bool) -> String {
    let signature = claim.model.signature();
    let about = format!(
        "unsatisfiable iff this claim holds: {claim}\n{}\n{}",
        claim.model.canonical(),
        signature,
    );
    dumped(&ClaimGoal::Refuted(claim), &signature, &about, plain)
}

/// The script of a goal, with comments.
fn dumped(goal: &impl Goal, signature: &Signature, about: &str, plain: bool) -> String {
    let about = format!(
        "mmasmt {}: {about}\n\
         inputs are registers in native bits; one that is not declared does not matter",
        env!("CARGO_PKG_VERSION")
    );
    if plain {
        return plain_script(goal, &about);
    }
    scope(|| {
        let inputs = SymbolicInputs::new(*signature);
        let whole = goal.formula(&inputs.by_number());
        Script::new(whole, |index| inputs.name(index), &about)
            .text()
            .to_owned()
    })
}
