//! HTML pages of evaluations step by step, and of other results. Each page is one file that needs
//! no network and is complete without scripts.
//!
//! | what | file |
//! | --- | --- |
//! | the frame: title, style, script | `document` |
//! | a register as bit fields | `fields` |
//! | the operands of a dot-add | `operands` |
//! | a row of bits, one HTML element for each bit | `bits` |
//! | a fused sum: alignment, sum, normalisation, rounding | `sum` |
//! | the steps of an evaluation | `steps` |
//! | the page of an evaluation | `explanation` |
//! | an evaluation inside another page | `taken_apart` |
//! | the page of two models side by side | `difference` |
//! | the page of feature tests | `features` |
//! | the page of errors of schemes | `comparison` |
//! | the page that asks for models and operands | `live` |
//! | the page of all pairs of units | `atlas` |

mod atlas;
mod bits;
mod comparison;
mod difference;
mod document;
mod explanation;
mod features;
mod fields;
mod live;
mod operands;
mod steps;
mod sum;
mod taken_apart;

pub use atlas::atlas_page;
pub use comparison::{Comparison, ComparisonGroup, ComparisonRow, comparison_page};
pub use difference::{Difference, difference_page};
pub use explanation::explanation_page;
pub use features::{Respondent, features_page};
pub use live::{LiveAnswer, LiveForm, live_page};
