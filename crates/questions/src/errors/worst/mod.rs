//! The worst case: operands on which the error of a model is large.
//!
//! | what | file |
//! | --- | --- |
//! | the error on given inputs, and its proved bound | `judge` |
//! | the search: starts, random draws, hill climbing | `climb` |
//! | the solver, asked for a greater error or a proof that there is none | `raise` |

mod climb;
mod judge;
mod raise;

pub use climb::worst;
pub use judge::{Judge, Search, Worst};
pub use raise::{Raised, raised};
