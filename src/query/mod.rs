//! Questions about models, from formula to checked answer.
//!
//! `distinguish` builds the formula of [`property::differ`](crate::property::differ), climbs a
//! ladder of searches, replays what is found, and makes it simple; `prove` does so for claims. An
//! unsatisfiable answer can be proved again by engines that share nothing with the first one.

mod apart;
mod ask;
mod basis;
mod cache;
mod certify;
mod confirm;
mod discriminate;
mod distinguish;
mod dump;
mod goal;
mod ladder;
mod lemmas;
mod library;
mod minimise;
mod moves;
mod obligations;
mod part;
mod prove;
mod reasoned;
mod recall;
mod restriction;
mod rounded;
mod samples;
mod simplicity;
mod stagewise;
mod subject;
mod view;
mod witness;

pub use apart::{Apart, apart};
pub use ask::Engine;
pub use basis::{About, Basis};
pub use cache::{Cache, CacheError};
pub use certify::{Certificate, certify};
pub use confirm::{
    Confirm, ConfirmError, Confirmation, FactsConfirmed, confirm_found, confirm_outcome,
    found_facts, outcome_facts,
};
pub use discriminate::{Discriminate, Pairs, Told, discriminate};
pub use distinguish::{
    Answer, Distinguish, Found, QueryError, Simplest, common_signature, distinguish,
};
pub use dump::{claim_script, script};
pub use library::{Expected, Query, queries, read_queries};
pub use obligations::{Obligation, Obligations};
pub use part::{Parting, parting, step_name};
pub use prove::{Outcome, Prove, ProveError, Settled, UnconfirmedRefutation, prove};
pub use recall::Origin;
pub use simplicity::{Simplicity, simplicity};
pub use subject::{Simplify, Subject};
pub use view::{FusedView, TermView, fused_view};
pub use witness::{ReplayError, Witness};
