//! Vectors: inputs of a dot-add with the result that something gave.

mod blocks;
mod check;
mod checked;
mod draw;
mod error;
mod file;
mod index;
mod inputs;
mod line;
mod read;
mod source;
mod tally;
pub mod write;

pub use check::{check_file, check_vectors};
pub(crate) use checked::check_bit_vectors;
pub use checked::{CheckedInputs, Misfit};
pub use draw::{Draw, Kind, Sampler};
pub use error::VectorError;
pub use file::Lines;
pub use index::{Entry, IndexError, parse_index, read_index};
pub use inputs::{Inputs, Vector};
pub use line::{parse_inputs, parse_line};
pub use read::{Results, VectorFile};
pub use source::{is_stdin, open, unpacked};
pub use tally::{Checked, Failure};
