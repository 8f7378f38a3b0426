//! Feature tests: properties of a unit, derived from its results on chosen inputs.
//!
//! A test is a list of inputs, made for the formats of a signature, and an interpretation of their
//! results. It uses no other knowledge of the unit, so it works on a machine as well as on a model.

mod answers;
mod asker;
mod features;
mod published;
mod sums;
mod test;
mod tree;
mod unread;

pub use answers::{ProbeOutcome, ProbePlan, TestAnswer, TestAnswers, TwoResults, recorded};
pub use asker::TestResults;
pub use features::tests;
pub use published::{Cell, PublishedError, PublishedRow, PublishedTable, published_tables};
pub use sums::{FormatMisfit, ProbeSum, SumPlace};
pub use test::{AskedTest, ProbeValue, Reading, Suite, Test, TestFinding};
pub use tree::{SummationTree, as_dot, as_svg, as_text, as_unit, ask_tree, build_tree};
pub use unread::ReadingFailure;
