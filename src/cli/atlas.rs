//! `atlas`: when two machines agree bit for bit, for every two units of one operand format.

use super::Status;
use super::json::{own_cost, write_json};
use super::output::{PROGRAM, bits, widest};
use super::shards::{ShardArgs, Work};
use super::specification::model;
use super::timeouts::until_ctrl_c;
use crate::algorithms::Signature;
use crate::atlas::{AtLength, Effort, LENGTHS, Pair, Reason, Unit, Verdict, entry, pairs, units};
use crate::cli::complete::models;
use crate::cli::error::Error;
use crate::excerpt::excerpt;
use crate::float::Format;
use crate::vectors::Inputs;
use clap_complete::engine::ArgValueCompleter;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::time::Instant;

/// Find out for every two machines when they agree bit for bit
///
/// Every two units of one operand format are brought to common numbers of products, by chains of each. For each of these there are the simplest inputs found on
/// which they differ, and the domains on which they are proved to agree: no subnormal numbers, one sign, c = 0, one product, integers of n bits, numbers of few significant
/// bits. LEFT and RIGHT are two models to ask about alone. Effort is counted in steps of searches, not in time, so that every run gives the same answers.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt atlas A100/HMMA.16816.F32 H100/HMMA.16816.F32 --lengths 16\n  mmasmt atlas --formats e4m3,e5m2\n  mmasmt atlas --formats f16 --shard 0/4 --resume f16-0.jsonl\n\nExit status: 0 every domain is decided, 3 some are not known."
)]
pub(super) struct Args {
    /// One model
    #[arg(requires = "right", add = ArgValueCompleter::new(models))]
    left: Option<String>,
    /// The other model
    #[arg(add = ArgValueCompleter::new(models))]
    right: Option<String>,
    /// Formats of the factors; all if not given
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', value_parser = format, conflicts_with = "left")]
    formats: Vec<Format>,
    /// Numbers of products
    #[arg(long, value_name = "K", value_delimiter = ',', default_values_t = LENGTHS, value_parser = clap::value_parser!(u32).range(1..=1024))]
    lengths: Vec<u32>,
    /// Turns of searches for each domain, each of four times the effort of the one before
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(..=8))]
    turns: u32,
    /// The most products of models that a solver is asked about
    #[arg(long, value_name = "K", default_value_t = 16)]
    solved: u32,
    /// What samples and the solver's choices start from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    shards: ShardArgs,
}

fn format(text: &str) -> Result<Format, String> {
    Format::known_as(text).ok_or_else(|| {
        let found = excerpt(text);
        format!("expected a format of factors, like f16, bf16, tf32, e4m3, f64, found `{found}`")
    })
}

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let start = Instant::now();
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
    let answer = |pair: Pair<'_>| {
        limits.report(|report| {
            report.question = format!("{} and {}", pair.left.names[0], pair.right.names[0]);
        });
        let entry = entry(pair, &args.lengths, effort, &limits)?;
        Ok::<_, Error>(entry.map(|entry| (as_json(pair, &entry.lengths), entry)))
    };
    if let Some(shard) = args.shards.shard {
        let names = units.iter().map(|unit| unit.model.canonical());
        let work = Work {
            command: "atlas",
            asked: json!({
                "units": names.collect::<Vec<_>>(), "lengths": args.lengths, "turns": args.turns,
                "solved": args.solved, "seed": args.seed,
            }),
            items: pairs.len() as u64,
            stride: 1,
        };
        return work.share(shard, &args.shards, &limits, out, |item| {
            Ok(answer(pairs[item as usize])?.map(|(line, _)| line))
        });
    }
    let (mut rows, mut open) = (Vec::new(), 0);
    for (done, &pair) in pairs.iter().enumerate() {
        limits.report(|report| report.settled = Some([done, pairs.len()]));
        let Some((row, entry)) = answer(pair)? else {
            open += 1;
            break;
        };
        let domains = entry.lengths.iter().flat_map(|length| &length.domains);
        open += domains
            .filter(|known| matches!(known.verdict, Verdict::Unknown(_)))
            .count();
        if !json {
            write_pair(out, pair, &entry.lengths)?;
        }
        rows.push(Value::Object(row));
    }
    let seconds = start.elapsed().as_secs_f64();
    match json {
        true => {
            let cost = own_cost(seconds, args.seed);
            write_json(out, &json!({"pairs": rows, "open": open, "cost": cost}))?;
        }
        false => writeln!(out, "# {PROGRAM}, {open} not known, {seconds:.2} s")?,
    }
    Ok(if open == 0 {
        Status::Yes
    } else {
        Status::Unknown
    })
}

