//! Options that say who is asked.

use crate::engine::SmtSolver;
use crate::error::Error;
use crate::query::Engine;

/// Who looks for an answer.
#[derive(Debug, clap::Args)]
pub(super) struct EngineArgs {
    /// Who looks for an answer: auto or cadical (in this program), smtlib:NAME (z3, cvc5, bitwuzla),
    /// or race: all side by side, the first answer counts
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = choice)]
    engine: Choice,
    /// Any program that reads SMT-LIB on its standard input; its arguments follow, with spaces
    #[arg(long, value_name = "COMMAND")]
    solver_cmd: Option<String>,
    /// Memory that a solver which is another program may use, in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    solver_memory: Option<u64>,
}

#[derive(Clone, Debug)]
enum Choice {
    Auto,
    Embedded,
    Smt(String),
    Race,
}

fn choice(text: &str) -> Result<Choice, String> {
    match text {
        "auto" => Ok(Choice::Auto),
        "cadical" => Ok(Choice::Embedded),
        "race" => Ok(Choice::Race),
        _ => match text.strip_prefix("smtlib:") {
            Some(name) => Ok(Choice::Smt(name.to_owned())),
            None => Err(format!(
                "expected auto, cadical, smtlib:NAME or race, found `{text}`"
            )),
        },
    }
}

impl EngineArgs {
    /// The engine that the options ask for, found on this machine.
    pub fn find(&self) -> Result<Engine, Error> {
        let command = self.solver_cmd.as_deref();
        if command.is_some() && matches!(self.engine, Choice::Embedded | Choice::Smt(_)) {
            return Err(Error::Usage(
                "--solver-cmd is an engine, and --engine names another one: give one of them, or --engine race".into(),
            ));
        }
        let command = command.map(SmtSolver::from_command).transpose()?;
        let limited = |mut solver: SmtSolver| {
            solver.memory = self.solver_memory.map(|mib| mib << 20);
            solver
        };
        let smt = |solver| Engine::Smt(Box::new(limited(solver)));
        let engine = match (&self.engine, command) {
            (Choice::Smt(name), _) => smt(SmtSolver::find(name)?),
            (Choice::Race, command) => {
                let all = SmtSolver::all().into_iter().chain(command);
                Engine::Race(all.map(limited).collect())
            }
            (_, Some(solver)) => smt(solver),
            (_, None) => Engine::Embedded,
        };
        if matches!(engine, Engine::Embedded) && self.solver_memory.is_some() {
            return Err(Error::Usage(
                "--solver-memory is for solvers that are other programs: give --engine smtlib:NAME, --engine race or --solver-cmd".into(),
            ));
        }
        Ok(engine)
    }
}
