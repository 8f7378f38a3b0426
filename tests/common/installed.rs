//! The solvers of this machine, other programs than the one that is tested.

use mmasmt::engine::SmtSolver;

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
        !solvers.is_empty() || std::env::var_os("CI").is_none(),
        "expected one of {names:?} on PATH, as CI is set"
    );
    solvers
}
