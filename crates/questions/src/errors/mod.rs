//! Errors of results: a search for operands with a large error, a comparison of schemes, signed errors.

pub mod bias;
pub mod compare;
pub mod worst;
