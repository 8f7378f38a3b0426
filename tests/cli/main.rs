//! The program `mmasmt`, and the files that it reads and writes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

#[cfg(unix)]
mod artifacts;
mod generate;
mod hostile;
#[cfg(unix)]
mod interrupt;
mod limits_kept;
mod specification_files;
mod transcripts;
mod vector_files;
