//! Confirmation, fact by fact, of an answer that rests on facts. Other engines do not answer the
//! whole question, but each of them can check the facts that the solver proved on the way. A step
//! by rewriting is no formula, so that no engine is asked about it.

use super::confirmation::{
    ConfirmError, Confirmation, ConfirmationRequest, FactsConfirmed, MissingFact,
};
use crate::claims::property::SymbolicInputs;
use crate::claims::query::basis::{Basis, ReasoningOutcome};
use crate::claims::query::question::Question;
use crate::claims::query::reason::reason;
use crate::claims::stages::{Ledger, Obligation, Obligations};
use crate::solver::engine::{CadicalVerdict, EngineError, Goal, Solver, SolverAnswer};
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::bits::term::{below_limits, scope};
use std::time::{Duration, Instant};

/// The facts on which the answer to `question` rests, if this answer is that no inputs meet it. The
/// facts are found again, by the same steps from the same `seed`.
///
/// # Errors
/// If the facts are not found within the limits.
pub fn facts(question: &Question, seed: u64, limits: &Limits) -> Result<Obligations, Stopped> {
    limits.report(|report| report.step = "finding the facts again".into());
    let compared = limits.run(|| {
        scope(|| {
            let inputs = SymbolicInputs::new(question.signature());
            let whole = below_limits(question.formula(&inputs.by_number()));
            let mut ledger = Ledger::keeping(question.inputs());
            match reason(question, &inputs, whole, seed, limits, &mut ledger) {
                ReasoningOutcome::Never(Basis::Facts { .. }) => Ok(ledger.kept),
                _ => Err(limits.stopped().unwrap_or(Stopped::GaveUp)),
            }
        })
    });
    compared.and_then(|kept| kept)
}

impl Obligations {
    /// The outcome of each engine in `confirm` for these facts; `what` is the answer that rests on
    /// them.
    ///
    /// # Errors
    /// If an engine contradicts a fact, or gives values that do not satisfy its formulas.
    pub fn confirmed(
        &self,
        what: &str,
        confirm: &ConfirmationRequest,
        limits: &Limits,
    ) -> Result<Vec<Confirmation>, ConfirmError> {
        let each = confirm.by.iter();
        each.map(|solver| self.confirmed_by(solver, what, confirm, limits))
            .collect()
    }

    fn confirmed_by(
        &self,
        solver: &Solver,
        what: &str,
        confirm: &ConfirmationRequest,
        limits: &Limits,
    ) -> Result<Confirmation, ConfirmError> {
        let engine = solver.describe();
        let start = Instant::now();
        let whole = limits.within(confirm.time);
        // The facts that have no answer yet, each with the time spent on it.
        let mut open: Vec<_> = self.each().map(|one| (one, Duration::ZERO)).collect();
        let mut failed = Vec::new();
        // First each fact gets an equal share of the time, with the options of the solver's
        // alternative strategy. Then the facts that still have no answer share the rest, with the
        // usual options.
        for solver in [&solver.other_way(), solver] {
            let mut late = Vec::new();
            let count = open.len() as u32;
            for (number, (one, before)) in (0..).zip(std::mem::take(&mut open)) {
                limits.report(|report| {
                    report.step = format!("confirming by {engine}, fact {} of {count}", number + 1);
                });
                let share = confirm.time.saturating_sub(start.elapsed()) / (count - number);
                if share <= before {
                    late.push((one, before));
                    continue;
                }
                match asked(solver, one, confirm.seed, &whole.within(share))? {
                    FactVerdict::Confirmed => {}
                    FactVerdict::Late => late.push((one, share)),
                    FactVerdict::Failed(reason) => failed.push((one, reason)),
                    FactVerdict::Contradicted(solved) => {
                        return Err(ConfirmError::FactContradicted {
                            engine,
                            what: what.to_owned(),
                            fact: one.name.clone(),
                            values: one.script.values(&solved),
                        });
                    }
                }
            }
            open = late;
        }
        let late = |time: Duration| format!("no answer in {:.2} s", time.as_secs_f64());
        failed.extend(open.into_iter().map(|(one, time)| (one, late(time))));
        Ok(self.confirmation(engine, start.elapsed(), &failed))
    }

    fn confirmation(
        &self,
        engine: String,
        time: Duration,
        missing: &[(&Obligation, String)],
    ) -> Confirmation {
        let is_missing =
            |one: &Obligation| missing.iter().any(|(other, _)| std::ptr::eq(*other, one));
        let facts = FactsConfirmed {
            facts: self.facts.len(),
            confirmed: self.facts.iter().filter(|one| !is_missing(one)).count(),
            derived: self.derived,
            last: self.last.as_ref().map(|last| !is_missing(last)),
            missing: missing
                .iter()
                .map(|(one, reason)| MissingFact {
                    fact: one.name.clone(),
                    reason: reason.clone(),
                })
                .collect(),
        };
        let reason = missing.first();
        Confirmation {
            engine,
            seconds: time.as_secs_f64(),
            missing: reason.map(|(one, reason)| format!("{}: {reason}", one.name)),
            facts: Some(facts),
        }
    }
}

/// The outcome of one engine for one fact.
enum FactVerdict {
    Confirmed,
    /// The engine had no answer in time.
    Late,
    /// The engine cannot answer.
    Failed(String),
    /// The engine found values that satisfy the formulas, and a check confirms that they do.
    Contradicted(SolverAnswer),
}

fn asked(
    solver: &Solver,
    one: &Obligation,
    seed: u64,
    limits: &Limits,
) -> Result<FactVerdict, ConfirmError> {
    match solver.solve_script(&one.script, seed, limits) {
        Ok(solved) => Ok(match solved.verdict {
            CadicalVerdict::Unsat => FactVerdict::Confirmed,
            CadicalVerdict::Sat => FactVerdict::Contradicted(solved),
            CadicalVerdict::Unknown(Stopped::TimeLimit) => FactVerdict::Late,
            CadicalVerdict::Unknown(stopped) => FactVerdict::Failed(stopped.describe().to_owned()),
        }),
        Err(error @ EngineError::WrongModel { .. }) => Err(error.into()),
        Err(error) => Ok(FactVerdict::Failed(error.to_string())),
    }
}
