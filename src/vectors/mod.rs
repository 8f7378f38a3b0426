//! Vectors: inputs of a dot-add with the result that something gave.

mod check;
mod file;
mod index;
mod inputs;
mod sampler;

pub use check::{Checked, Failure, check_file};
pub use file::{Lines, VectorError, parse_inputs, parse_line};
pub use index::{Entry, IndexError, read_index};
pub use inputs::{Inputs, Vector};
pub use sampler::Sampler;
