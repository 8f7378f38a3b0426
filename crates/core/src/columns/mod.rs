//! Columns: evaluation of a model on 512 inputs at a time, by a program of vector instructions.

pub mod batch;
pub mod tape;
