//! Many models at once: the inputs that separate them, and the model that explains a machine's
//! answers.
//!
//! [`family`] makes the candidates, [`separate`] finds few inputs that separate them, and
//! [`exclude`] compares them with recorded results. [`ClosedLoop`] asks a device until one class of
//! candidates is left and a sweep of other inputs confirms it. [`nearest`] ranks candidates,
//! [`identify_zero_signs`] tries the other sign of zeros, and [`score`] rates a set of inputs.
//! [`learn`](learn::learn) needs no candidates: it finds a description of the device.

mod answers;
#[doc(hidden)]
pub mod changes;
mod classes;
mod closed_loop;
mod confirm;
#[doc(hidden)]
pub mod cover;
mod discriminate;
mod domain_draws;
mod drawn;
mod error;
mod every_kind;
mod exclude;
#[doc(hidden)]
pub mod family;
mod family_error;
mod faults;
mod first_questions;
mod hill_climb;
pub mod learn;
#[doc(hidden)]
pub mod lower_bound;
#[doc(hidden)]
pub mod named;
mod nearest;
mod options;
mod pool;
pub mod probe;
mod questions;
#[doc(hidden)]
pub mod score;
mod separate;
#[doc(hidden)]
pub mod threads;
mod tree;
mod values;
mod zero_signs;

pub use answers::Answers;
#[doc(hidden)]
pub use answers::Partition;
pub use changes::Changes;
#[doc(hidden)]
pub use classes::SortOutcome;
pub use classes::{ClassRelation, ModelClasses};
pub use closed_loop::{ClosedLoop, Identification, Identified};
pub use confirm::{CONFIRM, ConfirmationSweep};
pub use discriminate::{PairRelation, PairRelations, SeparationRequest, discriminate};
pub use error::IdentifyError;
pub use exclude::{ExcludedModel, Exclusion, RecordedLine, exclude, two_answers};
pub use family::{family, same_signature};
pub use family_error::FamilyError;
pub use faults::{FaultCoverage, faults};
pub use first_questions::ask_first;
#[doc(hidden)]
pub use hill_climb::Climber;
pub use lower_bound::{LowerBound, LowerBoundReason};
pub use named::NAMED;
#[doc(hidden)]
pub use nearest::FINALISTS;
pub use nearest::{CandidateAgreement, nearest};
pub use options::IdentifyOptions;
pub use questions::{AnsweredQuestion, FirstAnswers, QuestionsHalt};
pub use score::{Fate, Mutant, Score, catch, score};
pub use separate::{Minimality, Separation, separate, separate_in};
pub use tree::DecisionTree;
pub use values::mutants;
pub use zero_signs::{ZERO_SIGN, identify_zero_signs, with_other_zero_sign, with_other_zero_signs};
