//! Options of a question: the engines, and the inputs that are wanted.

use super::attempt::Attempt;
use crate::solver::engine::{Solver, solver_version};
use std::time::Duration;

/// Options of a question. By default, the embedded engine looks for one witness, leaves it as it is found, and
/// tries no domain as a whole.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many different inputs are wanted, at least one.
    pub count: usize,
    /// The seed of the solver's choices and of the samples.
    pub seed: u64,
    /// The time to look for simpler inputs after each find; `None` to leave the inputs as found.
    pub minimise: Option<Duration>,
    /// The number of turns that the embedded engine's searches may take; `None` for no limit. With
    /// 0, no solver is asked.
    pub turns: Option<u32>,
    /// Whether a domain of few inputs is tried as a whole before a solver is asked. Tests of what a
    /// solver says leave it out.
    pub all_inputs: bool,
    /// The engine that looks for inputs; the embedded engine then makes them simple.
    pub engine: Engine,
    /// How much is tried to refute what a rule proves.
    pub attempt: Attempt,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            count: 1,
            seed: 0,
            minimise: None,
            turns: None,
            all_inputs: false,
            engine: Engine::Embedded,
            attempt: Attempt::Question,
        }
    }
}

impl Options {
    /// The same options with this number of different inputs.
    #[must_use]
    pub fn count(self, count: usize) -> Self {
        Options { count, ..self }
    }

    /// The same options with another seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Options { seed, ..self }
    }

    /// The same options with this time to look for simpler inputs after each find; `None` to leave
    /// the inputs as found.
    #[must_use]
    pub fn minimise(self, minimise: impl Into<Option<Duration>>) -> Self {
        let minimise = minimise.into();
        Options { minimise, ..self }
    }

    /// The same options with this number of turns, an effort that does not depend on the machine.
    #[must_use]
    pub fn turns(self, turns: u32) -> Self {
        Options {
            turns: Some(turns),
            ..self
        }
    }

    /// The same options with another attempt to refute what a rule proves.
    #[must_use]
    pub fn attempt(self, attempt: Attempt) -> Self {
        Options { attempt, ..self }
    }

    /// The same options, where a domain of few inputs is tried as a whole.
    #[must_use]
    pub fn all_inputs(self) -> Self {
        Options {
            all_inputs: true,
            ..self
        }
    }

    /// The same options with another engine.
    #[must_use]
    pub fn engine(self, engine: Engine) -> Self {
        Options { engine, ..self }
    }
}

/// The engine or engines that are asked.
#[derive(Clone, Debug, Default)]
pub enum Engine {
    /// The embedded engine, with its portfolio of searches.
    #[default]
    Embedded,
    /// Another engine, which is asked once. A program gets the formula of the term layer; Z3, which
    /// runs in this process, gets the formula that the model gives.
    Other(Solver),
    /// The embedded engine and others side by side: the first answer counts.
    Race(Vec<Solver>),
}

impl Engine {
    /// All engines that are asked, each with its version.
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
