//! `mutants`: inputs that show every change of one parameter of a model, and the changes that a
//! file shows.

use super::Status;
use super::json::{vector_json, write_json};
use super::live::vectors_of;
use super::output::{PROGRAM, write_text_file};
use super::score::ScoreReport;
use super::shards::{Shard, ShardArgs, Work};
use super::specification::{difference, model};
use super::timeouts::{seconds, until_ctrl_c, within};
use crate::cli::complete::models;
use crate::cli::error::Error;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_core::base::excerpt::excerpt;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::query::{Ended, Options, answer};
use mmasmt_questions::identify::{Fate, Options as ScoreOptions, catch, mutants, score};
use mmasmt_questions::vectors::Results;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Find inputs that tell a model from all that differ from it in one parameter, or score a file by
/// them
///
/// The mutation score of a vector file is the share of all models that differ from MODEL in one
/// parameter whose results differ on the file's inputs; for each that they miss there is an input
/// that shows it. Of a composition keys of the units inside are changed too, and named with the
/// path to them: splitk.fda.F=19.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt mutants fda:F=25,K=16 --out vectors.txt\n  mmasmt mutants volta/HMMA.884.F32.F32 --score recorded.txt --out missing.txt\n\nExit status: 0 every mutant is shown or proved equal, 1 some are missed, 3 some are neither."
)]
pub(super) struct Args {
    /// The model
    #[arg(add = ArgValueCompleter::new(models))]
    model: String,
    /// Score the inputs of this vector file, in place of finding some
    #[arg(long, value_name = "FILE")]
    score: Option<PathBuf>,
    /// Write the inputs to a file: those that were found, or with --score those that FILE lacks
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Let operands be infinities and NaNs
    #[arg(long)]
    specials: bool,
    /// What samples and the solver's choices start from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Time for everything, like 10s or 5m
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Time for the proof that a mutant is equal
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = seconds)]
    pair_timeout: Duration,
    #[command(flatten)]
    shards: ShardArgs,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let limits = until_ctrl_c()?;
    let limits = (args.timeout).map_or(limits.clone(), |time| limits.within(time));
    let base = within(&limits, || model(&args.model))?;
    if let Some(shard) = args.shards.shard {
        return share(args, shard, &base, &limits, out);
    }
    let start = Instant::now();
    let options = ScoreOptions {
        specials: args.specials,
        seed: args.seed,
        budget: Some(args.pair_timeout),
    };
    let (inputs, score) = match &args.score {
        None => catch(&base, &options, &limits)?,
        Some(path) => {
            let vectors = vectors_of(path, &base, Results::None)?.into_iter();
            let inputs: Vec<_> = vectors.map(|(_, vector)| vector.inputs).collect();
            let score = score(&base, &inputs, &options, &limits)?;
            (inputs, score)
        }
    };
    refuse_none(score.mutants.len(), &base)?;
    let report = ScoreReport {
        base: &base,
        file: args.score.as_deref(),
        inputs: &inputs,
        score: &score,
        specials: args.specials,
        time: args.time_that_ended(&limits),
    };
    if let Some(path) = &args.out {
        write_text_file(path, &report.as_file())?;
    }
    let seconds = start.elapsed().as_secs_f64();
    if json {
        write_json(out, &report.as_json(seconds, args.seed))?;
    } else {
        report.write(out)?;
        writeln!(out, "\n# {PROGRAM}, {seconds:.2} s")?;
    }
    let unknown = score.count(|fate| matches!(fate, Fate::Unknown(_)));
    Ok(match (report.missed().is_empty(), unknown) {
        (false, _) => Status::No,
        (true, 0) => Status::Yes,
        (true, _) => Status::Unknown,
    })
}

impl Args {
    /// The option with the time that ended: that for everything if it is over, or else that for one
    /// mutant.
    fn time_that_ended(&self, limits: &Limits) -> (&'static str, Duration) {
        match self.timeout {
            Some(time) if limits.stopped().is_some() => ("--timeout", time),
            _ => ("--pair-timeout", self.pair_timeout),
        }
    }
}

/// Refuses a model without mutants.
///
/// # Errors
/// If there are no mutants: their score would have no percentage.
fn refuse_none(mutants: usize, base: &Model) -> Result<(), Error> {
    if mutants > 0 {
        return Ok(());
    }
    let found = base.to_string();
    Err(Error::Usage(format!(
        "expected a model with keys that can be changed, as an algorithm, an instruction or a composition has them, found `{}`",
        excerpt(&found)
    )))
}

/// Asks about a share of the mutants, and writes a line for each: inputs that show the mutant, or
/// that it is proved equal.
fn share(
    args: &Args,
    shard: Shard,
    base: &Model,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    if args.score.is_some() || args.out.is_some() {
        return Err(Error::Usage(
            "--shard: expected neither --score nor --out: each mutant is a line with inputs that show it".into(),
        ));
    }
    let mutants = mutants(base);
    refuse_none(mutants.len(), base)?;
    let changes: Vec<_> = mutants.iter().map(|(change, _)| change.as_str()).collect();
    let work = Work {
        command: "mutants",
        asked: json!({
            "model": base.canonical(), "specials": args.specials, "seed": args.seed, "changes": changes,
        }),
        items: mutants.len() as u64,
        stride: 1,
    };
    let signature = base.signature();
    let options = Options::default().seed(args.seed);
    work.share(shard, &args.shards, limits, out, |item| {
        let (change, mutant) = &mutants[item as usize];
        let question = difference([base, mutant], None, args.specials)?;
        let answer = answer(&question, &options, &limits.within(args.pair_timeout))?;
        let (fate, reason) = match (answer.witness(), answer.ended) {
            (Some(_), _) => ("shown", None),
            (None, Ended::Unknown(stopped)) => ("unknown", Some(stopped.describe())),
            (None, _) => ("equal", None),
        };
        let witnesses = answer.witness().into_iter();
        let witnesses =
            witnesses.map(|witness| vector_json(&signature, &witness.inputs, &witness.results));
        let line = json!({
            "change": change, "fate": fate, "witnesses": witnesses.collect::<Vec<_>>(), "reason": reason,
        });
        let is_stopped = limits.stopped().is_some() && fate == "unknown";
        Ok((!is_stopped).then_some(line))
    })
}
