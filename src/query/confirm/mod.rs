//! Proofs again: an answer that there are no inputs, asked of another engine on the formula as the
//! model wrote it. Term layer, gates and embedded solver have no part in it. An answer that rests on facts
//! is confirmed fact by fact instead.

mod facts;

use super::basis::Basis;
use super::distinguish::{Answer, Distinguish, Found, difference};
use super::goal::{ClaimGoal, Difference};
use super::obligations::Obligations;
use super::prove::Outcome;
use crate::engine::{EngineError, Goal, Input, Limits, Solved, Solver, Stopped, Verdict};
use crate::model::Model;
use crate::property::{Claim, Domain, registers_of};
use std::time::{Duration, Instant};
use thiserror::Error;

pub use facts::{FactsConfirmed, found_facts, outcome_facts};

/// Who is to confirm, and for how long.
#[derive(Clone, Debug)]
pub struct Confirm {
    /// Each of these.
    pub by: Vec<Solver>,
    /// How long each may take.
    pub time: Duration,
    /// What their choices start from.
    pub seed: u64,
}

/// What one engine made of a proof.
#[derive(Clone, Debug)]
pub struct Confirmation {
    /// Its name and version.
    pub engine: String,
    /// How long it took.
    pub seconds: f64,
    /// Why it did not confirm: it gave no answer, which is no contradiction.
    pub missing: Option<String>,
    /// What it made of each fact, where the answer rests on facts.
    pub facts: Option<FactsConfirmed>,
}

/// Why a confirmation shows that something is broken.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfirmError {
    /// It found inputs where there are said to be none.
    #[error(
        "{engine} contradicts what was {answer}, and its inputs survive their replay on big integers; \
         please report this: {what} on `{line}`"
    )]
    Contradicted {
        /// Its name and version.
        engine: String,
        /// The answer that it contradicts.
        answer: &'static str,
        /// What was asked.
        what: String,
        /// The inputs, as a line of a vector file.
        line: String,
    },
    /// It found values for which a fact does not hold, on which the answer rests.
    #[error(
        "{engine} contradicts a fact that `{what}` rests on, and by our own arithmetic its values do not satisfy \
         the fact either; please report this: {fact}: {values}"
    )]
    FactContradicted {
        /// Its name and version.
        engine: String,
        /// The answer that rests on the fact.
        what: String,
        /// The fact, in words.
        fact: String,
        /// The values, by name of input and number of freed number.
        values: String,
    },
    /// Its inputs do not survive their replay.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// The outcome of [`prove`](super::prove()) by other engines: that a claim holds, or that nothing is
/// in its domain. Nothing for other outcomes, which are replayed.
///
/// # Errors
/// If an engine contradicts it, or gives inputs that do not survive their replay.
pub fn confirm_outcome(
    claim: &Claim,
    outcome: &Outcome,
    confirm: &Confirm,
    limits: &Limits,
) -> Result<Vec<Confirmation>, ConfirmError> {
    let what = format!("`{claim}`");
    match outcome {
        Outcome::Proved { by } => {
            if let Basis::Facts { .. } = by {
                let facts = outcome_facts(claim, outcome, confirm.seed, limits);
                return by_facts(facts, &what, confirm, limits);
            }
            let question = Question {
                goal: ClaimGoal::Refuted(claim),
                model: &claim.model,
                domain: Some(&claim.domain),
                answer: "proved",
                what,
            };
            question.confirmed(confirm, limits)
        }
        Outcome::Vacuous => {
            let question = Question {
                goal: ClaimGoal::About(claim),
                model: &claim.model,
                domain: Some(&claim.domain),
                answer: "found vacuous",
                what,
            };
            question.confirmed(confirm, limits)
        }
        Outcome::Refuted { .. } | Outcome::Unknown(_) => Ok(Vec::new()),
    }
}

