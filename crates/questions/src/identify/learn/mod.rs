//! Learning: the description of a unit from its answers alone, with no list of candidates.
//!
//! | what | file |
//! | --- | --- |
//! | the questions, of which there are at most so many | `session` |
//! | whether the unit is a function | `function` |
//! | the order of its sums | `order`, `layout` |
//! | what each sum may do, in the words of a description | `choices`, `text` |
//! | hypotheses, and how much of the answers each misses | `hypothesis`, `evidence` |
//! | the hypothesis that misses nothing | `climb`, `fit` |
//! | inputs that tell it from all others near it | `decide` |
//! | all of that in turn, and the confirming sweep | `learner`, `learned` |

mod choices;
mod climb;
mod decide;
mod evidence;
mod fit;
mod function;
mod hypothesis;
mod layout;
mod learned;
mod learner;
mod order;
mod session;
mod text;

pub use learned::{Decided, LearnOptions, Learned, OpenChoice, Verdict};
pub use learner::learn;
