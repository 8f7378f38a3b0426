//! `mutants`: inputs that show every change of one parameter of a model, and the changes that a
//! file shows.

use super::Status;
use super::fault_coverage::FaultsReport;
use super::json::{Cost, VectorObject, write_json};
use super::live::vectors_of;
use super::output::{PROGRAM, write_text_file};
use super::score::ScoreReport;
use super::shards::{Shard, ShardArgs, ShareWork};
use super::specification::{difference, model};
use super::timeouts::{seconds, within};
use crate::cli::complete::models;
use crate::cli::error::Error;
use crate::cli::frame::SearchArgs;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::query::{Ended, Options, answer};
use mmasmt_questions::identify::{
    Fate, FaultCoverage, IdentifyOptions as ScoreOptions, catch, faults, mutants, score,
};
use mmasmt_questions::solver::engine::solver_version;
use mmasmt_questions::vectors::Results;
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Find inputs that tell a model from its mutants, or score the inputs of a file
///
/// A mutant is a model that differs from MODEL in one parameter. The mutation score of a vector
/// file is the share of all mutants whose results differ from those of MODEL on the inputs of the
/// file. For each mutant that the file misses, the command gives an input that shows it. In a
/// composition the keys of the units inside are changed too, and have the path to them in their
/// names: splitk.fda.F=19. The text of a unit is also changed step by step.
///
/// Inputs that show every mutant may still miss a wrong machine. Mutants are single changes of what the
/// text of the model says; a shifter whose distance wraps, a state that one operation leaves to the
/// next, or two faults that make up for each other are no such changes.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt mutants fda:F=25,K=16 --out vectors.txt\n  mmasmt mutants volta/HMMA.884.F32.F32 --score recorded.txt --out missing.txt\n  mmasmt mutants x86/vpdpbusd --faults --out screen.txt\n\nExit status: 0 every mutant is shown or proved equal, 1 some are missed, 3 some are neither."
)]
pub(super) struct Args {
    /// The model
    #[arg(add = ArgValueCompleter::new(models))]
    model: String,
    /// Score the inputs of this vector file, and look for inputs only where it misses a mutant
    #[arg(long, value_name = "FILE")]
    score: Option<PathBuf>,
    /// Write the inputs that were found to a file; with --score, those that the scored file lacks
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Take stuck-at faults as mutants: gates of the unit's circuit whose outputs are always 0 or always 1. The
    /// inputs screen processors; a file has the right results, too
    #[arg(long)]
    faults: bool,
    /// Let operands be infinities and NaNs
    #[arg(long)]
    specials: bool,
    /// Time limit for each proof that a mutant is equal; all of them together take at most twelve
    /// times that
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = seconds)]
    pair_timeout: Duration,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    shards: ShardArgs,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let limits = args.search.time.limits()?;
    let base = within(&limits, || model(&args.model))?;
    if let Some(shard) = args.shards.shard {
        return share(args, shard, &base, &limits, out);
    }
    let start = Instant::now();
    let options = ScoreOptions {
        specials: args.specials,
        seed: args.search.seed,
        budget: Some(args.pair_timeout),
    };
    let given = args.score.as_ref().map(|path| {
        let vectors = vectors_of(path, &base, Results::None)?.into_iter();
        Ok::<Vec<Inputs>, Error>(vectors.map(|(_, vector)| vector.inputs).collect())
    });
    let given = given.transpose()?;
    if args.faults {
        let found = faults(&base, given.as_deref(), &options, &limits)?;
        return args.show_faults(&base, &found, start, json, out);
    }
    let (inputs, score) = match given {
        None => catch(&base, &options, &limits)?,
        Some(inputs) => {
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
        let cost = Cost::of_own(seconds, args.search.seed);
        write_json(out, &report.answer(cost))?;
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
    /// Writes which faults are shown, and the file of inputs.
    fn show_faults(
        &self,
        base: &Model,
        coverage: &FaultCoverage,
        start: Instant,
        json: bool,
        out: &mut dyn Write,
    ) -> Result<Status, Error> {
        let report = FaultsReport {
            base,
            file: self.score.as_deref(),
            coverage,
            specials: self.specials,
        };
        if let Some(path) = &self.out {
            write_text_file(path, &report.as_file())?;
        }
        let seconds = start.elapsed().as_secs_f64();
        if json {
            let cost = Cost::of_own(seconds, self.search.seed);
            write_json(out, &report.answer(cost))?;
        } else {
            report.write(out)?;
            let (solver, seed) = (solver_version(), self.search.seed);
            writeln!(out, "\n# {PROGRAM}, {solver}, seed {seed}, {seconds:.2} s")?;
        }
        Ok(match (coverage.missed, coverage.open) {
            (0, 0) => Status::Yes,
            (0, _) => Status::Unknown,
            _ => Status::No,
        })
    }

    /// The option with the time that ended: that for everything if it is over, or else that for one
    /// mutant.
    fn time_that_ended(&self, limits: &Limits) -> (&'static str, Duration) {
        match self.search.time.timeout {
            Some(time) if limits.stopped().is_some() => ("--time", time),
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

/// A line of `mutants --shard`.
#[derive(Serialize)]
struct MutantLine<'x> {
    change: &'x str,
    fate: &'static str,
    witnesses: Vec<VectorObject>,
    reason: Option<&'static str>,
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
    let mutants = mutants(base);
    refuse_none(mutants.len(), base)?;
    let changes: Vec<_> = mutants.iter().map(|(change, _)| change.as_str()).collect();
    let work = ShareWork {
        command: "mutants",
        asked: json!({
            "model": base.canonical(), "specials": args.specials, "seed": args.search.seed, "pair_timeout": args.pair_timeout.as_secs_f64(), "changes": changes,
        }),
        items: mutants.len() as u64,
        stride: 1,
    };
    let signature = base.signature();
    let options = Options::default().seed(args.search.seed).all_inputs();
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
        let witnesses = witnesses
            .map(|witness| VectorObject::new(&signature, &witness.inputs, &witness.results));
        let line = MutantLine {
            change,
            fate,
            witnesses: witnesses.collect(),
            reason,
        };
        let is_open = fate == "unknown";
        let is_stopped = limits.stopped().is_some() && is_open;
        Ok((!is_stopped).then_some((line, Status::unless_open(is_open))))
    })
}
