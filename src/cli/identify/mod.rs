//! `identify`: the model of a machine, from recorded results or by asking the machine.

mod asked;
mod nearest;
mod parameters;
mod report;
mod request;

pub(super) use report::IdentifyAnswer;

use super::Status;
use super::families::{CandidateModels, HELP};
use super::fitting::{fitting, read, rows_with};
use super::formats::FormatArgs;
use super::json::write_json;
use super::output::{PROGRAM, write_text_file};
use super::runner::RunnerArgs;
use super::timeouts::within;
use crate::cli::error::Error;
use asked::record;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::identify::{
    CONFIRM, ClosedLoop, Exclusion, RecordedLine, ask_first, exclude, identify_zero_signs, nearest,
    separate, two_answers, with_other_zero_signs,
};
use mmasmt_questions::solver::engine::solver_version;
use mmasmt_questions::vectors::device::Device;
use report::{IdentifyOutcome, IdentifyReport, vectors};
use request::{IdentifyRequest, Machine};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Find out which of many models a machine is
///
/// Vector files with a machine's results exclude candidates. Candidates that are left are put into
/// classes of models that are proved equal, and the command prints the inputs to run next, which
/// tell the classes apart. A machine, such as run:COMMAND, is asked itself, one vector at a time,
/// until one class is left. That class names the machine if a sweep of other inputs confirms it.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{HELP}\n\n{EXAMPLES}"))]
pub(super) struct Args {
    /// Vector files with results, or a machine. If no candidates are given, all rows of the tables that fit the
    /// first file, or --formats, are candidates
    results: Vec<PathBuf>,
    /// The last candidate names the machine only if it gives the same results on this many inputs
    /// of all kinds, and on those that show changes of its parameters; about a second for a model
    #[arg(long, id = "confirmations", value_name = "N", default_value_t = CONFIRM as u32, value_parser = clap::value_parser!(u32).range(1..), requires = "runner")]
    confirm: u32,
    /// A candidate, in addition to those of the family
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,
    #[command(flatten)]
    candidates: CandidateModels,
    #[command(flatten)]
    machine: RunnerArgs,
    #[command(flatten)]
    formats: FormatArgs,
    /// Write the inputs and the answers of the machine to a vector file
    #[arg(long, value_name = "FILE", requires = "runner")]
    record: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  mmasmt identify v100.txt
  mmasmt identify v100.txt --family nvidia --base fda:K=4
  mmasmt identify model:ampere/HMMA.16816.F32 --family full --base fda:K=16
  mmasmt identify cpu:x86/vdpbf16ps --family processors --base cpu
  mmasmt identify run:./run-on-gpu --family F=10..36,zero=* --base fda:K=16
  mmasmt identify run:./run-on-gpu --formats f16 --products 16

Exit status: 0 candidates are left (of a machine that is asked: one, or one class of equal ones, which the
sweep confirmed), 1 none of the candidates, 3 some were neither told apart nor proved equal, a limit was
reached, or no results were given.";

/// The number of nearest candidates that are shown if no candidate is left.
const NEAREST: usize = 5;

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let start = Instant::now();
    let limits = args.candidates.search.time.limits()?;
    if args.results.is_empty() && args.machine.runner.is_none() {
        return Err(Error::Usage(
            "expected vector files with results, or a machine, found neither; give FILE, run:COMMAND, cpu:INSTRUCTION, gpu:NUMBER:INSTRUCTION or model:MODEL".into(),
        ));
    }
    let options = args.candidates.options();
    let early = within(&limits, || early_device(args, &limits))?;
    let (mut models, early) = match early {
        None => (within(&limits, || candidates(args))?, None),
        Some(mut device) => {
            // The machine answers its first questions while the candidates are made.
            let (models, first) = std::thread::scope(|scope| {
                let made = scope.spawn(|| within(&limits, || candidates(args)));
                let first = ask_first(device.as_mut(), &options, &limits);
                (made.join(), first)
            });
            let models = models.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            (models, Some((device, first?)))
        }
    };
    let mut recorded = Vec::new();
    for (file, path) in args.results.iter().enumerate() {
        recorded.extend(read(path, file, &models[0])?);
    }
    let two = two_answers(&recorded, &models[0].signature().d);
    let mut stopped = None;
    let compared = match two {
        Some(_) => Ok((Exclusion::default(), 0)),
        None => excluded(args, &mut models, &recorded, &limits),
    };
    let (exclusion, mut added) = match compared {
        Err(Error::Query(QueryError::Stopped(by))) => {
            stopped = Some(by);
            let left = (0..models.len()).collect();
            let excluded = Vec::new();
            (Exclusion { left, excluded }, 0)
        }
        compared => compared?,
    };
    let left = exclusion.left.iter().map(|&model| models[model].clone());
    let mut left: Vec<Model> = left.collect();
    let (mut device, first) = match early {
        Some((device, first)) => (Some(device), Some(first)),
        None if args.machine.runner.is_some() => (Some(device(args, &models[0], &limits)?), None),
        None => (None, None),
    };
    let asking = device
        .as_mut()
        .filter(|_| two.is_none())
        .and_then(|device| {
            let asking = ClosedLoop::new(&left, &options)?;
            let asking = match first {
                Some(first) => asking.after(first),
                None => asking,
            };
            Some((device, asking))
        });
    let outcome = match asking {
        Some((device, asking)) => {
            let inputs = args.confirm as usize;
            let mut identified = asking
                .confirming(inputs)
                .identify(device.as_mut(), &limits)?;
            if args.candidates.is_full() {
                let device = device.as_mut();
                let others;
                (others, identified) =
                    identify_zero_signs(&left, identified, device, &options, inputs, &limits)?;
                added += others.len();
                models.extend(others.iter().cloned());
                left.extend(others);
            }
            if let Some(path) = &args.record {
                let text = record(&models[0].signature(), &device.describe(), &identified);
                write_text_file(path, &text)?;
            }
            IdentifyOutcome::Asked(identified)
        }
        None if two.is_some() => IdentifyOutcome::TwoAnswers(two.unwrap_or_default()),
        None if left.is_empty() && stopped.is_none() => {
            let nearest = nearest(&models, &vectors(&recorded), NEAREST);
            IdentifyOutcome::NoneLeft(nearest.map_err(QueryError::from)?)
        }
        None => match (stopped, separate(&left, &options, &limits)) {
            (Some(stopped), _) | (None, Err(QueryError::Stopped(stopped))) => {
                IdentifyOutcome::Stopped(stopped)
            }
            (None, separated) => IdentifyOutcome::Next(separated?),
        },
    };
    let report = IdentifyReport {
        request: request(args),
        models: &models,
        recorded: &recorded,
        exclusion: &exclusion,
        left: &left,
        added,
        outcome,
    };
    let (seconds, seed) = (start.elapsed().as_secs_f64(), args.candidates.search.seed);
    if json {
        write_json(out, &report.answer(seconds, seed))?;
    } else {
        report.write(out)?;
        let solver = solver_version();
        writeln!(out, "\n# {PROGRAM}, {solver}, seed {seed}, {seconds:.2} s")?;
    }
    Ok(report.status())
}

