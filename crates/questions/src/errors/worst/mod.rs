//! The worst case: operands on which the error of a model is large.
//!
//! | what | file |
//! | --- | --- |
//! | how bad inputs are: the error, and what bounds it there | `judge` |
//! | the search: starts, random draws, hill climbing | `climb` |
//! | a solver asked for what is worse, or a proof that nothing is | `raise` |

mod climb;
mod judge;
mod raise;

pub use climb::worst;
pub use judge::{Judge, Search, Worst};
pub use raise::{Raised, raised};
