//! Operands that a person would write: factors with exponents in a range, and ordinary operands; how
//! often two models differ on these.

mod differences;
mod of_exponents;
mod ordinary;

pub use differences::{Differences, differences};
pub use of_exponents::of_exponents;
pub use ordinary::{fill_scales_with_one, ordinary_domain, ordinary_operands};
