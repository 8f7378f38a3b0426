//! Bit-vectors with their implementations, and number formats with operations on bit-vectors.

pub mod bits;
pub mod float;