fn unit(text: &str) -> Result<Unit, Error> {
    Ok(Unit {
        names: vec![text.to_owned()],
        model: model(text)?,
    })
}

/// The inputs as a line without the +0 products at its end.
fn short_line(inputs: &Inputs, signature: &Signature) -> String {
    let used = |row: &[u64]| {
        row.iter()
            .rposition(|bits| *bits != 0)
            .map_or(1, |last| last + 1)
    };
    let kept = used(&inputs.a).max(used(&inputs.b));
    let mut inputs = inputs.clone();
    inputs.a.truncate(kept);
    inputs.b.truncate(kept);
    inputs.to_line(signature)
}

fn as_json(pair: Pair<'_>, lengths: &[AtLength]) -> Map<String, Value> {
    let signature = pair.left.model.signature();
    let lengths = lengths.iter().map(|length| {
        let domains = length.domains.iter().map(|known| {
            let mut row = json!({
                "name": known.name, "assume": known.assume, "verdict": known.verdict.name(),
            });
            match &known.verdict {
                Verdict::Agree(Reason::Proved(by)) => row["proved"] = by.as_json(),
                Verdict::Agree(Reason::Inside(larger)) => {
                    row["proved"] = json!({"by": "larger domain", "name": larger});
                }
                Verdict::Agree(Reason::Repeated(products)) => {
                    row["proved"] = json!({"by": "repeated", "products": products});
                }
                Verdict::Differ(found) => {
                    row["line"] = short_line(&found.0, &signature).into();
                    row["d"] = found.1.map(|d| bits(&signature.d, d)).to_vec().into();
                }
                Verdict::Unknown(stopped) => row["reason"] = stopped.describe().into(),
            }
            row
        });
        json!({"products": length.products, "domains": domains.collect::<Vec<_>>()})
    });
    let lengths: Vec<Value> = lengths.collect();
    let both = [pair.left, pair.right];
    let row = json!({
        "models": both.map(|unit| unit.model.canonical()),
        "names": both.map(|unit| unit.names.clone()),
        "lengths": lengths,
    });
    row.as_object().cloned().unwrap_or_default()
}

/// The longest inputs that are shown to people, in letters.
const LONGEST: usize = 60;

fn write_pair(out: &mut impl Write, pair: Pair<'_>, lengths: &[AtLength]) -> Result<(), Error> {
    let signature = pair.left.model.signature();
    for (unit, and) in [(pair.left, " and"), (pair.right, "")] {
        writeln!(out, "{}{and}", unit.names.join(", "))?;
    }
    for length in lengths {
        writeln!(out, "  {} products", length.products)?;
        let width = widest(length.domains.iter().map(|known| &known.name));
        for known in &length.domains {
            let more = match &known.verdict {
                Verdict::Agree(Reason::Inside(larger)) => format!(" ({larger})"),
                Verdict::Agree(Reason::Repeated(products)) => {
                    format!(" (as with {products} products, infinities and NaNs included)")
                }
                Verdict::Differ(found) => {
                    let line = short_line(&found.0, &signature);
                    // Long ones are in the JSON.
                    if line.len() > LONGEST {
                        String::new()
                    } else {
                        format!(" on {line}")
                    }
                }
                _ => String::new(),
            };
            writeln!(
                out,
                "    {:width$}  {}{more}",
                known.name,
                known.verdict.name()
            )?;
        }
    }
    writeln!(out)?;
    Ok(out.flush()?)
}
