//! Questions about models, from formula to checked answer.
//!
//! | step | file |
//! | --- | --- |
//! | what is asked: inputs that refute a claim | `question`, `options` |
//! | the order of the steps; is the question about any inputs | `ask` |
//! | who is asked: the embedded engine, other solvers, several side by side | `engines` |
//! | does a bound of errors settle it | `bounded` |
//! | is it settled by construction; searches in turns | `portfolio`, `restriction` |
//! | does a drawn input answer it | `samples` |
//! | does none of few inputs answer it | `enumerate` |
//! | a search in which products are any numbers | `free_products` |
//! | an attempt to refute what a rule proves, on inputs at which rules decide | `attempt`, `critical`, `codes` |
//! | proofs beyond search: cut points, correct rounding, lemmas | `reason`, `rounded`, `lemmas` |
//! | do the inputs found answer the question | `replay`, `judge` |
//! | the simplest inputs that answer the question | `minimise` |
//! | the answer, and what it rests on | `answer`, `basis` |
//! | results as far apart as a search finds | `largest` |
//! | how often drawn operands refute a claim, with an interval | `how_often`, `interval` |
//! | the least value of a key for which a claim holds | `least` |
//! | confirmation of the answer by other engines | `confirm` |
//! | the question for other programs, as SMT-LIB and as clauses | `export` |

mod answer;
mod ask;
mod attempt;
mod basis;
mod bounded;
mod codes;
mod confirm;
mod critical;
mod engines;
mod enumerate;
mod export;
mod free_products;
mod how_often;
mod interval;
mod judge;
mod largest;
mod least;
mod lemmas;
mod minimise;
mod options;
mod portfolio;
mod question;
mod reason;
mod replay;
mod restriction;
mod rounded;
mod samples;

pub use crate::claims::exactness::{ExactnessConclusion, Finding};
pub use crate::claims::stages::{Obligation, Obligations};
pub use answer::{Answer, Ended, QueryError, Witness};
pub use ask::{answer, distinguish, prove};
pub use attempt::{Attempt, WRONG_RULE};
#[doc(hidden)]
pub use basis::ReasoningOutcome;
pub use basis::{Basis, FactSubject};
pub use confirm::{
    ConfirmError, Confirmation, ConfirmationRequest, FactsConfirmed, MissingFact, confirm, facts,
};
#[doc(hidden)]
pub use enumerate::{ExhaustiveSearch, try_all};
pub use export::Simplification;
pub use export::{blasted_inputs, wires};
#[doc(hidden)]
pub use free_products::{FreeProducts, factor_pairs};
pub use how_often::{SampledShare, ShareError, counted, share};
pub use interval::confidence;
#[doc(hidden)]
pub use judge::InputsJudge;
pub use largest::largest;
pub use least::{LeastValue, least};
#[doc(hidden)]
pub use lemmas::follows;
pub use options::{Engine, Options};
pub use question::{Question, common_signature};
#[doc(hidden)]
pub use reason::reason;
#[doc(hidden)]
pub use replay::Replay;
#[doc(hidden)]
pub use samples::sampled;
