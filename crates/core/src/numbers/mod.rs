//! Bit-vectors and their implementations, and number formats with their operations on bit-vectors.

pub mod bits;
pub mod float;
