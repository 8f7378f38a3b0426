//! A script with FloatingPoint or Real, which other solvers judge; the values that they give are
//! replayed.

use super::evaluate::{Application, Evaluation};
use super::found::ScriptFinding;
use super::graph::{Id, ScriptOperation};
use super::kind::ScriptSort;
use super::script::Script;
use super::text::{SolverTask, text_of};
use crate::solver::engine::{
    CadicalVerdict, EngineError, RaceOutcome, Rival, SmtSolver, Solver, SolverAnswer, race,
};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::bits::{Big, Concrete, MixedBits};

/// What a solver knows.
#[derive(Clone, Copy)]
pub(super) struct SolverSorts {
    /// The sorts in words.
    pub words: &'static str,
    knows: fn(ScriptSort) -> bool,
}

/// The sorts that every engine knows.
pub(super) const BITS: SolverSorts = SolverSorts {
    words: "bit-vectors",
    knows: ScriptSort::is_of_bits,
};
const ALL: SolverSorts = SolverSorts {
    words: "all sorts",
    knows: |_| true,
};
const OF_BITWUZLA: SolverSorts = SolverSorts {
    words: "bit-vectors and Float16, Float32, Float64 and Float128",
    knows: |kind| match kind {
        ScriptSort::Float(exponent, significand) => {
            [(5, 11), (8, 24), (11, 53), (15, 113)].contains(&(exponent, significand))
        }
        _ => kind != ScriptSort::Real,
    },
};
/// Its authors warn of the option with which cvc5 knows other formats.
const OF_CVC5: SolverSorts = SolverSorts {
    words: "bit-vectors, Float32, Float64 and Real",
    knows: |kind| match kind {
        ScriptSort::Float(..) => {
            [ScriptSort::Float(8, 24), ScriptSort::Float(11, 53)].contains(&kind)
        }
        _ => true,
    },
};

/// What a solver of this name knows: all sorts, if nothing is known of it.
fn known_of(name: &str) -> SolverSorts {
    match name {
        "bitwuzla" => OF_BITWUZLA,
        "cvc5" => OF_CVC5,
        _ => ALL,
    }
}

impl Script {
    fn is_known(&self, known: SolverSorts) -> bool {
        self.kinds().into_iter().all(known.knows)
    }

    /// The error that an engine, which knows only this, cannot judge the script, with those that can.
    pub(super) fn beyond(&self, engine: &str, known: SolverSorts) -> EngineError {
        let kinds = self.kinds();
        let mut all = self.beyond.iter();
        let found = all.find(|(kind, ..)| kinds.contains(kind) && !(known.knows)(*kind));
        let place = found.map(|(kind, at, text)| {
            let (line, character, sort) = (at.line, at.column, kind.text());
            let text = excerpt(text);
            format!(", and line {line}, character {character} has `{text}` of sort {sort}")
        });
        let names = SmtSolver::known_names().into_iter();
        let able: Vec<&str> = names.filter(|name| self.is_known(known_of(name))).collect();
        let here = able.iter().filter(|name| SmtSolver::find(name).is_ok());
        let here: Vec<String> = here.map(|name| format!("smtlib:{name}")).collect();
        let advice = match &here[..] {
            [] => format!(
                "install {} so that it is on PATH, or give a solver with --solver-cmd \"COMMAND\"",
                able.join(" or ")
            ),
            here => format!("give --engine {}", here.join(" or --engine ")),
        };
        EngineError::Beyond {
            engine: engine.to_owned(),
            known: known.words,
            place: place.unwrap_or_default(),
            advice,
        }
    }
}

/// The known solvers on `PATH` that can judge the script.
pub fn able_solvers(script: &Script, memory: Option<u64>) -> Vec<Solver> {
    let all = SmtSolver::all().into_iter();
    let able = all.filter(|solver| script.is_known(known_of(&solver.name)));
    let limited = |mut solver: SmtSolver| {
        solver.memory = memory;
        Solver::from(solver)
    };
    able.map(limited).collect()
}

