//! Confirmation of proofs by other engines. If an answer is that there are no inputs, it is proved
//! again on the formula that the model gives, which nothing simplified. If it rests on facts, it is
//! proved again fact by fact.

mod confirmation;
mod facts;
mod plain;

pub use confirmation::{
    ConfirmError, Confirmation, ConfirmationRequest, FactsConfirmed, MissingFact,
};
pub use facts::facts;

use super::answer::{Answer, Ended};
use super::basis::Basis;
use super::question::{DomainGoal, Question};
use crate::solver::engine::Solver;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use plain::AnsweredGoal;

/// Asks other engines to confirm an answer and returns their outcomes. The answer is that there are
/// no inputs, that there are no other inputs, or that the question is about no inputs. Other
/// answers have no outcomes, since their inputs are replayed.
///
/// # Errors
/// If an engine contradicts the answer, or gives inputs that do not survive their replay.
pub fn confirm(
    question: &Question,
    answer: &Answer,
    confirm: &ConfirmationRequest,
    limits: &Limits,
) -> Result<Vec<Confirmation>, ConfirmError> {
    let question = question.clone();
    let question = question.except(answer.witnesses.iter().map(|witness| &witness.inputs));
    let said = |answer| AnsweredGoal {
        question: &question,
        answer,
    };
    let each = confirm.by.iter();
    match answer.ended {
        Ended::NoMore {
            by: Basis::Facts { .. },
        } => match facts(&question, confirm.seed, limits) {
            Ok(facts) => facts.confirmed(&question.to_string(), confirm, limits),
            Err(stopped) => Ok(each.map(|solver| unasked(solver, stopped)).collect()),
        },
        Ended::NoMore { .. } => each
            .map(|solver| said("proved").confirmed(&question, solver, confirm, limits))
            .collect(),
        Ended::Vacuous => each
            .map(|solver| {
                said("found vacuous").confirmed(&DomainGoal(&question), solver, confirm, limits)
            })
            .collect(),
        Ended::Enough | Ended::Unknown(_) => Ok(Vec::new()),
    }
}

/// The outcome for a solver that was not asked, because the facts were not found again.
fn unasked(solver: &Solver, stopped: Stopped) -> Confirmation {
    let stopped = stopped.describe();
    Confirmation {
        engine: solver.describe(),
        seconds: 0.0,
        missing: Some(format!("the facts were not found again: {stopped}")),
        facts: None,
    }
}
