//! The program `mmasmt`, and the files that it reads and writes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

#[path = "../common/proofs.rs"]
#[allow(dead_code, reason = "only proofs with hints are asked about")]
mod proofs;
#[cfg(unix)]
#[path = "../common/setting.rs"]
mod setting;

#[cfg(unix)]
mod arguments;
#[cfg(unix)]
mod artifacts;
mod candidates;
#[cfg(unix)]
mod clients;
mod conversions;
mod doors;
mod epilogues;
mod generate;
mod hostile;
#[cfg(unix)]
mod interrupt;
#[cfg(unix)]
mod limits_drawn;
mod limits_kept;
#[cfg(unix)]
mod live;
#[cfg(target_os = "linux")]
mod memory;
mod metadata;
mod mutants;
mod options;
#[cfg(unix)]
mod pages;
mod plans;
mod products;
#[cfg(unix)]
mod runners;
mod schema;
#[cfg(unix)]
mod shards;
mod specification_files;
mod tables;
mod terminal;
mod transcripts;
mod vector_files;
mod without_c;
