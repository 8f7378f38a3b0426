//! How to ask a question: who is asked, and what is wanted.

use crate::solver::engine::{Solver, solver_version};
use std::time::Duration;

/// How to ask; by default for one input, as it is found, by the embedded engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many different inputs are wanted, at least one.
    pub count: usize,
    /// What the solver's choices and the samples start from.
    pub seed: u64,
    /// How long to look for simpler inputs after each find; none to leave them as found.
    pub minimise: Option<Duration>,
    /// How many turns of the embedded engine's searches there are; none for no end. With 0, nothing
    /// is asked of a solver.
    pub turns: Option<u32>,
    /// Who looks for inputs; the embedded engine makes them simple.
    pub engine: Engine,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            count: 1,
            seed: 0,
            minimise: None,
            turns: None,
            engine: Engine::Embedded,
        }
    }
}

impl Options {
    /// The same for so many different inputs.
    #[must_use]
    pub fn count(self, count: usize) -> Self {
        Options { count, ..self }
    }

    /// The same with choices that start from another seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Options { seed, ..self }
    }

    /// The same with so long a search for simpler inputs after each find; none to leave them as
    /// found.
    #[must_use]
    pub fn minimise(self, minimise: impl Into<Option<Duration>>) -> Self {
        let minimise = minimise.into();
        Options { minimise, ..self }
    }

    /// The same with so many turns of searches, an effort that does not depend on the machine.
    #[must_use]
    pub fn turns(self, turns: u32) -> Self {
        Options {
            turns: Some(turns),
            ..self
        }
    }

    /// The same by another engine.
    #[must_use]
    pub fn engine(self, engine: Engine) -> Self {
        Options { engine, ..self }
    }
}

/// An engine, or several.
#[derive(Clone, Debug, Default)]
pub enum Engine {
    /// The embedded one, with its portfolio of searches.
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