/// Compares the models with the recorded results. If none of the family `full` is left, adds those
/// with the other sign of zeros to `models`. Returns how many were added.
fn excluded(
    args: &Args,
    models: &mut Vec<Model>,
    recorded: &[RecordedLine],
    limits: &Limits,
) -> Result<(Exclusion, usize), Error> {
    if recorded.is_empty() {
        let left = (0..models.len()).collect();
        let excluded = Vec::new();
        return Ok((Exclusion { left, excluded }, 0));
    }
    let of = |models: &[Model]| {
        within(limits, || {
            exclude(models, recorded).map_err(QueryError::from)
        })
    };
    let exclusion = of(models)?;
    if !exclusion.left.is_empty() || !args.candidates.is_full() {
        return Ok((exclusion, 0));
    }
    let others = within(limits, || {
        Ok::<_, Error>(with_other_zero_signs(models, &vectors(recorded)))
    })?;
    let added = others.len();
    models.extend(others);
    Ok((if added > 0 { of(models)? } else { exclusion }, added))
}

/// The candidates that the options give. If they give none: the models of the rows of the tables
/// that have the formats given, or else that fit the first file.
fn candidates(args: &Args) -> Result<Vec<Model>, Error> {
    let described = match args.formats.model()? {
        None => args.machine.model()?,
        described => described,
    };
    if !args.candidates.is_empty() || !args.model.is_empty() {
        return args.candidates.models(&args.model, described.as_ref());
    }
    let models = match (&described, args.results.first()) {
        (Some(described), _) => rows_with(&described.signature())?,
        (None, Some(path)) => fitting(path)?,
        (None, None) => {
            return Err(Error::Usage(
                "expected candidates, found none; give a family, such as `--family full --base fda:K=4`, models, such as \
                 `--model fda:F=23`, or for the rows of the tables what the machine multiplies, such as `--formats f16 --products 4`"
                    .into(),
            ));
        }
    };
    writeln!(
        io::stderr(),
        "note: no candidates were given: all rows with {}, {} different ones",
        models[0].signature(),
        models.len()
    )?;
    Ok(models)
}

fn request(args: &Args) -> IdentifyRequest<'_> {
    IdentifyRequest {
        files: &args.results,
        machine: Machine::of(args.machine.runner.as_deref()),
        base: args.candidates.base.as_deref(),
        is_full: args.candidates.is_full(),
    }
}

/// The machine behind a runner, where the operands are known before the candidates of a family are.
fn early_device(args: &Args, limits: &Limits) -> Result<Option<Box<dyn Device>>, Error> {
    if !args.candidates.has_family() || args.machine.runner.is_none() {
        return Ok(None);
    }
    let base = args.candidates.base()?;
    let like = match base {
        Some(base) => Some(base),
        None => args.formats.model()?,
    };
    like.map(|like| device(args, &like, limits)).transpose()
}

fn device(args: &Args, like: &Model, limits: &Limits) -> Result<Box<dyn Device>, Error> {
    args.machine.device(like.signature(), limits)?.ok_or_else(|| {
        Error::Usage(
            "expected a machine, found none; give run:COMMAND, cpu:INSTRUCTION, gpu:NUMBER:INSTRUCTION or model:MODEL".into(),
        )
    })
}
