//! Errors of solvers other than the embedded one.

use mmasmt_numbers::base::excerpt::excerpt;
use thiserror::Error;

/// The reason that a solver gave no usable answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The program is not on `PATH`.
    #[error("no program `{}` on PATH: install it, or give another command with --solver-cmd", excerpt(.0))]
    Missing(String),
    /// The name of the solver is unknown.
    #[error(
        "unknown solver `{}`: expected {expected}; any other one is --solver-cmd \"COMMAND\"",
        excerpt(.found)
    )]
    Unknown {
        /// The name found.
        found: String,
        /// The solvers whose options are known.
        expected: String,
    },
    /// This program was built without the feature `z3`.
    #[error(
        "engine z3: this program was built without Z3 in process: build it with `cargo build --release --features z3` \
         as README.md says, or ask a z3 on PATH with smtlib:z3"
    )]
    NotBuilt,
    /// The engine cannot judge a script.
    #[error("{} knows {known} alone{place}: {advice}", excerpt(.engine))]
    Beyond {
        /// The name of the engine.
        engine: String,
        /// The sorts that it knows.
        known: &'static str,
        /// The first expression that it does not know, and its place.
        place: String,
        /// The engines that can, or how to get one.
        advice: String,
    },
    /// The command is empty.
    #[error("--solver-cmd: expected a program and its arguments, found nothing")]
    NoCommand,
    /// The solver cannot be started.
    #[error("`{}` cannot be started: {error}", excerpt(.solver))]
    Start {
        /// The name of the solver.
        solver: String,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The solver exited before it answered.
    #[error("`{}` ended ({status}) before {wanted}{said}", excerpt(.solver))]
    Died {
        /// The name of the solver.
        solver: String,
        /// The exit status.
        status: String,
        /// The expected output.
        wanted: &'static str,
        /// A colon and the text on standard error; empty if there is no such text.
        said: String,
    },
    /// The output cannot be parsed as an answer.
    #[error("`{}`: expected {wanted}, found `{}`", excerpt(.solver), excerpt(.found))]
    Nonsense {
        /// The name of the solver.
        solver: String,
        /// The expected output.
        wanted: &'static str,
        /// The output found instead.
        found: String,
    },
    /// The model that the solver gives does not satisfy the formula.
    #[error(
        "`{solver}` answers sat, but its model does not satisfy the formula: {model}; do not use this solver"
    )]
    WrongModel {
        /// The name of the solver.
        solver: String,
        /// The inputs of its model.
        model: String,
    },
    /// One engine answers sat, and another one unsat.
    #[error(
        "the engines disagree: `{sat}` answers sat, `{unsat}` answers unsat; please report this"
    )]
    Disagree {
        /// The engine that answers sat, with a checked model.
        sat: String,
        /// The engine that answers unsat.
        unsat: String,
    },
}
