//! Questions about models, from formula to checked answer.
//!
//! `distinguish` builds the formula of [`property::differ`](crate::property::differ), climbs a
//! ladder of searches, replays what is found, and makes it simple.

mod ask;
mod cache;
mod distinguish;

mod ladder;
mod library;
mod minimise;
mod moves;
mod part;
mod prove;
mod recall;
mod restriction;
mod samples;
mod simplicity;
mod subject;
mod view;
mod witness;

pub use ask::Engine;
pub use cache::{Cache, CacheError};
pub use distinguish::{
    Answer, Distinguish, Found, QueryError, Simplest, common_signature, distinguish, script,
};
pub use library::{Expected, Query, queries};
pub use part::{Parting, parting, step_name};
pub use prove::{Outcome, Prove, UnconfirmedRefutation, prove};
pub use recall::Origin;
pub use simplicity::{Simplicity, simplicity};
pub use subject::{Simplify, Subject};
pub use view::{FusedView, TermView, fused_view};
pub use witness::{ReplayError, Witness};
