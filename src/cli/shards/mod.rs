//! Work of many independent items, done in shares by any number of machines: `--shard I/N`.
//!
//! A share writes JSON Lines: a header, then a line for each of its items, in their order. Lines
//! hold nothing that differs from run to run, such as times, so that `merge` gives the same bytes
//! whatever the number of shares was.

mod lines;
pub(super) mod merge;
mod share;

pub(super) use lines::{LinesOfFile, wrong};
pub(super) use share::{Shard, ShardArgs, Work, without_cost};
