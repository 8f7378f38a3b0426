//! The computations of matrix units: bit-vectors, number formats, models and their tables, and
//! programs over columns.
//!
//! This crate is a part of `mmasmt`, which re-exports and documents its public parts.
#![allow(
    missing_docs,
    rustdoc::private_intra_doc_links,
    clippy::len_without_is_empty,
    reason = "what is meant for others is passed on, and documented, by `mmasmt`"
)]

pub mod base;
pub mod columns;
pub mod machines;
pub mod numbers;
