//! Bit-accurate models of GPU matrix multiply-accumulate units, written once over a bit-vector
//! abstraction: the same text is a fast simulator and an SMT formula.

pub mod algorithms;
pub mod bits;
pub mod cli;
pub mod device;
pub mod engine;
pub mod error;
mod excerpt;
pub mod float;
pub mod identify;
pub mod model;
pub mod probe;
pub mod proof;
pub mod property;
pub mod query;
pub mod vectors;
mod whole_file;
