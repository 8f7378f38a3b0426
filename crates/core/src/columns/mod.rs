//! Columns: a model on 512 inputs at a time, as a program of vector instructions.

pub mod batch;
pub mod tape;
