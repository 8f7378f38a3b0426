//! Learning: the description of a unit from its answers alone, with no list of candidates.
//!
//! | what | file |
//! | --- | --- |
//! | the questions, of which there are at most so many | `session` |
//! | whether the unit is a function | `function` |
//! | a known algorithm with other parameters that gives all answers | `parameters`, `named`, `decided_parameters` |
//! | the order of its sums | `order`, `companions`, `scale`, `layout` |
//! | inputs that show one class of sums | `directed` |
//! | what each sum may do, in the words of a description | `choices`, `text` |
//! | hypotheses, and how much of the answers each misses | `hypothesis`, `evidence` |
//! | the hypothesis that misses nothing, class by class and then as a whole | `stages`, `climb`, `moves`, `fit` |
//! | inputs that tell it from all others near it | `decide` |
//! | models that give all answers as well, and inputs that tell them apart | `rivals`, `near` |
//! | the same from recorded answers, where nothing can be asked | `recorded`, `recorded_parameters` |
//! | all of that in turn, the confirming sweep, and what is told in the end | `learner`, `sweep`, `known`, `conclude`, `learned` |

mod choices;
mod climb;
mod companions;
mod conclude;
mod decide;
mod decided_parameters;
mod directed;
mod evidence;
mod fit;
mod function;
mod hypothesis;
mod known;
mod layout;
mod learned;
mod learner;
mod moves;
mod named;
mod near;
mod order;
mod parameters;
mod recorded;
mod recorded_parameters;
mod rivals;
mod scale;
mod session;
mod stages;
mod sweep;
mod text;

#[doc(hidden)]
pub use choices::{sum, unit};
#[doc(hidden)]
pub use hypothesis::{Hypothesis, Space, model_of};
#[doc(hidden)]
pub use known::LearnProgress;
#[doc(hidden)]
pub use layout::{Sharing, UnitLayout, usual};
pub use learned::{DecidedChoice, LearnOptions, LearnResult, LearnVerdict, OpenChoice};
#[doc(hidden)]
pub use learner::Learner;
pub use learner::learn;
#[doc(hidden)]
pub use near::NearModels;
#[doc(hidden)]
pub use order::orders;
pub use recorded::learn_recorded;
#[doc(hidden)]
pub use session::Session;
