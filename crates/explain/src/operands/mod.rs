//! Operands that a person would write: factors with exponents in a range, and ordinary operands.

mod of_exponents;
mod ordinary;

pub use of_exponents::of_exponents;
pub use ordinary::{ordinary_domain, ordinary_operands};
