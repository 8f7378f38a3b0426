//! Who is asked a question: the embedded engine, another one, or all side by side.

use super::basis::Basis;
use super::goal::Question;
use super::ladder::{Climbed, climb};
use super::obligations::Ledger;
use crate::engine::{
    EngineError, Limits, Raced, Rival, Script, Solved, Solver, Verdict, race, solver_version,
};
use crate::property::SymbolicInputs;
use crate::vectors::Inputs;

/// An engine, or several.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Engine {
    /// The embedded one, with its ladder of searches.
    #[default]
    Embedded,
    /// Another one, asked once: a program for the formula of the term layer, Z3 in process for that
    /// of the model itself.
    Other(Solver),
    /// The embedded one and others side by side: the first answer counts.
    Race(Vec<Solver>),
}

impl Engine {
    /// Everyone who is asked, with version.
    pub fn describe(&self) -> String {
        let own = solver_version();
        match self {
            Engine::Embedded => own,
            Engine::Other(solver) => solver.describe(),
            Engine::Race(solvers) => {
                let others = solvers.iter().map(Solver::describe);
                let all: Vec<_> = std::iter::once(own).chain(others).collect();
                format!("first of {}", all.join(", "))
            }
        }
    }
}

/// Looks for inputs for which the goal holds, and tells who answered. `sample` belongs to the
/// embedded engine, which also says what needs no solver.
pub(super) fn ask(
    engine: &Engine,
    goal: &impl Question,
    inputs: &SymbolicInputs,
    seed: u64,
    limits: &Limits,
    sample: impl FnMut(u32) -> Option<Inputs>,
) -> Result<(Climbed, String), EngineError> {
    let own_name = solver_version();
    let question = |inputs: &SymbolicInputs| goal.formula(&inputs.by_number());
    let own = |limits: &Limits| {
        if let Some(by) = goal.never_met(seed) {
            return Climbed::Nothing { by };
        }
        let reasoned = |whole, limits: &Limits| {
            goal.reasoned(inputs, whole, seed, limits, &mut Ledger::default())
        };
        let reasoned = (goal.turns_before(), reasoned);
        climb(inputs, seed, limits, question, sample, reasoned)
    };
    let solvers = match engine {
        Engine::Embedded => return Ok((own(limits), own_name)),
        Engine::Other(Solver::Z3(z3)) => {
            let solved = z3.solve(goal, seed, limits)?;
            return Ok((climbed(inputs, &solved), z3.describe()));
        }
        Engine::Other(solver) => std::slice::from_ref(solver),
        Engine::Race(solvers) => solvers,
    };
    let whole = question(inputs);
    if whole.as_constant() == Some(false) {
        return Ok((own(limits), own_name));
    }
    let script = Script::new(whole, |index| inputs.name(index), "");
    let solve = |solver: &Solver, limits: &Limits| match solver {
        Solver::Z3(z3) => z3.solve(goal, seed, limits),
        Solver::Smt(solver) => solver.solve(&script, seed, limits),
    };
    if let Engine::Other(solver) = engine {
        let solved = solve(solver, limits)?;
        return Ok((climbed(inputs, &solved), solver.describe()));
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
        Raced::Own(found) => (found, own_name),
        Raced::Rival(name, solved) => (climbed(inputs, &solved), name),
    })
}

fn verdict(found: &Climbed) -> Verdict {
    match found {
        Climbed::Found(_) => Verdict::Sat,
        Climbed::Nothing { .. } => Verdict::Unsat,
        Climbed::Unknown(stopped) => Verdict::Unknown(*stopped),
    }
}

fn climbed(inputs: &SymbolicInputs, solved: &Solved) -> Climbed {
    let value = |input: u32| solved.values.get(&input).copied().unwrap_or(0);
    match solved.verdict {
        Verdict::Sat => Climbed::Found(inputs.read(value)),
        Verdict::Unsat => Climbed::Nothing { by: Basis::Solver },
        Verdict::Unknown(stopped) => Climbed::Unknown(stopped),
    }
}
