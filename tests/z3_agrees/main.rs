//! The tests of `engines` and `models` that ask every solver, as a program of their own: with the feature `z3` these alone
//! have to be built again.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
#[path = "../engines/confirm.rs"]
mod confirm;
#[cfg(unix)]
#[path = "../engines/facts.rs"]
mod facts;
#[path = "../models/instances.rs"]
mod instances;
#[path = "../engines/laws.rs"]
mod laws;
