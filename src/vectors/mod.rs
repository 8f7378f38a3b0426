//! Vectors: inputs of a dot-add with the result that something gave.

mod blocks;
mod check;
mod file;
mod index;
mod inputs;
mod line;
mod sampler;
mod source;
mod tally;

pub use check::{Checked, Failure, check_file};
pub use file::{Lines, VectorError};
pub use index::{Entry, IndexError, read_index};
pub use inputs::{Inputs, Vector};
pub use line::{parse_inputs, parse_line};
pub use sampler::Sampler;
pub use source::{is_stdin, open, unpacked};
