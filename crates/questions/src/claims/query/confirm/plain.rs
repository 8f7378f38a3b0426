//! Confirmation of a proof by another engine, on the formula that the model gives: the term layer,
//! the gates and the embedded solver take no part in it.

use super::confirmation::{ConfirmError, Confirmation, ConfirmationRequest};
use crate::claims::property::registers_of;
use crate::claims::query::question::Question;
use crate::solver::engine::{CadicalVerdict, EngineError, Goal, Solver, SolverAnswer};
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::bits::Input;
use std::time::Instant;

/// A question, and its answer in words, which says that no inputs meet the question.
pub(super) struct AnsweredGoal<'x> {
    pub question: &'x Question,
    pub answer: &'static str,
}

impl AnsweredGoal<'_> {
    /// Asks one engine to prove again that no inputs meet `goal`.
    pub fn confirmed(
        &self,
        goal: &impl Goal,
        solver: &Solver,
        confirm: &ConfirmationRequest,
        limits: &Limits,
    ) -> Result<Confirmation, ConfirmError> {
        let engine = solver.describe();
        limits.report(|report| report.step = format!("confirming by {engine}"));
        let start = Instant::now();
        let limits = limits.within(confirm.time);
        let missing = match solver.solve_plain(goal, confirm.seed, &limits) {
            Ok(solved) => match solved.verdict {
                CadicalVerdict::Unsat => None,
                CadicalVerdict::Sat => return Err(self.contradicted(goal, engine, &solved)),
                CadicalVerdict::Unknown(Stopped::TimeLimit) => {
                    Some(format!("no answer in {} s", confirm.time.as_secs_f64()))
                }
                CadicalVerdict::Unknown(stopped) => Some(stopped.describe().to_owned()),
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

    fn contradicted(
        &self,
        goal: &impl Goal,
        engine: String,
        solved: &SolverAnswer,
    ) -> ConfirmError {
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
