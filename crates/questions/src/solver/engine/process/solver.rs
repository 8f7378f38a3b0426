//! A solver that is another program. It is found by its name or a command, and is started once for
//! each script.

use super::answer::{ReplyMismatch, SolverReply, VERDICT, read, shown};
use super::known::SolverProgram;
use crate::solver::engine::cadical::CadicalVerdict;
use crate::solver::engine::error::EngineError;
use crate::solver::engine::goal::Goal;
use crate::solver::engine::smtlib::{SmtlibScript, Text, plain_text};
use crate::solver::engine::solved::SolverAnswer;
use easy_smt::ContextBuilder;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::base::process::{ChildProcess, Event, Start};
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An SMT-LIB solver as a process.
#[derive(Clone, Debug)]
pub struct SmtSolver {
    /// The name of the solver.
    pub name: String,
    /// The version that the solver reports.
    pub version: Option<String>,
    /// The path of the program.
    pub path: PathBuf,
    /// The most bytes of memory that the solver may use; `None` for no limit.
    pub memory: Option<u64>,
    arguments: Vec<String>,
    known: Option<SolverProgram>,
    /// Whether the solver runs with the options of its alternative strategy, if it has one.
    pub(in crate::solver::engine) other_way: bool,
}

/// The most bytes of an answer; a longer one is an error.
const LONGEST: usize = 1 << 20;
/// The time that a program has to report its version. The program may first have to be read from a
/// slow disk.
const VERSION_TIME: Duration = Duration::from_secs(10);

impl SmtSolver {
    /// The solver called `name`: `z3`, `cvc5` or `bitwuzla`.
    ///
    /// # Errors
    /// If the name is not one of these, or the solver is not on `PATH`.
    pub fn find(name: &str) -> Result<SmtSolver, EngineError> {
        let known = SolverProgram::named(name).ok_or_else(|| EngineError::Unknown {
            found: name.to_owned(),
            expected: Self::known_names().join(", "),
        })?;
        let path = on_path(name).ok_or_else(|| EngineError::Missing(name.to_owned()))?;
        Ok(SmtSolver {
            name: name.to_owned(),
            version: version(&path),
            path,
            memory: None,
            arguments: Vec::new(),
            known: Some(known),
            other_way: false,
        })
    }

    /// All known solvers that are on `PATH`.
    pub fn all() -> Vec<SmtSolver> {
        let found = SolverProgram::ALL.map(|known| SmtSolver::find(known.name()));
        found.into_iter().flatten().collect()
    }