/// The answer of [`distinguish`](super::distinguish()) that there are no inputs, or no others, by
/// other engines. Nothing for other answers.
///
/// # Errors
/// If an engine contradicts it, or gives inputs that do not survive their replay.
pub fn confirm_found(
    [left, right]: [&Model; 2],
    options: &Distinguish,
    found: &Found,
    confirm: &Confirm,
    limits: &Limits,
) -> Result<Vec<Confirmation>, ConfirmError> {
    let Answer::NoMore { by } = found.answer else {
        return Ok(Vec::new());
    };
    let what = format!("`{left}` equals `{right}`");
    if let Basis::Facts { .. } = by {
        let facts = found_facts([left, right], options, found, limits);
        return by_facts(facts, &what, confirm, limits);
    }
    let known = found.inputs();
    let question = Question {
        goal: Difference {
            known: &known,
            ..difference([left, right], options)
        },
        model: left,
        domain: options.domain.as_ref(),
        answer: "proved",
        what,
    };
    question.confirmed(confirm, limits)
}

/// What `what` rests on, by other engines.
fn by_facts(
    facts: Result<Option<Obligations>, Stopped>,
    what: &str,
    confirm: &Confirm,
    limits: &Limits,
) -> Result<Vec<Confirmation>, ConfirmError> {
    let stopped = match facts {
        Ok(facts) => return facts.unwrap_or_default().confirmed(what, confirm, limits),
        Err(stopped) => stopped.describe(),
    };
    let unasked = |solver: &Solver| Confirmation {
        engine: solver.describe(),
        seconds: 0.0,
        missing: Some(format!("the facts were not found again: {stopped}")),
        facts: None,
    };
    Ok(confirm.by.iter().map(unasked).collect())
}

/// A goal that nothing meets, it is said.
struct Question<'x, G> {
    goal: G,
    model: &'x Model,
    /// What fixes some of the inputs.
    domain: Option<&'x Domain>,
    answer: &'static str,
    what: String,
}

impl<G: Goal> Question<'_, G> {
    fn confirmed(
        &self,
        confirm: &Confirm,
        limits: &Limits,
    ) -> Result<Vec<Confirmation>, ConfirmError> {
        let each = confirm.by.iter();
        each.map(|solver| self.confirmed_by(solver, confirm, limits))
            .collect()
    }

    fn confirmed_by(
        &self,
        solver: &Solver,
        confirm: &Confirm,
        limits: &Limits,
    ) -> Result<Confirmation, ConfirmError> {
        let engine = solver.describe();
        limits.report(|report| report.step = format!("confirming by {engine}"));
        let start = Instant::now();
        let limits = limits.within(confirm.time);
        let missing = match solver.solve_plain(&self.goal, confirm.seed, &limits) {
            Ok(solved) => match solved.verdict {
                Verdict::Unsat => None,
                Verdict::Sat => return Err(self.contradicted(engine, &solved)),
                Verdict::Unknown(Stopped::TimeLimit) => {
                    Some(format!("no answer in {} s", confirm.time.as_secs_f64()))
                }
                Verdict::Unknown(stopped) => Some(stopped.describe().to_owned()),
            },
            Err(error @ EngineError::WrongModel { .. }) => return Err(error.into()),
            Err(error) => Some(error.to_string()),
        };
        Ok(Confirmation {
            engine,
            seconds: start.elapsed().as_secs_f64(),
            missing,
            facts: None,
        })
    }

    fn contradicted(&self, engine: String, solved: &Solved) -> ConfirmError {
        let value = |input: &Input| solved.values.get(&input.index).copied().unwrap_or(0);
        let values: Vec<u64> = self.goal.inputs().iter().map(value).collect();
        let signature = self.model.signature();
        let mut inputs = registers_of(&signature, &values);
        if let Some(domain) = self.domain {
            inputs = domain.fixed_bits(&inputs);
        }
        ConfirmError::Contradicted {
            engine,
            answer: self.answer,
            what: self.what.clone(),
            line: inputs.to_line(&signature),
        }
    }
}
