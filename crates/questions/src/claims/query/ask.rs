//! Answers questions: checks for vacuity, searches for inputs, replays and simplifies them.

use super::answer::{Answer, Ended, QueryError, Witness};
use super::attempt::{refutation, report_wrong_rule};
use super::engines::search;
use super::minimise::minimise;
use super::options::{Engine, Options};
use super::portfolio::SearchOutcome;
use super::question::{DomainGoal, Question};
use super::replay::Replay;
use crate::claims::property::{Claim, SymbolicInputs};
use crate::solver::engine::{CadicalSearch, CadicalVerdict, Goal, Strategy, solver_version};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::term::scope;

/// Looks for finite inputs on which `left` and `right` give different registers.
///
/// # Errors
/// If [`answer`] fails, or if the models do not have the same signature.
pub fn distinguish(
    left: &Model,
    right: &Model,
    options: &Options,
    limits: &Limits,
) -> Result<Answer, QueryError> {
    answer(&Question::difference(left, right, None)?, options, limits)
}

/// Looks for inputs that refute `claim`, which holds if there are none.
///
/// # Errors
/// If [`answer`] fails.
pub fn prove(claim: &Claim, options: &Options, limits: &Limits) -> Result<Answer, QueryError> {
    answer(&Question::refuting(claim), options, limits)
}

/// Looks for as many inputs that answer `question` as `options` asks for, or for a proof that there
/// are no more such inputs. All inputs found have been replayed on words and on big integers.
///
/// # Errors
/// If an engine other than the embedded one fails, or if inputs found do not survive their replay.
pub fn answer(
    question: &Question,
    options: &Options,
    limits: &Limits,
) -> Result<Answer, QueryError> {
    limits.report(|report| report.question = question.short_text());
    let mut open = question.clone();
    let mut answer = Answer {
        witnesses: Vec::new(),
        ended: Ended::Enough,
        engines: Vec::new(),
    };
    while answer.witnesses.len() < options.count.max(1) {
        let is_first = answer.witnesses.is_empty();
        let next = limits.run(|| scope(|| next(&open, is_first, options, limits)));
        let unknown = |stopped| (Err(Ended::Unknown(stopped)), options.engine.describe());
        let (next, engine) = next.unwrap_or_else(|stopped| Ok(unknown(stopped)))?;
        if !answer.engines.contains(&engine) {
            answer.engines.push(engine);
        }
        match next {
            Ok(witness) => {
                open = open.except([&witness.inputs]);
                answer.witnesses.push(witness);
            }
            Err(ended) => {
                answer.ended = ended;
                break;
            }
        }
    }
    Ok(answer)
}

/// A witness, or why there is no other witness; and the engine that says so.
type NextWitness = (Result<Witness, Ended>, String);

fn next(
    question: &Question,
    is_first: bool,
    options: &Options,
    limits: &Limits,
) -> Result<NextWitness, QueryError> {
    let vacuity = || is_first.then(|| vacuity(question, options.seed, limits))?;
    let is_own = !matches!(options.engine, Engine::Other(_));
    // Tries proofs that need no formula, which work for any number of products.
    let at_once = || is_own.then(|| question.known_at_once())?;
    // A claim about no inputs does not count as proved, even if one of the methods would prove it.
    if let Some(ended) = vacuity() {
        return Ok((Err(ended), solver_version()));
    }
    let inputs = SymbolicInputs::new(question.signature());
    let mut replay = Replay::of(question);
    let (found, engine) = match at_once() {
        Some(by) => (SearchOutcome::Nothing { by }, solver_version()),
        None => search(question, &inputs, options, limits, &mut replay)?,
    };
    let found = match found {
        SearchOutcome::Inputs(found) => found,
        SearchOutcome::Nothing { by } => {
            let refuted = (!by.is_solved())
                .then(|| refutation(question, options.attempt, options.seed, limits));
            let Some(found) = refuted.flatten() else {
                return Ok((Err(Ended::NoMore { by }), engine));
            };
            report_wrong_rule(question, by, &found);
            found
        }
        SearchOutcome::Unknown(stopped) => return Ok((Err(Ended::Unknown(stopped)), engine)),
    };
    let mut witness = replay.confirmed(&found)?;
    if let Some(budget) = options.minimise {
        // If errors are compared, the solver hardly ever finds simpler inputs than simplification
        // without a solver.
        let budget = if question.compares_errors() {
            budget / 2
        } else {
            budget
        };
        let limits = limits.within(budget);
        let simple = minimise(question, &inputs, witness.inputs, &limits, &mut replay);
        witness = replay.confirmed(&simple.inputs)?;
        witness.simplest = Some(simple.proved);
    }
    Ok((Ok(witness), engine))
}

/// `Ended::Vacuous` if the question is about no inputs, `None` if it is about some, and
/// `Ended::Unknown` if this is not known.
fn vacuity(question: &Question, seed: u64, limits: &Limits) -> Option<Ended> {
    if question.is_about_all_finite() || question.has_inputs() {
        return None;
    }
    let inputs = SymbolicInputs::new(question.signature());
    let met = DomainGoal(question).formula(&inputs.by_number());
    match met.as_constant() {
        Some(true) => return None,
        Some(false) => return Some(Ended::Vacuous),
        None => {}
    }
    let mut search = CadicalSearch::new(Strategy::Witness, seed);
    search.assert(met);
    match search.solve(&[], limits) {
        CadicalVerdict::Sat => None,
        CadicalVerdict::Unsat => Some(Ended::Vacuous),
        CadicalVerdict::Unknown(stopped) => Some(Ended::Unknown(stopped)),
    }
}
