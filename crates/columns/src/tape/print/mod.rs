//! Printed tapes: a tape as the text of a function in C, or of a kernel in CUDA C++, that computes
//! many dot-adds.
//!
//! Both languages have the same statements, one for each instruction; what the languages do in
//! different ways is in small functions before them (`c.rs`, `cuda.rs`). Everything is computed in
//! unsigned integers, modulo 2^width, so that no input has undefined behaviour.

mod array;
mod body;
mod c;
mod cuda;
mod error;
mod kernel;
mod lists;
mod operands;
mod products;
mod reals;
mod routine;
mod statement;
mod words;

pub use array::Array;
pub use error::PrintError;
pub use kernel::{Kernel, Language};
pub use products::{OperandRegisters, ProductPrograms};
pub use words::TYPE_NAMES;
