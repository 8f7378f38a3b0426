//! Pages for a browser, as text and in Chromium.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

#[path = "../common/mod.rs"]
mod common;

mod answers;
mod atlas;
mod browser;
mod evaluations;
mod explorer;
mod markup;
mod others;
mod screenshots;
mod webdriver;
mod widths;
