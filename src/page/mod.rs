//! Pages: an evaluation taken apart as one HTML file that needs no network, complete without scripts.
//!
//! | what | file |
//! | --- | --- |
//! | the frame: title, style, script | `document` |
//! | a register as bit fields | `fields` |
//! | the operands of a dot-add | `operands` |
//! | a row of bits, one element for each | `bits` |
//! | a fused sum: alignment, sum, normalisation, rounding | `sum` |
//! | the steps of an evaluation | `steps` |
//! | the page of an evaluation | `explanation` |
//! | the page of two models side by side | `difference` |

mod bits;
mod difference;
mod document;
mod explanation;
mod fields;
mod operands;
mod steps;
mod sum;

pub use difference::{Difference, difference_page};
pub use explanation::explanation_page;
