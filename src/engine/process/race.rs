//! Several engines side by side: the first answer ends the others.

use super::solver::{SmtSolver, Solved};
use crate::engine::cadical::Verdict;
use crate::engine::error::EngineError;
use crate::engine::limits::Limits;
use crate::engine::smtlib::Script;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Whose answer it is.
#[derive(Debug)]
pub enum Raced<T> {
    /// The embedded engine's, which may be that it is not known.
    Own(T),
    /// That of a solver.
    Solver(SmtSolver, Solved),
}

/// Runs `own` on this thread and each solver beside it; `own` says what it found and its verdict,
/// and is called what `name` says. Solvers that fail lose; nothing is left running.
///
/// # Errors
/// If one engine answers "there are inputs" and another one "there are none".
pub fn race<T>(
    solvers: &[SmtSolver],
    script: &Script,
    seed: u64,
    limits: &Limits,
    name: &str,
    own: impl FnOnce(&Limits) -> (T, Verdict),
) -> Result<Raced<T>, EngineError> {
    let decided = Arc::new(AtomicBool::new(false));
    let limits = limits.until(Arc::clone(&decided));
    let decide = |verdict| {
        if is_answer(verdict) {
            decided.store(true, Ordering::Relaxed);
        }
    };
    let ask = |solver: &SmtSolver| {
        let solved = solver.solve(script, seed, &limits).ok()?;
        decide(solved.verdict);
        is_answer(solved.verdict).then(|| (solver.clone(), solved))
    };
    let ((found, verdict), answers) = thread::scope(|scope| {
        let ask = &ask;
        let threads: Vec<_> = solvers
            .iter()
            .map(|solver| scope.spawn(move || ask(solver)))
            .collect();
        let own = own(&limits);
        decide(own.1);
        let answers = threads.into_iter().filter_map(|thread| thread.join().ok());
        let answers: Vec<_> = answers.flatten().collect();
        (own, answers)
    });
    // Two may have answered before they heard of each other.
    let others = answers
        .iter()
        .map(|(solver, solved)| (solver.describe(), solved.verdict));
    let verdicts: Vec<_> = others.chain([(name.to_owned(), verdict)]).collect();
    let who = |wanted| verdicts.iter().find(|(_, verdict)| *verdict == wanted);
    if let (Some((sat, _)), Some((unsat, _))) = (who(Verdict::Sat), who(Verdict::Unsat)) {
        let (sat, unsat) = (sat.clone(), unsat.clone());
        return Err(EngineError::Disagree { sat, unsat });
    }
    Ok(match answers.into_iter().next() {
        Some((solver, solved)) if !is_answer(verdict) => Raced::Solver(solver, solved),
        _ => Raced::Own(found),
    })
}

fn is_answer(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Unknown(_))
}
