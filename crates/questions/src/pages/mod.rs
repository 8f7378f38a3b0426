//! HTML pages of answers to questions, each one file that needs no network.
//!
//! | what | file |
//! | --- | --- |
//! | the page of feature tests | `features` |
//! | the page of errors of schemes | `comparison` |
//! | the page of tolerances of a test | `tolerances` |
//! | the page of all pairs of units | `atlas` |
//! | the page of any other answer | `answer` |
//! | a drawing of ranges of errors | `error_ranges` |

mod answer;
mod atlas;
mod comparison;
mod error_ranges;
mod features;
mod tolerances;

pub use answer::{AnswerEvaluation, AnswerPage, AnswerTable, EvaluatedModels, answer_page};
pub use atlas::atlas_page;
pub use comparison::{ComparisonGroup, ComparisonPage, ComparisonRow, comparison_page};
pub use error_ranges::{ErrorRange, ErrorRangeGroup, error_ranges};
pub use features::{Respondent, features_page};
pub use tolerances::{Passage, ToleranceColumn, TolerancePage, tolerance_page};
