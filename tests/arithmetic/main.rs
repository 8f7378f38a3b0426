//! Numbers: formats, rounding, sums and products, and terms of bits.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

#[path = "../common/mod.rs"]
mod common;

mod addition;
mod blast;
mod cut_flags;
mod fields;
mod flags;
mod flush;
mod formats;
mod graph;
mod host;
mod host_rounding;
mod measures;
mod multiply;
mod ranged;
mod rounding;
mod small_formats;
mod stochastic;
mod tape;
mod terms;
mod written;
