//! Claims: what is asked of models, and how it is proved or refuted.
//!
//! | folder | for |
//! | --- | --- |
//! | `property` | what can be claimed of models, and what can be assumed of operands |
//! | `exactness` | claims proved where no bit is lost, from multiples and magnitudes |
//! | `bounds` | proved bounds of errors, and results that are finite |
//! | `idle` | units that differ in options alone that change no result |
//! | `monotone` | results that never fall, by the steps of units |
//! | `stages` | proofs that compare two models stage by stage |
//! | `query` | how a question gets an answer that was checked |
//! | `scripts` | claims in SMT-LIB over models as functions |
//! | `certificates` | proofs of answers in clauses, which another program checks |
//! | `stepwise` | what is known of each step, which another program checks |

pub mod bounds;
pub mod certificates;
pub mod exactness;
mod idle;
pub mod monotone;
mod places;
pub mod property;
pub mod query;
pub mod scripts;
mod stages;
pub mod stepwise;

#[doc(hidden)]
pub use idle::differ_idly;
#[doc(hidden)]
pub use places::Places;
#[doc(hidden)]
pub use stages::Ledger;
