//! `atlas`: for every two units of one operand format, the domains on which they agree bit for bit.

use super::Status;
use super::json::{Cost, write_json};
use super::output::{PROGRAM, widest, write_text_file};
use super::shards::{LinesOfFile, ShardArgs, ShareWork, wrong};
use super::specification::{model, of_products};
use super::timeouts::until_ctrl_c;
use crate::cli::complete::models;
use crate::cli::error::Error;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_numbers::base::excerpt::{excerpt, file_name};
use mmasmt_numbers::float::Format;
use mmasmt_questions::agreement::{
    Atlas, AtlasUnit, Effort, LENGTHS, Record, UnitPair, pairs, units,
};
use mmasmt_questions::pages::atlas_page;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Find out for every two machines when they agree bit for bit
///
/// The command compares every two units that have the same operand format, and chains each to the
/// same numbers of products. It lists the simplest inputs found on which the two differ, and the
/// domains on which they are proved to agree: no subnormal numbers, one sign, c = 0, one product,
/// integers of n bits, numbers of few significant bits. With LEFT and RIGHT it compares these two
/// models alone. Effort is counted in steps of searches, not in time, so every run gives the same
/// answers.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt atlas A100/HMMA.16816.F32 H100/HMMA.16816.F32 --lengths 16\n  mmasmt atlas --formats e4m3,e5m2\n  mmasmt atlas --formats f16 --shard 0/4 --resume f16-0.jsonl\n  mmasmt atlas --from f16.jsonl --html f16.html\n  mmasmt atlas ampere/HMMA.16816.F32 hopper/HMMA.16816.F32 --from f16.jsonl\n\nExit status: 0 every domain is decided, 3 some are not known."
)]
pub(super) struct Args {
    /// One model
    #[arg(requires = "right", add = ArgValueCompleter::new(models))]
    left: Option<String>,
    /// The other model
    #[arg(add = ArgValueCompleter::new(models))]
    right: Option<String>,
    /// Compare only units with factors of these formats; without this, of all formats
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', value_parser = format, conflicts_with = "left")]
    formats: Vec<Format>,
    /// The numbers of products to compare at
    #[arg(long, value_name = "K", value_delimiter = ',', default_values_t = LENGTHS, value_parser = clap::value_parser!(u32).range(1..=1024))]
    lengths: Vec<u32>,
    /// How many times to search each domain; each time takes four times the effort of the one
    /// before
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(..=8))]
    turns: u32,
    /// Ask the solver only about models of at most so many products
    #[arg(long, value_name = "K", default_value_t = 16)]
    solved: u32,
    /// Seed of the random samples and of the solver
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Read the answers from a file that --shard or `merge` wrote, and ask nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["formats", "shard"])]
    from: Option<PathBuf>,
    /// Write the answers as a page for a browser, with a field to search in: one file, which needs
    /// no network
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    html: Option<PathBuf>,
    #[command(flatten)]
    shards: ShardArgs,
}

fn format(text: &str) -> Result<Format, String> {
    Format::known_as(text).ok_or_else(|| {
        let found = excerpt(text);
        format!("expected a format of factors, like f16, bf16, tf32, e4m3, f64, found `{found}`")
    })
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let start = Instant::now();
    if let Some(path) = &args.from {
        let records = recorded(path, args)?;
        return finish(args, &records, (false, start), json, out);
    }
    let limits = until_ctrl_c()?;
    let units = match (&args.left, &args.right) {
        (Some(left), Some(right)) => vec![unit(left)?, unit(right)?],
        _ => units(&args.formats)?,
    };
    let pairs = pairs(&units, &args.lengths);
    if pairs.is_empty() {
        return Err(Error::Usage(format!(
            "expected two units of the same formats whose numbers of products divide one of {:?}, found none",
            args.lengths
        )));
    }
    let effort = Effort {
        turns: args.turns,
        solved: args.solved,
        seed: args.seed,
    };
    let mut atlas = Atlas::new(&args.lengths, effort);
    let mut answer = |pair: UnitPair<'_>| {
        limits.report(|report| {
            report.question = format!("{} and {}", pair.left.names[0], pair.right.names[0]);
        });
        let entry = atlas.entry(pair, &limits)?;
        Ok::<_, Error>(entry.map(|entry| Record::of(pair, &entry)))
    };
    if let Some(shard) = args.shards.shard {
        let names = units.iter().map(|unit| unit.model.canonical());
        let work = ShareWork {
            command: "atlas",
            asked: json!({
                "units": names.collect::<Vec<_>>(), "lengths": args.lengths, "turns": args.turns,
                "solved": args.solved, "seed": args.seed,
            }),
            items: pairs.len() as u64,
            stride: 1,
        };
        return work.share(shard, &args.shards, &limits, out, |item| {
            let record = answer(pairs[item as usize])?;
            Ok(record.map(|record| {
                let is_open = record.open() > 0;
                (record, Status::unless_open(is_open))
            }))
        });
    }
    let mut records = Vec::new();
    for (done, &pair) in pairs.iter().enumerate() {
        limits.report(|report| report.settled = Some([done, pairs.len()]));
        let Some(record) = answer(pair)? else {
            break;
        };
        records.push(record);
    }
    let is_cut = records.len() < pairs.len();
    finish(args, &records, (is_cut, start), json, out)
}

