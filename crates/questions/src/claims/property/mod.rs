//! Properties that can be claimed of models, with a file for each in `kinds`.
//!
//! A property has a function, generic over bit-vectors, that computes whether the claim is
//! *violated*. On terms, the function gives the formula for the solver; on machine words, it checks
//! the inputs that the solver finds.

mod bound;
mod claim;
mod closer;
mod counterpart;
mod differ;
mod domain;
mod error;
mod exact;
mod integers;
mod kinds;
mod lemma;
mod meaning;
mod monotone;
mod products;
mod published;
mod relative;
mod rounded;
mod subnormals;
mod symbolic;
mod terms;
mod text;
mod trial;
mod values;

pub use bound::{Bound, BoundUnit};
pub use claim::Claim;
pub use closer::TrueSum;
pub use counterpart::Counterpart;
pub use differ::{ComparedModels, compared};
pub use differ::{differ, results_differ};
pub use domain::{CodeSet, Domain, DomainError, DomainInputs, EmptyDomain, Predicate, WORDS};
pub use error::ClaimError;
pub use kinds::{CarryBits, EqualResults, ErrorLimit, OrderIndependent, Rounds};
#[doc(hidden)]
pub use kinds::{MOST_ORDERS, arrangements, orders};
pub use kinds::{PROPERTIES, Property, RoundsPartialSums, ZeroPadding};
pub use lemma::Lemma;
pub use meaning::{Meaning, PropertyDoc};
#[doc(hidden)]
pub use monotone::raised_factors;
pub use monotone::steps_up;
#[doc(hidden)]
pub use products::{aligns_products, shows_products};
pub use published::query_texts;
pub use published::{ExpectedOutcome, PublishedClaim, published, read_published};
pub use relative::{ReferenceSum, RelativeBound};
pub use symbolic::input_numbers;
pub use symbolic::{SymbolicInputs, inputs_of};
pub use symbolic::{all_finite, registers_of};
pub use text::PropertyText;
pub use trial::Trial;
