//! Errors of results: a search for operands with a large error, a comparison of schemes, signed errors,
//! tolerances and what they catch.

pub mod bias;
pub mod compare;
pub mod tolerance;
pub mod worst;