    /// The names of all known solvers, installed or not.
    pub fn known_names() -> Vec<&'static str> {
        SolverProgram::ALL.map(SolverProgram::name).to_vec()
    }

    /// The solver that the command `line` starts: a program and arguments, separated by spaces. The
    /// solver must read a script on standard input.
    ///
    /// # Errors
    /// If there is no such program.
    pub fn from_command(line: &str) -> Result<SmtSolver, EngineError> {
        let mut words = line.split_whitespace();
        let program = words.next().ok_or(EngineError::NoCommand)?;
        let path = on_path(program).ok_or_else(|| EngineError::Missing(program.to_owned()))?;
        let name = Path::new(program).file_name().unwrap_or_default();
        Ok(SmtSolver {
            name: name.to_string_lossy().into_owned(),
            version: version(&path),
            path,
            memory: None,
            arguments: words.map(str::to_owned).collect(),
            known: None,
            other_way: false,
        })
    }

    /// The solver's name and version.
    pub fn describe(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.clone(),
        }
    }

    /// Looks for inputs on which the formula of `script` holds.
    ///
    /// # Errors
    /// If the solver cannot be started, dies, prints no valid answer, or gives a model that does
    /// not satisfy the formula.
    pub fn solve(
        &self,
        script: &SmtlibScript,
        seed: u64,
        limits: &Limits,
    ) -> Result<SolverAnswer, EngineError> {
        let text = script.whole();
        self.ask(text, seed, limits, |values| script.holds(values))
    }

    /// Looks for inputs on which `goal` holds; the solver gets the goal without simplification.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_plain(
        &self,
        goal: &impl Goal,
        seed: u64,
        limits: &Limits,
    ) -> Result<SolverAnswer, EngineError> {
        let text = plain_text(goal, "");
        self.ask(&text, seed, limits, |values| goal.holds(values))
    }

    /// Looks for inputs with which all assertions of a text hold. What the solver gives is not
    /// checked here.
    ///
    /// # Errors
    /// If the solver cannot be started, dies, or prints no valid answer.
    pub fn solve_text(
        &self,
        text: &Text,
        seed: u64,
        limits: &Limits,
    ) -> Result<SolverAnswer, EngineError> {
        self.ask(text, seed, limits, |_| true)
    }

    fn ask(
        &self,
        text: &Text,
        seed: u64,
        limits: &Limits,
        holds: impl FnOnce(&dyn Fn(u32) -> u64) -> bool,
    ) -> Result<SolverAnswer, EngineError> {
        if let Some(stopped) = limits.stopped() {
            return Ok(SolverAnswer::unknown(stopped));
        }
        let mut arguments = self.arguments.clone();
        if let Some(known) = self.known {
            // Z3's newer core, which is chosen by the version, knows no conversions to Real, and is
            // slower for FloatingPoint.
            let version = self.version.as_deref().filter(|_| text.is_of_bits);
            arguments.extend(known.arguments(version, seed, limits.time_left()));
            let other = known.other_way().iter().filter(|_| self.other_way);
            arguments.extend(other.map(|argument| (*argument).to_owned()));
        }
        let start = Start {
            program: &self.path,
            arguments: arguments.into_iter().map(Into::into).collect(),
            memory: self.memory,
        };
        let running = ChildProcess::start(&start, input(text));
        let mut running = running.map_err(|error| self.not_started(error))?;
        match self.listen(&mut running, text, limits)? {
            SolverMessage::Answer(SolverReply::Unsat) => {
                Ok(SolverAnswer::of(CadicalVerdict::Unsat))
            }
            SolverMessage::Answer(SolverReply::Unknown) => {
                Ok(SolverAnswer::unknown(Stopped::GaveUp))
            }
            SolverMessage::Answer(SolverReply::Sat(values)) => {
                SolverAnswer::checked(&self.name, &text.inputs, values, holds)
            }
            SolverMessage::Stopped(stopped) => Ok(SolverAnswer::unknown(stopped)),
        }
    }

    /// Reads output until the answer is complete.
    fn listen(
        &self,
        running: &mut ChildProcess,
        asked: &Text,
        limits: &Limits,
    ) -> Result<SolverMessage, EngineError> {
        // Of `easy-smt`, only the store of expressions is used, not its process.
        let terms = ContextBuilder::new().build();
        let terms = terms.map_err(|error| self.not_started(error))?;
        let mut output = Vec::new();
        loop {
            let ended = match running.next(limits) {
                Event::Stopped(stopped) => return Ok(SolverMessage::Stopped(stopped)),
                Event::Output(chunk) => {
                    output.extend(chunk);
                    false
                }
                Event::End => true,
            };
            let text = String::from_utf8_lossy(&output);
            let ReplyMismatch { wanted, found } = match read(&terms, &text, ended, &asked.inputs) {
                Ok(answer) => return Ok(SolverMessage::Answer(answer)),
                Err(unexpected) => unexpected,
            };
            match found {
                None if ended => return self.ended(running, wanted),
                None if output.len() <= LONGEST => {}
                None => return Err(self.nonsense(VERDICT, "more than a megabyte")),
                Some(found) if self.ran_out(&found) => {
                    return Ok(SolverMessage::Stopped(Stopped::MemoryLimit));
                }
                Some(found) => return Err(self.nonsense(wanted, &found)),
            }
        }
    }

    /// Handles output that ended before the answer was complete.
    fn ended(
        &self,
        running: &mut ChildProcess,
        wanted: &'static str,
    ) -> Result<SolverMessage, EngineError> {
        let exit = running.exit();
        let said = running.said();
        // Some solvers abort without a message when an allocation fails.
        let aborted = self.memory.is_some() && exit.is_by_signal();
        if aborted || self.ran_out(&said) {
            return Ok(SolverMessage::Stopped(Stopped::MemoryLimit));
        }
        let colon = if said.trim().is_empty() { "" } else { ": " };
        Err(EngineError::Died {
            solver: self.name.clone(),
            status: exit.to_string(),
            wanted,
            said: format!("{colon}{}", shown(&said)),
        })
    }

    /// Whether the solver's message means that it ran out of memory.
    fn ran_out(&self, said: &str) -> bool {
        let said = said.to_lowercase();
        let signs = ["memory", "bad_alloc", "cannot allocate"];
        self.memory.is_some() && signs.iter().any(|sign| said.contains(sign))
    }

    fn not_started(&self, error: io::Error) -> EngineError {
        let solver = self.name.clone();
        EngineError::Start { solver, error }
    }

    fn nonsense(&self, wanted: &'static str, found: &str) -> EngineError {
        EngineError::Nonsense {
            solver: self.name.clone(),
            wanted,
            found: shown(found),
        }
    }
}

enum SolverMessage {
    Answer(SolverReply),
    Stopped(Stopped),
}

/// The script and the queries after it, all in one text, since some solvers answer only at the end
/// of their input. After "unsat" the query for values gives an error, which is not read.
fn input(script: &Text) -> String {
    let names: Vec<_> = script.inputs.iter().map(|input| &*input.name).collect();
    let values = if names.is_empty() {
        String::new()
    } else {
        format!("(get-value ({}))\n", names.join(" "))
    };
    format!("{}{values}(exit)\n", script.text)
}

/// The path of the program, if it can be run; `name` is a name on `PATH`, or a path.
pub(super) fn on_path(name: &str) -> Option<PathBuf> {
    if name.contains(std::path::MAIN_SEPARATOR) {
        return Some(PathBuf::from(name)).filter(|path| is_program(path));
    }
    let folders = env::var_os("PATH")?;
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&folders)
        .map(|folder| folder.join(&file))
        .find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// The first word of the output of `--version` that looks like a version.
pub(super) fn version(program: &Path) -> Option<String> {
    let start = Start {
        program,
        arguments: vec!["--version".into()],
        memory: None,
    };
    let limits = Limits::default().within(VERSION_TIME);
    let mut running = ChildProcess::start(&start, String::new()).ok()?;
    let mut output = Vec::new();
    while let Event::Output(chunk) = running.next(&limits)
        && output.len() < LONGEST
    {
        output.extend(chunk);
    }
    let text = String::from_utf8_lossy(&output);
    let is_version =
        |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    let word = text.split_whitespace().find(is_version)?;
    Some(word.trim_end_matches([',', ';']).to_owned())
}
