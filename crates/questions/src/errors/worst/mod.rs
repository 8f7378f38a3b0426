//! The worst case: operands on which the error of a model is large.
//!
//! | what | file |
//! | --- | --- |
//! | the error on given inputs, and its proved bound | `judge` |
//! | the error on all inputs, where there are few | `all` |
//! | the search: starts, random draws, hill climbing | `climb` |
//! | the fall of a result where an operand steps up | `fall` |
//! | the solver, asked for a greater error or a proof that there is none | `raise` |

mod all;
mod climb;
mod fall;
mod judge;
mod raise;

pub use all::worst_of_all;
pub use climb::{Candidate, Objective};
pub use fall::{Fall, FallJudge, greatest_fall};
pub use judge::{Judge, Search, WorstInputs, worst};
pub use raise::{RaiseOutcome, raised};
