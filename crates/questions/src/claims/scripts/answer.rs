//! The answer to a script: values that make all its assertions true, found by an engine and replayed
//! on two simulators, or that there are none.

use super::evaluate::{Application, Evaluation};
use super::fixed::FixedConstants;
use super::found::ScriptFinding;
use super::others::{BITS, ask_others};
use super::script::Script;
use crate::claims::query::Engine;
use crate::solver::engine::{
    CadicalSearch, CadicalVerdict, EngineError, Goal, RaceOutcome, Rival, Solver, SolverAnswer,
    Strategy, race, solver_version,
};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::term::{Term, below_limits, scope};
use mmasmt_numbers::bits::{Big, Bv, Concrete, Input, MixedBits};

/// The answer to a script, and the engine that gave it.
#[derive(Clone, Debug)]
pub struct ScriptAnswer {
    /// What was found.
    pub found: ScriptFinding,
    /// The name and version of the engine.
    pub engine: String,
}

/// The search of the embedded engine: a verdict and the values of the inputs.
type EngineAnswer = (CadicalVerdict, Vec<u64>);

/// Asks an engine for values that make all assertions true.
///
/// # Errors
/// If an engine fails, or gives values on which the assertions do not hold on a simulator.
pub fn answer_script(
    script: &Script,
    engine: &Engine,
    seed: u64,
    limits: &Limits,
) -> Result<ScriptAnswer, EngineError> {
    if !script.is_of_bits() {
        let solvers = match engine {
            Engine::Embedded => {
                return Err(script.beyond("the embedded engine", BITS));
            }
            Engine::Other(solver) => std::slice::from_ref(solver),
            Engine::Race(solvers) => solvers,
        };
        let (found, engine) = ask_others(script, solvers, seed, limits)?;
        return Ok(ScriptAnswer { found, engine });
    }
    let own = |limits: &Limits| {
        let searched = search(script, seed, limits);
        let verdict = searched.0;
        (searched, verdict)
    };
    let solve = |solver: &Solver, limits: &Limits| solver.solve_plain(script, seed, limits);
    let (searched, engine) = match engine {
        Engine::Embedded => (own(limits).0, solver_version()),
        Engine::Other(solver) => {
            let solved = solve(solver, limits)?;
            (of_solved(script, &solved), solver.describe())
        }
        Engine::Race(solvers) => {
            let solve = &solve;
            let rivals = solvers.iter().map(|solver| Rival {
                name: solver.describe(),
                solve: Box::new(move |limits| solve(solver, limits)),
            });
            match race(rivals.collect(), limits, &solver_version(), own)? {
                RaceOutcome::Own(searched) => (searched, solver_version()),
                RaceOutcome::Rival(name, solved) => (of_solved(script, &solved), name),
            }
        }
    };
    let found = match searched {
        (CadicalVerdict::Unsat, _) => ScriptFinding::Nothing,
        (CadicalVerdict::Unknown(stopped), _) => ScriptFinding::Unknown(stopped),
        (CadicalVerdict::Sat, values) => replayed(script, values, &engine)?,
    };
    Ok(ScriptAnswer { found, engine })
}

fn of_solved(script: &Script, solved: &SolverAnswer) -> EngineAnswer {
    let inputs = script.inputs();
    let value = |index: u32| solved.values.get(&index).copied().unwrap_or(0);
    let values = inputs.iter().map(|input| value(input.index));
    (solved.verdict, values.collect())
}

/// The search of the embedded engine.
fn search(script: &Script, seed: u64, limits: &Limits) -> EngineAnswer {
    let searched = limits.run(|| {
        scope(|| {
            let fixed = FixedConstants::of(script);
            let inputs = fixed.inputs();
            let terms = inputs
                .iter()
                .map(|input| Term::input(input.index, input.width));
            let terms: Vec<Term> = terms.collect();
            let formula = below_limits(script.formula(&fixed.constants(&terms)));
            let mut search = CadicalSearch::new(Strategy::Proof, seed);
            search.assert(formula);
            let verdict = search.solve(&[], limits);
            let values = match verdict {
                CadicalVerdict::Sat => {
                    let value = |input: &Input| Big::lit(input.width, search.value(input.index));
                    let values: Vec<Big> = inputs.iter().map(value).collect();
                    let constants = fixed.constants(&values);
                    constants.iter().map(Concrete::to_u64).collect()
                }
                _ => Vec::new(),
            };
            (verdict, values)
        })
    });
    searched.unwrap_or_else(|stopped| (CadicalVerdict::Unknown(stopped), Vec::new()))
}

/// The values with the results of the models, if the assertions hold on words and on big integers.
fn replayed(script: &Script, values: Vec<u64>, engine: &str) -> Result<ScriptFinding, EngineError> {
    let (on_words, on_integers) = (
        run::<MixedBits>(script, &values),
        run::<Big>(script, &values),
    );
    match (on_words, on_integers) {
        (Some(words), Some(integers)) if script.are_simulated(&words, &integers) => {
            Ok(ScriptFinding::Values {
                values,
                applications: words,
            })
        }
        _ => Err(script.wrong_values(engine, &values)),
    }
}

/// The applications of models for these values of the constants; `None` if an assertion is false.
fn run<B: Concrete + Instance>(script: &Script, values: &[u64]) -> Option<Vec<Application<u64>>> {
    let constants = script.constants().zip(values);
    let constants = constants.map(|((_, width), value)| B::lit(width, *value));
    let evaluation = Evaluation::of(script, &constants.collect::<Vec<B>>(), &|_| None);
    if !evaluation.assertions(script)? {
        return None;
    }
    let applications = evaluation.as_words().into_iter();
    Some(applications.map(|(_, application)| application).collect())
}
