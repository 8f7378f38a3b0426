//! The worst case: operands on which the error of a model is large, and a bound that no operands exceed.

mod bound;
mod climb;
mod starts;

pub use bound::{ErrorBound, error_bound};
pub use climb::{Worst, worst};
