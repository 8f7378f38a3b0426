//! What can be claimed of models, as formulas over symbolic inputs: a file for each kind of claim.
//!
//! Every function here is generic over the bit-vectors and tells whether the claim is *violated*,
//! so that one text is the formula for the solver and the replay of what the solver finds.

mod alignment;
mod bound;
mod claim;
mod counterpart;
mod differ;
mod domain;
mod exact;
mod invariance;
mod kind;
mod lemma;
mod monotone;
mod order;
mod parse;
mod products;
mod published;
mod rounded;
mod subnormals;
mod symbolic;
mod values;

pub use claim::{Claim, ClaimError};
pub use counterpart::Counterpart;
pub(crate) use differ::{ComparedModels, compared};
pub use differ::{differ, results_differ};
pub use domain::{Domain, DomainError, TooNarrow};
pub use kind::{PROPERTIES, Property, PropertyDoc};
pub use lemma::Lemma;
pub use published::{Expected, Published, published, read_published};
pub(crate) use symbolic::input_numbers;
pub use symbolic::{SymbolicInputs, inputs_of};
pub(crate) use symbolic::{all_finite, registers_of};
