//! Proofs again: an answer that there are no inputs, asked of another engine on the formula as the
//! model wrote it. Term layer, gates and embedded solver have no part in it. An answer that rests on facts
//! is confirmed fact by fact instead.

mod facts;

use super::answer::{Answer, Ended};
use super::basis::Basis;
use super::question::{About, Question};
use crate::engine::{EngineError, Goal, Input, Limits, Solved, Solver, Stopped, Verdict};
use crate::property::registers_of;
use std::time::{Duration, Instant};
use thiserror::Error;

pub use facts::{FactsConfirmed, facts};

/// Who is to confirm, and for how long.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Confirm {
    /// Each of these.
    pub by: Vec<Solver>,
    /// How long each may take.
    pub time: Duration,
    /// What their choices start from.
    pub seed: u64,
}

impl Confirm {
    /// Each of these solvers, for so long, its choices from seed 0.
    pub fn new(by: Vec<Solver>, time: Duration) -> Self {
        Confirm { by, time, seed: 0 }
    }

    /// The solvers' choices start from this number.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Confirm { seed, ..self }
    }
}

/// What one engine made of a proof.
#[derive(Clone, Debug)]
#[non_exhaustive]
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

/// What other engines make of an answer that there are no inputs, no others, or nothing that is asked
/// about. Nothing for other answers, which are replayed.
///
/// # Errors
/// If an engine contradicts it, or gives inputs that do not survive their replay.
pub fn confirm(
    question: &Question,
    answer: &Answer,
    confirm: &Confirm,
    limits: &Limits,
) -> Result<Vec<Confirmation>, ConfirmError> {
    let question = question.clone();
    let question = question.except(answer.witnesses.iter().map(|witness| &witness.inputs));
    let said = |answer| Said {
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
                said("found vacuous").confirmed(&About(&question), solver, confirm, limits)
            })
            .collect(),
        Ended::Enough | Ended::Unknown(_) => Ok(Vec::new()),
    }
}

/// That a solver was not asked, as the facts were not found again.
fn unasked(solver: &Solver, stopped: Stopped) -> Confirmation {
    let stopped = stopped.describe();
    Confirmation {
        engine: solver.describe(),
        seconds: 0.0,
        missing: Some(format!("the facts were not found again: {stopped}")),
        facts: None,
    }
}

/// What is said of a question that nothing answers.
struct Said<'x> {
    question: &'x Question,
    answer: &'static str,
}

impl Said<'_> {
    /// What one engine says of a goal that nothing meets, it is said.
    fn confirmed(
        &self,
        goal: &impl Goal,
        solver: &Solver,
        confirm: &Confirm,
        limits: &Limits,
    ) -> Result<Confirmation, ConfirmError> {
        let engine = solver.describe();
        limits.report(|report| report.step = format!("confirming by {engine}"));
        let start = Instant::now();
        let limits = limits.within(confirm.time);
        let missing = match solver.solve_plain(goal, confirm.seed, &limits) {
            Ok(solved) => match solved.verdict {
                Verdict::Unsat => None,
                Verdict::Sat => return Err(self.contradicted(goal, engine, &solved)),
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

    fn contradicted(&self, goal: &impl Goal, engine: String, solved: &Solved) -> ConfirmError {
        let value = |input: &Input| solved.values.get(&input.index).copied().unwrap_or(0);
        let values: Vec<u64> = goal.inputs().iter().map(value).collect();
        let signature = self.question.signature();
        let inputs = registers_of(&signature, &values);
        let inputs = self.question.domain().fixed_bits(&inputs);
        ConfirmError::Contradicted {
            engine,
            answer: self.answer,
            what: format!("`{}`", self.question),
            line: inputs.to_line(&signature),
        }
    }
}
