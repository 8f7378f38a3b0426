//! Asks the embedded engine, another engine, or several engines side by side.

use super::basis::Basis;
use super::options::{Engine, Options};
use super::portfolio::{SearchOutcome, portfolio};
use super::question::Question;
use super::replay::Replay;
use super::samples::sampled;
use crate::claims::property::SymbolicInputs;
use crate::solver::engine::{
    CadicalVerdict, EngineError, Goal, RaceOutcome, Rival, SmtlibScript, Solver, SolverAnswer,
    race, solver_version,
};
use mmasmt_numbers::base::limits::Limits;

/// Looks for inputs that answer the question, and names the engine that answered.
pub(super) fn search(
    question: &Question,
    inputs: &SymbolicInputs,
    options: &Options,
    limits: &Limits,
    replay: &mut Replay<'_>,
) -> Result<(SearchOutcome, String), EngineError> {
    let (own_name, seed) = (solver_version(), options.seed);
    let mut own = |limits: &Limits| {
        let sample = |times| sampled(question, options, times, limits, replay);
        portfolio(question, inputs, options, limits, sample)
    };
    let solvers = match &options.engine {
        Engine::Embedded => return Ok((own(limits), own_name)),
        Engine::Other(Solver::Z3(z3)) => {
            let solved = z3.solve(question, seed, limits)?;
            return Ok((found(inputs, &solved), z3.describe()));
        }
        Engine::Other(solver) => std::slice::from_ref(solver),
        Engine::Race(solvers) => solvers,
    };
    let whole = question.formula(&inputs.by_number());
    if whole.as_constant() == Some(false) {
        return Ok((own(limits), own_name));
    }
    let script = SmtlibScript::new(whole, |index| inputs.name(index), "");
    let solve = |solver: &Solver, limits: &Limits| match solver {
        Solver::Z3(z3) => z3.solve(question, seed, limits),
        Solver::Smt(solver) => solver.solve(&script, seed, limits),
    };
    if let Engine::Other(solver) = &options.engine {
        let solved = solve(solver, limits)?;
        return Ok((found(inputs, &solved), solver.describe()));
    }
    let solve = &solve;
    let rivals = solvers.iter().map(|solver| Rival {
        name: solver.describe(),
        solve: Box::new(move |limits| solve(solver, limits)),
    });
    let own = |limits: &Limits| {
        let found = own(limits);
        let verdict = verdict(&found);
        (found, verdict)
    };
    Ok(match race(rivals.collect(), limits, &own_name, own)? {
        RaceOutcome::Own(found) => (found, own_name),
        RaceOutcome::Rival(name, solved) => (self::found(inputs, &solved), name),
    })
}

fn verdict(found: &SearchOutcome) -> CadicalVerdict {
    match found {
        SearchOutcome::Inputs(_) => CadicalVerdict::Sat,
        SearchOutcome::Nothing { .. } => CadicalVerdict::Unsat,
        SearchOutcome::Unknown(stopped) => CadicalVerdict::Unknown(*stopped),
    }
}

fn found(inputs: &SymbolicInputs, solved: &SolverAnswer) -> SearchOutcome {
    let value = |input: u32| solved.values.get(&input).copied().unwrap_or(0);
    match solved.verdict {
        CadicalVerdict::Sat => SearchOutcome::Inputs(inputs.read(value)),
        CadicalVerdict::Unsat => SearchOutcome::Nothing { by: Basis::Solver },
        CadicalVerdict::Unknown(stopped) => SearchOutcome::Unknown(stopped),
    }
}