/// Asks solvers for values that make all assertions true; the first answer counts. Gives what was
/// found, and who said it.
///
/// # Errors
/// If no solver of these can judge the script, the only one of them fails, or values do not replay.
pub(super) fn ask_others(
    script: &Script,
    solvers: &[Solver],
    seed: u64,
    limits: &Limits,
) -> Result<(ScriptFinding, String), EngineError> {
    let mut able = Vec::new();
    let mut refused = None;
    for solver in solvers {
        match solver {
            Solver::Z3(_) => refused = Some(script.beyond("Z3 in this program", BITS)),
            Solver::Smt(smt) => {
                let known = known_of(&smt.name);
                match script.is_known(known) {
                    true => able.push(&**smt),
                    false => refused = Some(script.beyond(&smt.name, known)),
                }
            }
        }
    }
    let Some(first) = able.first() else {
        let alone = || script.beyond("without another solver, this program", BITS);
        return Err(refused.unwrap_or_else(alone));
    };
    let observed = observed_nodes(script);
    let written = limits.run(|| text_of(script, &SolverTask::Values(&observed)));
    let text = match written {
        Ok(text) => text,
        Err(stopped) => return Ok((ScriptFinding::Unknown(stopped), first.describe())),
    };
    let (solver, solved) = match able[..] {
        [one] => (one, one.solve_text(&text, seed, limits)?),
        _ => {
            let text = &text;
            let rivals = able.iter().map(|solver| Rival {
                name: solver.describe(),
                solve: Box::new(move |limits| solver.solve_text(text, seed, limits)),
            });
            let nobody = |_: &Limits| ((), CadicalVerdict::Unknown(Stopped::GaveUp));
            match race(rivals.collect(), limits, "", nobody)? {
                RaceOutcome::Rival(name, solved) => {
                    let winner = able.iter().find(|solver| solver.describe() == name);
                    (*winner.unwrap_or(first), solved)
                }
                RaceOutcome::Own(()) => {
                    let stopped = limits.stopped().unwrap_or(Stopped::GaveUp);
                    let names: Vec<String> = able.iter().map(|one| one.describe()).collect();
                    return Ok((ScriptFinding::Unknown(stopped), names.join(", ")));
                }
            }
        }
    };
    let found = match solved.verdict {
        CadicalVerdict::Unsat => ScriptFinding::Nothing,
        CadicalVerdict::Unknown(stopped) => ScriptFinding::Unknown(stopped),
        CadicalVerdict::Sat => replayed(script, solver, &observed, &solved, limits)?,
    };
    Ok((found, solver.describe()))
}

/// The registers of models that do not follow from words and truth values alone.
fn observed_nodes(script: &Script) -> Vec<Id> {
    let zeros: Vec<Big> = values_of(script, &[]);
    let known = Evaluation::of(script, &zeros, &|_| None);
    let needed = script.graph.needed(&script.assertions).into_iter();
    let nodes = needed.map(|id| script.graph.node(id));
    let models = nodes.filter(|node| matches!(node.operation, ScriptOperation::Model(_)));
    let registers = models.flat_map(|node| node.operands.iter().copied());
    let mut observed: Vec<Id> = registers.filter(|one| !known.has_value(*one)).collect();
    observed.sort_unstable();
    observed.dedup();
    observed
}

/// The values with the results of the models, if the simulators give results with which the solver
/// finds the assertions true again, now that nothing is open.
fn replayed(
    script: &Script,
    solver: &SmtSolver,
    observed: &[Id],
    solved: &SolverAnswer,
    limits: &Limits,
) -> Result<ScriptFinding, EngineError> {
    let count = script.constants.len();
    let value = |index: usize| solved.values.get(&(index as u32)).copied().unwrap_or(0);
    let values: Vec<u64> = (0..count).map(value).collect();
    let places = observed.iter().enumerate();
    let observed: Vec<(Id, u64)> = places
        .map(|(place, id)| (*id, value(count + place)))
        .collect();
    let wrong = || script.wrong_values(&solver.describe(), &values);
    let applications = applied::<MixedBits>(script, &values, &observed);
    let integers = applied::<Big>(script, &values, &observed);
    let [words, integers] = [&applications, &integers].map(|all| results(all));
    if !script.are_simulated(&words, &integers) {
        return Err(wrong());
    }
    let open = SolverTask::Nothing {
        constants: &values,
        applications: &applications,
        observed: &observed,
    };
    let again = solver.solve_text(&text_of(script, &open), 0, limits)?;
    match again.verdict {
        CadicalVerdict::Sat => Ok(ScriptFinding::Values {
            values,
            applications: words,
        }),
        CadicalVerdict::Unsat => Err(wrong()),
        CadicalVerdict::Unknown(stopped) => Ok(ScriptFinding::Unknown(stopped)),
    }
}

/// A node of a model, and its application.
type NodeApplication = (Id, Application<u64>);

fn results(applied: &[NodeApplication]) -> Vec<Application<u64>> {
    applied.iter().map(|(_, one)| one.clone()).collect()
}

/// The applications of models for these values.
fn applied<B: Concrete + Instance>(
    script: &Script,
    values: &[u64],
    observed: &[(Id, u64)],
) -> Vec<NodeApplication> {
    let value = |id: Id| {
        let found = observed.iter().find(|(node, _)| *node == id);
        found.map(|(_, value)| *value)
    };
    let constants: Vec<B> = values_of(script, values);
    Evaluation::of(script, &constants, &value).as_words()
}

/// The constants as words; those that are missing are 0.
fn values_of<B: Instance>(script: &Script, values: &[u64]) -> Vec<B> {
    let constants = script.constants().enumerate();
    let word = |(index, (_, width)): (usize, (&str, u32))| {
        B::lit(width, values.get(index).copied().unwrap_or(0))
    };
    constants.map(word).collect()
}
