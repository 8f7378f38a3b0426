//! Errors of results: a search for operands with a large error, and a comparison of schemes.

pub mod compare;
pub mod worst;