/// `mmasmt atlas`; with --shard each pair is a line.
#[derive(Serialize, JsonSchema)]
pub(super) struct AtlasAnswer<'x> {
    pairs: &'x [Record],
    /// How many domains are not known.
    open: usize,
    cost: Cost,
}

/// Prints what is known of the pairs of units, and writes the page if `--html` is given.
fn finish(
    args: &Args,
    records: &[Record],
    (is_cut, start): (bool, Instant),
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    if let Some(path) = &args.html {
        write_text_file(path, &atlas_page(records))?;
    }
    let open: usize = records.iter().map(Record::open).sum();
    let seconds = start.elapsed().as_secs_f64();
    if json {
        let cost = Cost::of_own(seconds, args.seed);
        let object = AtlasAnswer {
            pairs: records,
            open,
            cost,
        };
        write_json(out, &object)?;
    } else {
        for record in records {
            write_record(out, record)?;
        }
        writeln!(out, "# {PROGRAM}, {open} not known, {seconds:.2} s")?;
    }
    Ok(Status::unless_open(open > 0 || is_cut))
}

fn unit(text: &str) -> Result<AtlasUnit, Error> {
    let model = model(text)?;
    of_products(&model)?;
    Ok(AtlasUnit {
        names: vec![text.to_owned()],
        model,
    })
}

/// Inputs whose line has more bytes than this are only in the JSON, not in the text.
const LONGEST: usize = 60;

fn write_record(out: &mut dyn Write, record: &Record) -> Result<(), Error> {
    for (names, and) in record.names.iter().zip([" and", ""]) {
        writeln!(out, "{}{and}", names.join(", "))?;
    }
    for length in &record.lengths {
        writeln!(out, "  {} products", length.products)?;
        let width = widest(length.domains.iter().map(|known| &known.name));
        for known in &length.domains {
            // Long inputs are only in the JSON.
            let line = known.line.as_ref().filter(|line| line.len() <= LONGEST);
            let more = match (known.rests_on(), line) {
                (Some(larger), _) => format!(" ({larger})"),
                (None, Some(line)) => format!(" on {line}"),
                (None, None) => String::new(),
            };
            writeln!(out, "    {:width$}  {}{more}", known.name, known.verdict)?;
        }
    }
    writeln!(out)?;
    Ok(out.flush()?)
}

/// The records in the file at `path`. If `args` names two units, only those of this pair of units.
fn recorded(path: &Path, args: &Args) -> Result<Vec<Record>, Error> {
    let mut lines = LinesOfFile::open(path)?;
    if lines.header.command != "atlas" {
        let what = format!(
            "expected lines of `atlas`, found those of `{}`",
            lines.header.command
        );
        return Err(wrong(path, 1, &what));
    }
    let mut records = Vec::new();
    while let Some((item, line)) = lines.next()? {
        let record: Record = serde_json::from_str(&line).map_err(|error| {
            wrong(
                path,
                item.item + 2,
                &format!("expected a pair of units: {error}"),
            )
        })?;
        records.push(record);
    }
    let (Some(left), Some(right)) = (&args.left, &args.right) else {
        return Ok(records);
    };
    records.retain(|record| {
        let is_pair = |x: &str, y: &str| record.is_of(0, x) && record.is_of(1, y);
        is_pair(left, right) || is_pair(right, left)
    });
    if records.is_empty() {
        return Err(Error::Usage(format!(
            "{}: expected a pair of `{}` and `{}`, found none: one unit has no difference from itself, and only units of one format are there",
            file_name(path),
            excerpt(left),
            excerpt(right)
        )));
    }
    Ok(records)
}
