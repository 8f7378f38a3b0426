//! Z3 in process beside the other solvers: the tests of two programs that ask every solver there is, alone, so that with Z3
//! the others need not be built once more.

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
