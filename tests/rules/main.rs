//! Rules by which claims follow from the steps of units, compared with what the steps give.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

mod composed;
mod exactness;
mod idle;
mod local;
mod rows;
