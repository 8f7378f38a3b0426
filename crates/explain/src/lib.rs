//! Evaluations of models, step by step, and operands to evaluate them on. No solver is needed here:
//! this also runs in a browser.
//!
//! This crate is a part of `mmasmt`, whose documentation names the items that other crates may use.
#![allow(
    missing_docs,
    rustdoc::private_intra_doc_links,
    reason = "what is meant for others is passed on, and documented, by `mmasmt`"
)]

pub mod explain;
pub mod operands;
