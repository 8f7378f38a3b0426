//! `merge`: joins the shares of one piece of work.

use super::lines::{Item, LinesOfFile, ShareHeader};
use super::share::{LISTED, Shard, numbers};
use crate::cli::Status;
use crate::cli::error::Error;
use crate::cli::output::{named, write_whole};
use mmasmt_numbers::base::excerpt::file_name;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Put the shares of one work together
///
/// The files are those that `--shard I/N` wrote, in any order; all must be of one version of the
/// program and one request. The result is what `--shard 0/1` writes, byte for byte, whatever the
/// number of shares was. If an item is missing, or there twice, the command names it and writes
/// nothing. A share ends with 0 when it is done; what the answers mean is the status of `merge`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt prove --all --shard 0/2 > 0.jsonl\n  mmasmt prove --all --shard 1/2 --resume 1.jsonl\n  mmasmt merge 0.jsonl 1.jsonl --out all.jsonl\n\nExit status: that of the whole command, 0 or 1; 2 the files do not fit together, 3 items are missing, or their answers not known."
)]
pub(in crate::cli) struct Args {
    /// Files of shares
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write to FILE, in place of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(in crate::cli) fn run(args: &Args, out: &mut dyn Write) -> Result<Status, Error> {
    let header = common_header(&args.files)?;
    // Nothing is written before all items are known to be there.
    let mut missing = MissingItems::default();
    let (mut expected, mut status) = (0, Status::Yes);
    each_line(&args.files, |item, _| {
        missing.extend(expected..item.item);
        expected = item.item + 1;
        status = status.and(item.status);
        Ok(())
    })?;
    missing.extend(expected..header.items);
    if missing.count > 0 {
        let why = "these shares are not done: --resume FILE goes on with them";
        let _ = writeln!(
            std::io::stderr(),
            "expected {} items, {} are missing: {}; {why}",
            header.items,
            missing.count,
            numbers(&missing.first) + if missing.is_cut() { ", ..." } else { "" },
        );
        return Ok(Status::Unknown);
    }
    let all = |out: &mut dyn Write| {
        out.write_all(header.line()?.as_bytes())?;
        each_line(&args.files, |_, line| Ok(out.write_all(line.as_bytes())?))
    };
    match named(args.out.as_deref()) {
        None => all(out)?,
        Some(path) => {
            let mut failed = None;
            let written = write_whole(path, |file| {
                failed = all(file).err();
                match &failed {
                    None => Ok(()),
                    Some(error) => Err(std::io::Error::other(error.to_string())),
                }
            });
            if let Some(error) = failed {
                return Err(error);
            }
            written.map_err(Error::file(path))?;
        }
    }
    Ok(status)
}

/// The items that no file has: the numbers of the first ones, and the count of all.
#[derive(Default)]
struct MissingItems {
    first: Vec<u64>,
    count: u64,
}

impl MissingItems {
    fn extend(&mut self, items: std::ops::Range<u64>) {
        let room = LISTED - self.first.len();
        self.first.extend(items.clone().take(room));
        self.count += items.end.saturating_sub(items.start);
    }

    fn is_cut(&self) -> bool {
        self.count > self.first.len() as u64
    }
}

/// The header of the merged file. The headers of all files must be the same, except for `shard`.
fn common_header(files: &[PathBuf]) -> Result<ShareHeader, Error> {
    let mut common: Option<(ShareHeader, &Path)> = None;
    for path in files {
        let header = LinesOfFile::open(path)?.header;
        let Some((first, of)) = &common else {
            common = Some((header, path));
            continue;
        };
        if let Some(difference) = header.difference(first) {
            let (path, of) = (file_name(path), file_name(of));
            return Err(Error::Usage(format!(
                "{path}: {difference}, unlike {of}: expected shares of one version and one request"
            )));
        }
    }
    let Some((mut header, _)) = common else {
        return Err(Error::Usage("expected files of shares".into()));
    };
    header.shard = Shard::WHOLE.to_string();
    Ok(header)
}

/// Passes each line of the files, with the number of its item, to `take`, in the order of the
/// items.
///
/// # Errors
/// If a file cannot be read, or an item is there twice or not in order.
fn each_line(
    files: &[PathBuf],
    mut take: impl FnMut(&Item, &str) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut heads = Vec::new();
    for path in files {
        let mut lines = LinesOfFile::open(path)?;
        let next = lines.next()?;
        heads.push((lines, next, path));
    }
    let mut last: Option<(u64, &PathBuf)> = None;
    loop {
        let waiting = heads.iter_mut().filter(|(_, next, _)| next.is_some());
        let least = waiting.min_by_key(|(_, next, _)| next.as_ref().map(|(item, _)| item.item));
        let Some((lines, next, path)) = least else {
            return Ok(());
        };
        let path: &PathBuf = path;
        let Some((found, line)) = next.take() else {
            return Ok(());
        };
        let item = found.item;
        if let Some((before, of)) = last
            && item <= before
        {
            let (path, of) = (file_name(path), file_name(of));
            return Err(Error::Usage(if item == before {
                format!("item {item} is in {of} and again in {path}: expected it once")
            } else {
                format!("{path}: expected items in their order, found item {item} behind {before}")
            }));
        }
        if item >= lines.header.items {
            return Err(Error::Usage(format!(
                "{}: expected items below {}, found item {item}",
                file_name(path),
                lines.header.items
            )));
        }
        take(&found, &line)?;
        last = Some((item, path));
        *next = lines.next()?;
    }
}
