//! The solvers of this machine, other programs than the one that is tested.

use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::solver::engine::{CadicalVerdict, Goal, SmtSolver, Solver};
use std::time::Duration;

/// The known solvers on `PATH`; names those that are not.
pub fn installed() -> Vec<SmtSolver> {
    let names = SmtSolver::known_names();
    let found: Vec<_> = names
        .iter()
        .map(|name| (name, SmtSolver::find(name)))
        .collect();
    for (name, solver) in &found {
        if solver.is_err() {
            println!("skipped: no {name} on PATH");
        }
    }
    let solvers: Vec<_> = found.into_iter().filter_map(|(_, s)| s.ok()).collect();
    assert!(
        !solvers.is_empty() || std::env::var_os("MMASMT_TOOLS").is_none(),
        "expected one of {names:?} on PATH, as MMASMT_TOOLS is set"
    );
    solvers
}

/// All of them, and Z3 in process where it is built in.
pub fn solvers() -> Vec<Solver> {
    let programs = installed().into_iter().map(Solver::from);
    programs.chain(Solver::find("z3", None)).collect()
}

/// The solvers of this machine find inputs for which the goal holds iff that is expected: at least
/// one answers, and nobody contradicts it. Z3 4 is not asked: it takes minutes to read what others read at once.
#[allow(clippy::unwrap_used, reason = "so tests fail")]
pub fn is_met(goal: &impl Goal, expected: bool) {
    let mut solvers = solvers();
    solvers.retain(|solver| !solver.describe().starts_with("z3 4."));
    if solvers.is_empty() && std::env::var_os("MMASMT_TOOLS").is_none() {
        println!("skipped: no solver but Z3 4 on PATH");
        return;
    }
    let limits = || Limits::default().within(Duration::from_secs(60));
    let verdicts = solvers.iter().map(|solver| {
        let verdict = solver.solve_plain(goal, 0, &limits()).unwrap().verdict;
        println!("{}: {verdict:?}", solver.describe());
        verdict
    });
    let mut answers: Vec<_> = verdicts
        .filter(|verdict| !matches!(verdict, CadicalVerdict::Unknown(_)))
        .collect();
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(answers[0] == CadicalVerdict::Sat, expected);
}
