//! Bit-vectors with their instances, and the number formats written over them.

pub mod bits;
pub mod float;
