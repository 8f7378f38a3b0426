//! Exported text, compiled and run by the tools that it is for.
//!
//! What other programs give is compared with the simulators, which share nothing with the printers but the model. gcc is asked by
//! default; iverilog, verilator, yosys, ACL2 and Bitwuzla by the tests that are ignored, where they are.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

#[path = "../common/mod.rs"]
mod common;

#[cfg(unix)]
mod acl2;
#[cfg(unix)]
mod compiled;
#[cfg(unix)]
mod designs;
#[cfg(unix)]
mod guide;
#[cfg(unix)]
mod lisp;
#[cfg(unix)]
mod models;
#[cfg(unix)]
mod operators;
#[cfg(unix)]
mod products;
#[cfg(unix)]
mod rows;
#[cfg(unix)]
mod rtl;
#[cfg(unix)]
mod simulated;
#[cfg(unix)]
mod tapes;
#[cfg(unix)]
mod units;
