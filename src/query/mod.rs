//! Questions about models, from formula to checked answer.
//!
//! A [`Question`] asks for inputs that refute a claim. [`answer`] goes the way: is anything asked at all
//! (`ask`), does construction settle it, does a sample answer it (`samples`), does a search, of few
//! inputs first (`portfolio`, `small_worlds`), do cut points (`cut_points`), correct
//! rounding (`rounded`) or lemmas (`lemmas`) prove that nothing does; what is found is replayed (`replay`)
//! and made simple (`minimise`, `moves`, `simplicity`). An [`Answer`] can be confirmed by engines that
//! share nothing with the first one, and certified by a DRAT proof.

mod answer;
mod ask;
mod basis;
mod clauses;
mod confirm;
mod dump;
mod engines;
mod lemmas;
mod minimise;
mod moves;
mod options;
mod portfolio;
mod question;
mod reason;
mod replay;
mod rounded;
mod samples;
mod simplicity;
mod small_worlds;
#[cfg(test)]
mod stages_tests;

pub use crate::cut_points::{Obligation, Obligations};
pub use answer::{Answer, Ended, QueryError, Witness};
pub use ask::{answer, distinguish, prove};
pub use basis::{About, Basis};
pub use clauses::Simplify;
pub(crate) use clauses::{blasted_inputs, wires};
pub use confirm::{Confirm, ConfirmError, Confirmation, FactsConfirmed, confirm, facts};
pub use options::{Engine, Options};
pub use question::{Question, common_signature};
pub use simplicity::{Simplicity, simplicity};
