//! Options that select the engine that answers questions.

use super::confirm::ConfirmArgs;
use crate::cli::error::Error;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_questions::claims::query::{ConfirmationRequest, Engine};
use mmasmt_questions::solver::engine::{SmtSolver, Solver, Z3};

/// Options that say which engine looks for an answer.
#[derive(Debug, clap::Args)]
pub(super) struct EngineArgs {
    /// The engine that looks for an answer: auto or cadical (both in this program), z3 (in this
    /// program, if it was built so), smtlib:NAME (`mmasmt engines` lists the names), or race (all
    /// of them side by side; the first answer counts)
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = choice)]
    engine: Choice,
    /// Ask a program that reads SMT-LIB on its standard input: its name, then its arguments, with
    /// spaces between them
    #[arg(long, value_name = "COMMAND")]
    solver_cmd: Option<String>,
    /// Memory that a solver other than the embedded one may use, in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    solver_memory: Option<u64>,
    #[command(flatten)]
    confirm: ConfirmArgs,
}

#[derive(Clone, Debug)]
enum Choice {
    Auto,
    Embedded,
    /// Another engine, by a name that [`Solver::find`] takes.
    Other(String),
    Race,
}

fn choice(text: &str) -> Result<Choice, String> {
    match text {
        "auto" => Ok(Choice::Auto),
        "cadical" => Ok(Choice::Embedded),
        "race" => Ok(Choice::Race),
        _ if text == "z3" || text.starts_with("smtlib:") => Ok(Choice::Other(text.to_owned())),
        _ => Err(format!(
            "expected auto, cadical, z3, smtlib:NAME or race, found `{}`",
            excerpt(text)
        )),
    }
}

impl EngineArgs {
    /// Whether other engines are to confirm answers.
    pub fn confirms(&self) -> bool {
        !self.confirm.is_empty()
    }

    /// Whether the choice is left to the program.
    pub fn is_auto(&self) -> bool {
        matches!(self.engine, Choice::Auto) && self.solver_cmd.is_none()
    }

    /// The engine that the options ask for, found on this machine.
    pub fn find(&self) -> Result<Engine, Error> {
        let command = self.solver_cmd.as_deref();
        if command.is_some() && matches!(self.engine, Choice::Embedded | Choice::Other(_)) {
            return Err(Error::Usage(
                "expected one engine, found --engine and --solver-cmd: give only one of them, or --engine race".into(),
            ));
        }
        let memory = self.memory();
        let command = command.map(SmtSolver::from_command).transpose()?;
        let limited = |mut solver: SmtSolver| {
            solver.memory = memory;
            Solver::from(solver)
        };
        let engine = match (&self.engine, command) {
            (Choice::Other(name), _) => Engine::Other(Solver::find(name, memory)?),
            (Choice::Race, command) => {
                let programs = SmtSolver::all().into_iter().chain(command).map(limited);
                let z3 = Z3::find(memory).ok().map(Solver::Z3);
                Engine::Race(z3.into_iter().chain(programs).collect())
            }
            (_, Some(solver)) => Engine::Other(limited(solver)),
            (_, None) => Engine::Embedded,
        };
        let none = matches!(engine, Engine::Embedded) && self.confirm.is_empty();
        if none && memory.is_some() {
            return Err(Error::Usage(
                "--solver-memory is for solvers beside the embedded one: give --engine z3, smtlib:NAME or race, \
                 --solver-cmd or --confirm"
                    .into(),
            ));
        }
        Ok(engine)
    }

    /// The engines that are to prove the answer again, found on this machine.
    pub fn find_confirm(&self, seed: u64) -> Result<ConfirmationRequest, Error> {
        self.confirm.find(seed, self.memory())
    }

    /// The bytes of memory that each solver but the embedded one may use.
    pub fn memory(&self) -> Option<u64> {
        self.solver_memory.map(|mib| mib << 20)
    }
}
