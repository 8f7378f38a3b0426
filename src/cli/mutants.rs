//! `mutants`: inputs that show every change of one parameter of a model, and which of them a file shows.

use super::Status;
use super::score;
use super::specification::model;
use super::timeouts::{seconds, until_ctrl_c, within};
use crate::cli::complete::models;
use crate::cli::error::Error;
use crate::identify::Options;
use clap_complete::engine::ArgValueCompleter;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Find inputs that tell a model from all that differ from it in one parameter, or score a file by them
///
/// The mutation score of a vector file is the share of all models that differ from MODEL in one parameter whose results
/// differ on the file's inputs; for each that they miss there is an input that shows it.
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
}

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let limits = until_ctrl_c()?;
    let limits = (args.timeout).map_or(limits.clone(), |time| limits.within(time));
    let request = score::Request {
        base: within(&limits, || model(&args.model))?,
        file: args.score.as_deref(),
        out: args.out.as_deref(),
        options: Options {
            specials: args.specials,
            seed: args.seed,
            budget: Some(args.pair_timeout),
        },
        limits,
    };
    score::run(&request, json, out)
}
