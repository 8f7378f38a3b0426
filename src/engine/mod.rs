//! Engines: they decide formulas of the term graph and know nothing of models.
//!
//! The embedded one goes `nodes -> words of literals -> gates -> clauses -> CaDiCaL`; all others are
//! processes that read SMT-LIB text.

mod cadical;
mod encode;
mod error;
mod evaluate;
mod gates;
mod limits;
mod lower;
mod process;
mod slice;
mod smtlib;
mod words;

pub use cadical::{Search, Size, Strategy, Verdict, solver_version};
pub use encode::{Encoder, Literal};
pub use error::EngineError;
pub use limits::{Limits, Stopped};
pub use process::{Prover, Raced, SmtSolver, Solved, end_processes, race};
pub use slice::Slice;
pub use smtlib::Script;
