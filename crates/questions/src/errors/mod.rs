//! Errors of results: operands on which they are large, and schemes beside each other.

pub mod compare;
pub mod worst;
