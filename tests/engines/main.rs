//! What decides a formula: solvers, clauses, proofs and their checker, and the laws of bits that they rest on.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

#[path = "../common/mod.rs"]
mod common;

mod answers;
mod budget;
mod certificates;
mod certified;
#[cfg(unix)]
mod confirm;
mod drat;
#[cfg(unix)]
mod facts;
mod faults;
mod freed;
mod gates;
mod known;
mod laws;
mod limits;
mod lrat;
mod many_clauses;
mod smtlib;
#[cfg(unix)]
mod solvers;
