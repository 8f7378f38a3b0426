//! Questions about models: solvers, claims, vectors, errors, identification, pages.
//!
//! This crate is a part of `mmasmt`, whose documentation names the items that other crates may use.
#![allow(
    missing_docs,
    rustdoc::private_intra_doc_links,
    reason = "what is meant for others is passed on, and documented, by `mmasmt`"
)]

pub mod agreement;
pub mod circuits;
pub mod claims;
pub mod errors;
pub mod identify;
pub mod inputs;
pub mod matrices;
#[cfg(feature = "page")]
pub mod pages;
pub mod plans;
pub mod solver;
pub mod vectors;
