//! Claims: what is asked of models, and how it is proved or refuted.
//!
//! | folder | for |
//! | --- | --- |
//! | `property` | what can be claimed, and what can be assumed of operands |
//! | `exactness` | where nothing is lost: sets of multiples and their magnitudes |
//! | `bounds` | proved bounds of errors |
//! | `stages` | two models compared stage by stage |
//! | `query` | the way from a question to an answer that was checked |
//! | `certificates` | answers as proofs that another program checks |

pub mod bounds;
pub mod certificates;
pub mod exactness;
pub mod property;
pub mod query;
mod stages;
