//! The computations of matrix units: algorithms, models and their tables, one evaluation at a time
//! and on many inputs at once.
//!
//! This crate is a part of `mmasmt`, which re-exports and documents its public parts.
#![allow(
    missing_docs,
    rustdoc::private_intra_doc_links,
    clippy::len_without_is_empty,
    reason = "what is meant for others is passed on, and documented, by `mmasmt`"
)]

pub mod batch;
pub mod machines;
