//! Bit-vectors and their implementations, number formats with their operations on bit-vectors, and
//! what everything stands on: limits, processes, files.
//!
//! This crate is a part of `mmasmt`, which re-exports and documents its public parts.
#![allow(
    missing_docs,
    rustdoc::private_intra_doc_links,
    clippy::len_without_is_empty,
    reason = "what is meant for others is passed on, and documented, by `mmasmt`"
)]

pub mod base;
pub mod bits;
pub mod float;
