//! Units that answer: feature tests, families of models that inputs tell apart, and `identify`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

#[path = "../common/evidence.rs"]
mod evidence;
mod faults;
mod keys;
mod learn;
mod parts;
mod probe;
mod rows;
mod separate;
#[path = "../common/setting.rs"]
mod setting;
mod units;
