//! Runs several engines in parallel; the first answer stops the other engines.

use super::cadical::CadicalVerdict;
use super::error::EngineError;
use super::solved::SolverAnswer;
use mmasmt_numbers::base::limits::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The first answer of several engines.
#[derive(Debug)]
pub enum RaceOutcome<T> {
    /// The answer of the embedded engine, perhaps undecided.
    Own(T),
    /// The name of a rival, and its answer.
    Rival(String, SolverAnswer),
}

/// A function that runs a solver within limits.
type Solve<'x> = Box<dyn FnOnce(&Limits) -> Result<SolverAnswer, EngineError> + Send + 'x>;

/// A solver that runs beside the embedded engine.
pub struct Rival<'x> {
    /// The name and version of the solver.
    pub name: String,
    /// Runs the solver.
    pub solve: Solve<'x>,
}

/// Runs `own`, the embedded engine called `name`, on this thread, and each rival on a thread of its
/// own. `own` returns its result and its verdict. Rivals that fail or stay undecided are ignored.
/// All engines have ended when this function returns.
///
/// # Errors
/// If engines disagree, or a rival gives a model that does not satisfy the formula.
pub fn race<T>(
    rivals: Vec<Rival<'_>>,
    limits: &Limits,
    name: &str,
    own: impl FnOnce(&Limits) -> (T, CadicalVerdict),
) -> Result<RaceOutcome<T>, EngineError> {
    let decided = Arc::new(AtomicBool::new(false));
    let limits = limits.until(Arc::clone(&decided));
    let decide = |verdict| {
        if is_answer(verdict) {
            decided.store(true, Ordering::Relaxed);
        }
    };
    let ask = |rival: Rival<'_>| {
        let solved = limits.run(|| (rival.solve)(&limits));
        match solved.unwrap_or_else(|stopped| Ok(SolverAnswer::unknown(stopped))) {
            Ok(solved) => {
                decide(solved.verdict);
                Ok(is_answer(solved.verdict).then_some((rival.name, solved)))
            }
            Err(error @ EngineError::WrongModel { .. }) => {
                decided.store(true, Ordering::Relaxed);
                Err(error)
            }
            Err(_) => Ok(None),
        }
    };
    let ((found, verdict), answers) = thread::scope(|scope| {
        let ask = &ask;
        let threads: Vec<_> = rivals
            .into_iter()
            .map(|rival| scope.spawn(move || ask(rival)))
            .collect();
        let own = own(&limits);
        decide(own.1);
        let answers = threads.into_iter().map(|thread| match thread.join() {
            Ok(answer) => answer,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        let answers: Result<Vec<_>, EngineError> = answers.collect();
        (own, answers)
    });
    let answers: Vec<_> = answers?.into_iter().flatten().collect();
    // Several rivals may have answered.
    let others = answers
        .iter()
        .map(|(name, solved)| (name.clone(), solved.verdict));
    let verdicts: Vec<_> = others.chain([(name.to_owned(), verdict)]).collect();
    let who = |wanted| verdicts.iter().find(|(_, verdict)| *verdict == wanted);
    if let (Some((sat, _)), Some((unsat, _))) =
        (who(CadicalVerdict::Sat), who(CadicalVerdict::Unsat))
    {
        let (sat, unsat) = (sat.clone(), unsat.clone());
        return Err(EngineError::Disagree { sat, unsat });
    }
    Ok(match answers.into_iter().next() {
        Some((name, solved)) if !is_answer(verdict) => RaceOutcome::Rival(name, solved),
        _ => RaceOutcome::Own(found),
    })
}

fn is_answer(verdict: CadicalVerdict) -> bool {
    !matches!(verdict, CadicalVerdict::Unknown(_))
}
