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

mod bits;
pub mod difference;
pub mod document;
pub mod explanation;
mod fields;
mod operands;
mod steps;
mod sum;
pub mod taken_apart;

pub use difference::{Difference, difference_page};
pub use explanation::explanation_page;
