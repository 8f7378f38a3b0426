//! Engines decide formulas of the term graph. They do not depend on models.
//!
//! The embedded engine translates `nodes -> vectors of literals -> gates -> clauses -> CaDiCaL`.
//! The other engines are processes that read SMT-LIB text, and, with the feature `z3`, Z3 in this
//! process.

mod cadical;
mod circuits;
mod cone;
mod encode;
mod error;
mod evaluate;
mod gates;
mod goal;
mod lower;
#[doc(hidden)]
pub mod process;
mod race;
mod sat;
mod smtlib;
mod solved;
mod solver;
mod traced;
mod z3;

pub use cadical::solver_version;
pub use cadical::{CadicalSearch, CadicalVerdict, Strategy};
pub use cone::Cone;
#[doc(hidden)]
pub use cone::freed_number;
pub use encode::{Encoder, GateLiteral};
pub use error::EngineError;
#[doc(hidden)]
pub use gates::{GateGraph, Lit};
pub use goal::Goal;
pub use process::SmtSolver;
pub use race::{RaceOutcome, Rival, race};
#[doc(hidden)]
pub use sat::SatSolver;
#[doc(hidden)]
pub use smtlib::SmtlibWord;
pub use smtlib::functions as functions_in_smtlib;
pub use smtlib::plain_script;
pub use smtlib::{SmtlibScript, Text};
pub use smtlib::{definitions, expression, name as name_in_smtlib, sort as sort_in_smtlib};
pub use solved::SolverAnswer;
pub use solver::Solver;
pub use traced::refute;
pub use traced::{IncrementalSearch, TraceEvent};
pub use z3::Z3;
