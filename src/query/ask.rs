//! Who is asked a question: the embedded engine, another program, or all side by side.

use super::ladder::{Climbed, climb};
use crate::bits::term::Formula;
use crate::engine::{
    EngineError, Limits, Raced, Script, SmtSolver, Solved, Verdict, race, solver_version,
};
use crate::property::SymbolicInputs;
use crate::vectors::Inputs;

/// An engine, or several.
#[derive(Clone, Debug, Default)]
pub enum Engine {
    /// The embedded one, with its ladder of searches.
    #[default]
    Embedded,
    /// Another program, asked once for the whole formula.
    Smt(Box<SmtSolver>),
    /// The embedded one and others side by side: the first answer counts.
    Race(Vec<SmtSolver>),
}

/// What to ask, and how.
pub(super) struct Question<'x, Q> {
    pub inputs: &'x SymbolicInputs,
    /// The formula that is made of inputs.
    pub formula: Q,
    pub seed: u64,
}

/// Looks for inputs for which the formula holds, and tells who answered. `sample` belongs to the
/// embedded engine, which also says what needs no solver.
pub(super) fn ask<Q: Fn(&SymbolicInputs) -> Formula>(
    engine: &Engine,
    question: &Question<'_, Q>,
    limits: &Limits,
    sample: impl FnOnce() -> Option<Inputs>,
) -> Result<(Climbed, String), EngineError> {
    let Question {
        inputs,
        formula,
        seed,
    } = question;
    let own_name = solver_version();
    let own = |limits: &Limits| climb(inputs, *seed, limits, formula, sample);
    if matches!(engine, Engine::Embedded) {
        return Ok((own(limits), own_name));
    }
    let whole = formula(inputs);
    if whole.as_constant() == Some(false) {
        return Ok((own(limits), own_name));
    }
    let script = Script::new(whole, |index| inputs.name(index), "");
    let solvers = match engine {
        Engine::Embedded => &[],
        Engine::Smt(solver) => {
            let solved = solver.solve(&script, *seed, limits)?;
            return Ok((climbed(inputs, &solved), solver.describe()));
        }
        Engine::Race(solvers) => &solvers[..],
    };
    let own = |limits: &Limits| {
        let found = own(limits);
        let verdict = verdict(&found);
        (found, verdict)
    };
    Ok(
        match race(solvers, &script, *seed, limits, &own_name, own)? {
            Raced::Own(found) => (found, own_name),
            Raced::Solver(solver, solved) => (climbed(inputs, &solved), solver.describe()),
        },
    )
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
        Verdict::Unsat => Climbed::Nothing {
            by_construction: false,
        },
        Verdict::Unknown(stopped) => Climbed::Unknown(stopped),
    }
}
