//! The program `cadical`, which writes a DRAT proof of what it finds unsatisfiable.

use super::child::{Event, Running, Start};
use super::solver::{on_path, version};
use crate::engine::cadical::Verdict;
use crate::engine::error::EngineError;
use crate::limits::Limits;
use std::path::{Path, PathBuf};

/// A program that solves DIMACS files and proves what it says.
#[derive(Clone, Debug)]
pub struct Prover {
    /// The program.
    pub path: PathBuf,
    /// What it says its version is.
    pub version: Option<String>,
}

const NAME: &str = "cadical";
/// Bytes of its output that are read; without a model it is a few lines.
const LONGEST: usize = 1 << 16;

impl Prover {
    /// `cadical` on `PATH`.
    ///
    /// # Errors
    /// If it is not there.
    pub fn find() -> Result<Prover, EngineError> {
        let path = on_path(NAME).ok_or(EngineError::NoProver)?;
        Ok(Prover {
            version: version(&path),
            path,
        })
    }

    /// Name and version.
    pub fn describe(&self) -> String {
        match &self.version {
            Some(version) => format!("{NAME} {version}"),
            None => NAME.into(),
        }
    }

    /// Solves the DIMACS file `cnf`; where it is unsatisfiable, `proof` is a DRAT proof of it, as
    /// text.
    ///
    /// # Errors
    /// If the program cannot be started, dies, or answers what is no answer.
    pub fn solve(&self, cnf: &Path, proof: &Path, limits: &Limits) -> Result<Verdict, EngineError> {
        if let Some(stopped) = limits.stopped() {
            return Ok(Verdict::Unknown(stopped));
        }
        let options = ["-q", "-n", "--no-binary"].map(Into::into);
        let start = Start {
            program: &self.path,
            arguments: options
                .into_iter()
                .chain([cnf.into(), proof.into()])
                .collect(),
            memory: None,
        };
        let solver = || NAME.to_owned();
        let mut running =
            Running::start(&start, String::new()).map_err(|error| EngineError::Start {
                solver: solver(),
                error,
            })?;
        let mut output = Vec::new();
        while output.len() < LONGEST {
            match running.next(limits) {
                Event::Stopped(stopped) => return Ok(Verdict::Unknown(stopped)),
                Event::Output(chunk) => output.extend(chunk),
                Event::End => break,
            }
        }
        let text = String::from_utf8_lossy(&output);
        // It ends when the proof is written.
        let status = running.status();
        match (text.trim(), &*status) {
            ("s UNSATISFIABLE", "exit status: 20") => Ok(Verdict::Unsat),
            ("s SATISFIABLE", "exit status: 10") => Ok(Verdict::Sat),
            (found, _) => Err(EngineError::Died {
                solver: solver(),
                status,
                wanted: "s UNSATISFIABLE or s SATISFIABLE",
                said: format!(": {}", [found, running.said().trim()].concat()),
            }),
        }
    }
}
