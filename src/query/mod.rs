//! Questions about models, from formula to checked answer.
//!
//! `distinguish` builds the formula of [`property::differ`](crate::property::differ), climbs a
//! ladder of searches, replays what is found, and makes it simple.

mod apart;
mod ask;
mod discriminate;
mod distinguish;
mod ladder;
mod library;
mod minimise;
mod moves;
mod part;
mod prove;
mod restriction;
mod samples;
mod simplicity;
mod view;
mod witness;

pub use apart::{Apart, apart};
pub use ask::Engine;
pub use discriminate::{Discriminate, Pairs, Told, discriminate};
pub use distinguish::{
    Answer, Distinguish, Found, QueryError, Simplest, common_signature, distinguish, script,
};
pub use library::{Expected, Query, queries};
pub use part::{Parting, parting, step_name};
pub use prove::{Outcome, Prove, UnconfirmedRefutation, prove};
pub use simplicity::{Simplicity, simplicity};
pub use view::{FusedView, TermView, fused_view};
pub use witness::{ReplayError, Witness};
