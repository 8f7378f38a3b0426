//! Does a share of the work: selects its items and writes their answers.

use super::lines::{ShareHeader, ShareLines};
use crate::cli::Status;
use crate::cli::error::Error;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;

/// Which share of the work to do.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ShardArgs {
    /// Do only share I of N, where the first share is 0, and write JSON Lines; `mmasmt merge` puts
    /// the shares together
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    pub shard: Option<Shard>,
    /// Write the lines to FILE; if it has some already, continue after them. Another process that
    /// writes to the same file is an error
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub resume: Option<PathBuf>,
}

/// A share of the work. The items are dealt out in blocks of [`ShareWork::stride`] items: the first
/// block to share 0, the next to share 1, and so on; after the last of the `of` shares, share 0 is
/// next. `index` is the number of this share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Shard {
    pub index: u64,
    pub of: u64,
}

impl Shard {
    /// The share that is the whole work.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    fn parse(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(i, n)| Some([i.parse().ok()?, n.parse().ok()?]));
        match numbers {
            Some([index, of]) if index < of => Ok(Shard { index, of }),
            _ => Err(format!(
                "expected a share I/N with I from 0 to N - 1, like 0/4, found `{}`",
                excerpt(text)
            )),
        }
    }
}

/// The text of a share, as `--shard` takes it.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// Work that is done in shares.
pub(in crate::cli) struct ShareWork {
    /// The command.
    pub command: &'static str,
    /// All that the answers depend on, as a JSON object.
    pub asked: Value,
    /// The number of items; they are counted from 0.
    pub items: u64,
    /// How many items in a row belong to one share.
    pub stride: u64,
}

impl ShareWork {
    /// Does a share: asks for the answer to each of its items and writes it as a line, with what the
    /// answer means for the status of the whole work, which `merge` ends with. If `answer` returns
    /// `None`, the work was stopped. The share itself ends with 0 if all its items are done.
    ///
    /// # Errors
    /// If an item or a line fails, or the file to go on with belongs to other work.
    pub fn share<T: Serialize>(
        &self,
        shard: Shard,
        args: &ShardArgs,
        limits: &Limits,
        out: &mut dyn Write,
        mut answer: impl FnMut(u64) -> Result<Option<(T, Status)>, Error>,
    ) -> Result<Status, Error> {
        let header = ShareHeader::new(self.command, &self.asked, self.items, shard.to_string());
        let is_own = |item: &u64| item / self.stride % shard.of == shard.index;
        let mut own = (0..self.items).filter(is_own);
        let all = own.clone().count();
        let mut lines = ShareLines::begin(&header, args.resume.as_deref(), out)?;
        let mut done = 0;
        for item in own.by_ref().take(lines.written()) {
            lines.expect(item, done)?;
            done += 1;
        }
        while let Some(item) = own.next() {
            limits.report(|report| report.settled = Some([done, all]));
            let stopped = limits.stopped();
            let answered = match stopped {
                Some(_) => None,
                None => answer(item)?,
            };
            let Some((answered, status)) = answered else {
                let open: Vec<_> = std::iter::once(item).chain(own).collect();
                let why = limits.stopped().map_or("ended early", Stopped::describe);
                // All lines are whole; the open items are reported on standard error, apart from
                // the lines.
                let _ = writeln!(
                    std::io::stderr(),
                    "{why}: {} of {all} items of share {shard} are open: {}; --resume FILE goes on with them",
                    open.len(),
                    numbers(&open),
                );
                return Ok(Status::Unknown);
            };
            lines.write(item, &answered, status)?;
            done += 1;
        }
        Ok(Status::Yes)
    }
}

/// The most numbers that are listed.
pub(super) const LISTED: usize = 12;

/// Ascending numbers for a person: the first of them, and how many more.
pub(super) fn numbers(all: &[u64]) -> String {
    let first = all.iter().take(LISTED).map(u64::to_string);
    let mut text = first.collect::<Vec<_>>().join(", ");
    if all.len() > LISTED {
        text += &format!(" and {} more", all.len() - LISTED);
    }
    text
}
