//! What can be asked of models, as formulas over symbolic inputs.

mod differ;
mod symbolic;

pub use differ::{differ, results_differ};
pub use symbolic::SymbolicInputs;
