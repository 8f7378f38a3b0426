//! Reasons about a question in other ways than by a search for inputs that answer it.

use super::basis::{Basis, FactSubject, ReasoningOutcome};
use super::lemmas::follows;
use super::question::Question;
use super::rounded;
use crate::claims::property::{ErrorLimit, Property, SymbolicInputs};
use crate::claims::stages::{Ledger, StageComparison, compare};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::bits::term::Formula;

/// The number of search turns before cut points and lemmas are tried.
pub(super) const EASY_TURNS: u32 = 1;

/// Compares two models stage by stage, or proves a claim from correct rounding or by the lemmas of
/// its property. `whole` is the formula of the question for `inputs`. Proofs by the solver are
/// recorded in `ledger`.
pub fn reason(
    question: &Question,
    inputs: &SymbolicInputs,
    whole: Formula,
    seed: u64,
    limits: &Limits,
    ledger: &mut Ledger,
) -> ReasoningOutcome {
    let Some(claim) = question.claim() else {
        return ReasoningOutcome::Unknown;
    };
    if let Some(models) = claim.property.compared(&claim.model) {
        let (registers, assumed) = question.assumed(&inputs.registers);
        let assumed = Formula::all(assumed);
        let registers = (inputs, &registers);
        return match compare(models, registers, assumed, whole, seed, limits, ledger) {
            StageComparison::By(inputs) => ReasoningOutcome::By(inputs),
            StageComparison::Unknown => ReasoningOutcome::Unknown,
            StageComparison::Never {
                solved: 0,
                derived: 0,
            } => ReasoningOutcome::Never(Basis::Solver),
            StageComparison::Never { solved, derived } => ReasoningOutcome::Never(Basis::Facts {
                about: FactSubject::Stages,
                solved,
                derived,
            }),
        };
    }
    if let Some(by) = rounded::by_solver(claim, seed, limits) {
        return ReasoningOutcome::Never(by);
    }
    let lemmas = claim.lemmas(&inputs.registers);
    if follows(whole, &lemmas, seed, limits, ledger) {
        ReasoningOutcome::Never(Basis::Facts {
            about: FactSubject::Property,
            solved: lemmas.len(),
            derived: 0,
        })
    } else {
        ReasoningOutcome::Unknown
    }
}

/// The number of search turns before [`reason`] is tried.
pub(super) fn turns_before(question: &Question) -> u32 {
    match question.claim().map(|claim| &claim.property) {
        // A search never proves a bound that lemmas prove.
        Some(Property::Error(ErrorLimit::Units(_))) => 0,
        _ => EASY_TURNS,
    }
}

/// A proof of a claim without any search, if its model rounds correctly by construction.
pub(super) fn known_by_rounding(question: &Question, seed: u64) -> Option<Basis> {
    rounded::by_construction(question.claim()?, seed)
}
