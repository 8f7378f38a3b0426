//! Claims that follow from correct rounding, which is easier to prove than the claims.

use super::basis::Basis;
use crate::claims::property::{Claim, SymbolicInputs};
use crate::inputs::Sampler;
use crate::solver::engine::{CadicalSearch, CadicalVerdict, Strategy};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::base::limits::work;
use mmasmt_numbers::bits::Big;
use mmasmt_numbers::bits::term::Formula;
use mmasmt_numbers::float::Rounding;

/// The number of samples that may show early that a model rounds in another way.
const SAMPLES: u32 = 64;
/// The most conflicts that a proof of correct rounding may take.
const EFFORT: u32 = 20_000;

/// A proof of the claim, if the model rounds correctly by construction.
pub(super) fn by_construction(claim: &Claim, seed: u64) -> Option<Basis> {
    let is_never = |formula: Formula| formula.as_constant() == Some(false);
    by_rounding(claim, seed, is_never, false)
}

/// A proof of the claim, if the solver finds that the model rounds correctly.
pub(super) fn by_solver(claim: &Claim, seed: u64, limits: &Limits) -> Option<Basis> {
    let limits = limits.with_conflicts(EFFORT);
    let is_never = |formula: Formula| {
        let mut search = CadicalSearch::new(Strategy::Proof, seed);
        search.assert(formula);
        search.solve(&[], &limits) == CadicalVerdict::Unsat
    };
    by_rounding(claim, seed, is_never, true)
}

fn by_rounding(
    claim: &Claim,
    seed: u64,
    is_never: impl Fn(Formula) -> bool,
    solved: bool,
) -> Option<Basis> {
    let signature = claim.model.signature();
    let candidates = claim.follows_from().iter().copied();
    let candidates: Vec<_> = candidates.filter(|r| agrees(claim, *r, seed)).collect();
    let inputs = SymbolicInputs::new(signature).registers;
    let rounding = candidates
        .into_iter()
        .find(|rounding| is_never(claim.rounds_otherwise(*rounding, &inputs)))?;
    Some(Basis::Rounding { rounding, solved })
}

fn agrees(claim: &Claim, rounding: Rounding, seed: u64) -> bool {
    let signature = claim.model.signature();
    let mut sampler = Sampler::new(signature, seed);
    (0..SAMPLES).all(|_| {
        // The work of two runs on big integers, or of four.
        work(1000 * u64::from(signature.products + 8));
        let inputs = sampler.sample().lifted::<Big>(&signature);
        !claim.rounds_otherwise(rounding, &inputs)
    })
}
