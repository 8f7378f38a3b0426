//! What can go wrong with a solver that is another program.

use crate::excerpt::excerpt;
use thiserror::Error;

/// A solver that gave no answer that can be used; it is never taken for one.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// There is no such program.
    #[error("no program `{}` on PATH: install it, or give another command with --solver-cmd", excerpt(.0))]
    Missing(String),
    /// Its options are not known.
    #[error(
        "unknown solver `{}`: expected z3, cvc5 or bitwuzla; any other one is --solver-cmd \"COMMAND\"",
        excerpt(.0)
    )]
    Unknown(String),
    /// Z3 is not part of this program.
    #[error(
        "engine z3: this program was built without Z3 in process: build it with `cargo build --release --features z3` \
         as README.md says, or ask a z3 on PATH with smtlib:z3"
    )]
    NotBuilt,
    /// A command without words.
    #[error("--solver-cmd: expected a program and its arguments, found nothing")]
    NoCommand,
    /// It cannot be started.
    #[error("`{}` cannot be started: {error}", excerpt(.solver))]
    Start {
        /// The solver.
        solver: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// It ended before it answered.
    #[error("`{}` ended ({status}) before {wanted}{said}", excerpt(.solver))]
    Died {
        /// The solver.
        solver: String,
        /// How it ended.
        status: String,
        /// What was expected of it.
        wanted: &'static str,
        /// What it said on standard error, after a colon.
        said: String,
    },
    /// It answered something else.
    #[error("`{}`: expected {wanted}, found `{}`", excerpt(.solver), excerpt(.found))]
    Nonsense {
        /// The solver.
        solver: String,
        /// What was expected of it.
        wanted: &'static str,
        /// What came.
        found: String,
    },
    /// Its model does not satisfy the formula.
    #[error(
        "`{solver}` answers sat, but its model does not satisfy the formula: {model}; do not use this solver"
    )]
    WrongModel {
        /// The solver.
        solver: String,
        /// The inputs that it gave.
        model: String,
    },
    /// One engine found inputs where another one says that there are none.
    #[error(
        "the engines disagree: `{sat}` answers sat, `{unsat}` answers unsat; please report this"
    )]
    Disagree {
        /// Who says that there are inputs; they were checked.
        sat: String,
        /// Who says that there are none.
        unsat: String,
    },
}
