//! Columns of operands: programs of vector instructions that run on a block of them at once.
//!
//! This crate is a part of `mmasmt`. It knows bit-vectors and no models, so that a change of a model
//! does not compile its routines again.
#![allow(
    missing_docs,
    rustdoc::private_intra_doc_links,
    clippy::len_without_is_empty,
    reason = "what is meant for others is passed on, and documented, by `mmasmt`"
)]

pub mod tape;
