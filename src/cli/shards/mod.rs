//! Work of many independent items, done in shares by any number of machines: `--shard I/N`.
//!
//! A share writes JSON Lines: a header, then a line for each of its items, in order. Lines contain
//! nothing that differs from run to run, such as times. The output of `merge` therefore has the
//! same bytes for any number of shares.

mod lines;
pub(super) mod merge;
mod share;

pub(super) use lines::{LinesOfFile, ShareHeader, wrong};
pub(super) use share::{Shard, ShardArgs, ShareWork};
