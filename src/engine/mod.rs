//! Engines: they decide formulas of the term graph and know nothing of models.
//!
//! The embedded one goes `nodes -> words of literals -> gates -> clauses -> CaDiCaL`.

mod cadical;
mod gates;
mod limits;
mod lower;
mod words;

pub use cadical::{Search, Size, Strategy, Verdict, solver_version};
pub use limits::{Limits, Stopped};
