//! What is shown in a browser: pages as files and the page that `serve` answers with, as text and in Chromium.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

#[path = "../common/mod.rs"]
mod common;

mod atlas;
mod browser;
#[cfg(unix)]
mod connections;
mod evaluations;
mod explorer;
mod markup;
mod others;
mod screenshots;
#[cfg(unix)]
mod serve;
#[cfg(unix)]
mod served;
mod webdriver;
