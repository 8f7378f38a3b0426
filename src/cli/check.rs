//! `check`: recorded vectors against a model.

use super::check_shown::{SHOWN, ShownFailures};
use super::json::{FailureObject, ModelText, write_json};
use super::notes::note_archive;
use super::runner::RunnerArgs;
use super::shards::{Shard, ShardArgs, ShareWork};
use super::specification::model;
use super::timeouts::until_ctrl_c;
use super::{Status, check_runner};
use crate::cli::complete::models;
use crate::cli::error::Error;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_core::machines::model::{AnyBits, Model};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::vectors::{
    Checked, EvidenceError, Recording, check_either, is_stdin, read_index, recorded,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Check vector files against a model, or recorded results against the tables
///
/// The command evaluates each vector and compares the result with the one in the file. A line of a
/// file is `c a0,a1,… b0,b1,… d` in hexadecimal bits. JSON Lines and .npz, as `gen` writes them,
/// are read as well; where they have the results of several models, those of MODEL are checked. A
/// file may be compressed by gzip, and - is standard input. Unpacked, a line may have at most 4
/// MiB and a file at most 64 GiB.
///
/// A file that says which formats it has is refused if the model has others. If a line of any file
/// is no vector of its model, the command ends before it prints anything.
///
/// With --index the command checks each file that the index lists with the row of its architecture,
/// unit and qualifier. If the index has a column scheme, it checks the file with that scheme on its
/// unit.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt check fda:F=23,K=4 v100.txt\n  zcat results.gz | mmasmt check fda:F=25,K=16 -\n  mmasmt check --index vectors/index.tsv --variant mma-sim --show 1\n  mmasmt check --recorded\n  mmasmt check hopper/HMMA.16816.F32 --runner 'python3 my_simulator.py'\n\nExit status: 0 all vectors passed, 1 some failed, 2 a file could not be read, or a line of it, 3 no file has a row in the tables."
)]
pub(super) struct Args {
    /// The model; not with --index or --recorded
    #[arg(required_unless_present_any = ["index", "recorded"], conflicts_with_all = ["index", "recorded"])]
    #[arg(add = ArgValueCompleter::new(models))]
    model: Option<String>,
    /// Vector files; not with --index or --recorded; - is standard input
    #[arg(required_unless_present_any = ["index", "recorded", "runner"], conflicts_with_all = ["index", "recorded"])]
    files: Vec<PathBuf>,
    /// Check the results that come with the program, recorded on silicon, each with its row
    #[arg(long, conflicts_with = "index")]
    recorded: bool,
    /// Check the files of an index.tsv with columns file, arch, unit, qualifier; or file, scheme,
    /// unit, spec, unit_format, step, K
    #[arg(long, value_name = "INDEX")]
    index: Option<PathBuf>,
    #[command(flatten)]
    machine: RunnerArgs,
    /// How many inputs of all kinds to draw for --runner if there are no FILES
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000), requires = "runner")]
    count: u32,
    /// Seed of the random inputs
    #[arg(long, default_value_t = 0, requires = "runner")]
    seed: u64,
    /// Draw infinities and NaNs as well
    #[arg(long, requires = "runner", conflicts_with = "files")]
    specials: bool,
    /// The variant of the rows to use
    #[arg(long, requires = "index")]
    variant: Option<String>,
    /// How many failures of each file to show, with their stages; without this the first 3 of all,
    /// without stages
    #[arg(long, value_name = "N")]
    show: Option<usize>,
    /// A result passes if some random bits of the model's stochastic rounding give it; failures
    /// show the result of the random number 0
    #[arg(long, conflicts_with_all = ["index", "recorded", "runner", "shard"])]
    any_bits: bool,
    #[command(flatten)]
    shards: ShardArgs,
}

/// A file to check, with the model to check it against; `None` if the tables have no model for it.
struct Job {
    path: PathBuf,
    model: Option<Model>,
    /// The name of the instruction, for the message that there is no row for it.
    instruction: String,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    if args.recorded {
        return check_recorded(&mut ShownFailures::new(args.show), json, out);
    }
    if args.machine.runner.is_some() {
        let request = check_runner::Request {
            model: model(args.model.as_deref().unwrap_or_default())?,
            machine: &args.machine,
            files: &args.files,
            count: args.count as usize,
            seed: args.seed,
            specials: args.specials,
            show: args.show.unwrap_or(SHOWN),
        };
        return check_runner::run(&request, json, out);
    }
    let jobs = match &args.index {
        Some(index) => jobs_of_index(index, args.variant.as_deref())?,
        None => jobs_of_files(args)?,
    };
    if let Some(shard) = args.shards.shard {
        return share(&jobs, args, shard, out);
    }
    let any = match &jobs[..] {
        [
            Job {
                model: Some(model), ..
            },
            ..,
        ] if args.any_bits => Some(model.any_bits()?),
        _ => None,
    };
    // All files are checked before anything is printed: otherwise, the counts of some files could
    // be taken for those of all files.
    let limits = Limits::active();
    let outcome = |job: &Job| {
        let question = format!("check {}", job.path.display());
        limits.report(|report| report.question = question);
        match &job.model {
            Some(model) => {
                let (model, other) = match any.as_ref().map(AnyBits::ends) {
                    Some([least, greatest]) => (least, Some(greatest)),
                    None => (model, None),
                };
                check(model, other, &job.path, args.show.unwrap_or(SHOWN)).map(Some)
            }
            None => Ok(None),
        }
    };
    let mut shown = ShownFailures::new(args.show);
    let outcomes = jobs.iter().map(outcome).collect::<Result<Vec<_>, _>>()?;
    let (mut passed, mut failed, mut without_row) = (0, 0, Vec::new());
    let mut files = Vec::new();
    for (job, outcome) in jobs.iter().zip(&outcomes) {
        let (Some(model), Some(checked)) = (&job.model, outcome) else {
            without_row.push(job.instruction.clone());
            if !json {
                writeln!(
                    out,
                    "{}: no row for {}",
                    job.path.display(),
                    job.instruction
                )?;
            }
            continue;
        };
        passed += checked.passed;
        failed += checked.failed;
        if json {
            files.push(FileChecked::of(model, &job.path, checked));
        } else {
            let Checked { passed, failed, .. } = checked;
            writeln!(
                out,
                "{}: {passed} passed, {failed} failed  [{model}]",
                job.path.display()
            )?;
            shown.write(out, model, checked)?;
        }
    }
    if json {
        let object = CheckAnswer {
            passed,
            failed,
            files,
            without_row: &without_row,
        };
        write_json(out, &object)?;
    } else {
        if !without_row.is_empty() {
            writeln!(
                out,
                "{} of {} files have no row",
                without_row.len(),
                jobs.len()
            )?;
        }
        writeln!(out, "{passed} passed, {failed} failed")?;
    }
    Ok(match (passed, failed) {
        // No vector was checked, and there are files without a row.
        (0, 0) if !without_row.is_empty() => Status::Unknown,
        (_, 0) => Status::Yes,
        _ => Status::No,
    })
}

/// Checks a share of the files, and writes a line for each file.
fn share(jobs: &[Job], args: &Args, shard: Shard, out: &mut dyn Write) -> Result<Status, Error> {
    let files = jobs.iter().map(|job| {
        let model = job.model.as_ref().map(Model::canonical);
        json!({"file": job.path.display().to_string(), "model": model})
    });
    let show = args.show.unwrap_or_default();
    let work = ShareWork {
        command: "check",
        asked: json!({"files": files.collect::<Vec<_>>(), "show": show}),
        items: jobs.len() as u64,
        stride: 1,
    };
    let limits = until_ctrl_c()?;
    work.share(shard, &args.shards, &limits, out, |item| {
        let job = &jobs[item as usize];
        let Some(model) = &job.model else {
            let line = CheckLine::WithoutRow {
                file: job.path.display().to_string(),
                without_row: &job.instruction,
            };
            return Ok(Some((line, Status::Yes)));
        };
        let checked = check(model, None, &job.path, show)?;
        let line = CheckLine::Checked(FileChecked::of(model, &job.path, &checked));
        Ok(Some((line, Status::of(checked.failed == 0))))
    })
}

/// Checks the results that come with the program, and prints a line for each card and instruction.
fn check_recorded(
    shown: &mut ShownFailures,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let damaged = |error: EvidenceError| Error::Usage(format!("--recorded: {error}"));
    let limits = Limits::active();
    let mut outcomes = Vec::new();
    for section in recorded().map_err(damaged)? {
        let question = format!("check {} on {}", section.model, section.card);
        limits.report(|report| report.question = question);
        let (model, checked) = section.check(shown.keep()).map_err(damaged)?;
        outcomes.push((section, model, checked));
    }
    let passed: u64 = outcomes
        .iter()
        .map(|(_, _, checked)| checked.passed as u64)
        .sum();
    let failed: u64 = outcomes
        .iter()
        .map(|(_, _, checked)| checked.failed as u64)
        .sum();
    if json {
        let sections = outcomes
            .iter()
            .map(|(section, model, checked)| SectionChecked {
                source: section.source,
                card: &section.card,
                model: &section.model,
                counts: FailureCounts::of(model, checked),
            });
        let object = RecordedAnswer {
            passed,
            failed,
            recorded: sections.collect(),
        };
        write_json(out, &object)?;
    } else {
        for (section, model, checked) in &outcomes {
            let Checked { passed, failed, .. } = checked;
            let Recording {
                card, model: name, ..
            } = section;
            writeln!(out, "{card}, {name}: {passed} passed, {failed} failed")?;
            shown.write(out, model, checked)?;
        }
        writeln!(out, "{passed} passed, {failed} failed")?;
    }
    Ok(Status::of(failed == 0))
}

fn jobs_of_files(args: &Args) -> Result<Vec<Job>, Error> {
    if args.files.iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Error::Usage(
            "expected standard input (`-`) once among the files, found it again".into(),
        ));
    }
    let text = args.model.as_deref().unwrap_or_default();
    let model = model(text)?;
    let job = |path: &PathBuf| Job {
        path: path.clone(),
        model: Some(model.clone()),
        instruction: text.into(),
    };
    Ok(args.files.iter().map(job).collect())
}

fn jobs_of_index(index: &Path, variant: Option<&str>) -> Result<Vec<Job>, Error> {
    let mut jobs = Vec::new();
    for entry in read_index(index)? {
        let model = entry.model(variant)?;
        let instruction = format!("{} on {}", entry.instruction, entry.arch);
        jobs.push(Job {
            path: entry.path,
            model,
            instruction,
        });
    }
    Ok(jobs)
}

fn check(model: &Model, other: Option<&Model>, path: &Path, keep: usize) -> Result<Checked, Error> {
    note_archive(path)?;
    check_either(model, other, path, keep).map_err(|error| Error::vectors(path, error))
}

/// `mmasmt check`, `mmasmt check --index`
#[derive(Serialize, JsonSchema)]
pub(super) struct CheckAnswer<'x> {
    passed: usize,
    failed: usize,
    files: Vec<FileChecked>,
    /// The instructions of an index that no table has.
    without_row: &'x [String],
}

/// A line of `check --shard`.
#[derive(Serialize)]
#[serde(untagged)]
enum CheckLine<'x> {
    Checked(FileChecked),
    WithoutRow { file: String, without_row: &'x str },
}

#[derive(Serialize, JsonSchema)]
struct FileChecked {
    file: String,
    model: ModelText,
    #[serde(flatten)]
    counts: FailureCounts,
}

/// `mmasmt check --recorded`
#[derive(Serialize, JsonSchema)]
pub(super) struct RecordedAnswer<'x> {
    passed: u64,
    failed: u64,
    recorded: Vec<SectionChecked<'x>>,
}

#[derive(Serialize, JsonSchema)]
struct SectionChecked<'x> {
    source: &'x str,
    card: &'x str,
    model: &'x str,
    #[serde(flatten)]
    counts: FailureCounts,
}

#[derive(Serialize, JsonSchema)]
struct FailureCounts {
    passed: usize,
    failed: usize,
    /// The first failures.
    failures: Vec<FailureObject>,
}

impl FailureCounts {
    fn of(model: &Model, checked: &Checked) -> FailureCounts {
        let signature = model.signature();
        let failures = checked.failures.iter().map(|failure| {
            let results = [failure.computed, failure.vector.d];
            let object = FailureObject::new(&signature, &failure.vector.inputs, results);
            object.in_line(failure.line)
        });
        FailureCounts {
            passed: checked.passed,
            failed: checked.failed,
            failures: failures.collect(),
        }
    }
}

impl FileChecked {
    fn of(model: &Model, path: &Path, checked: &Checked) -> FileChecked {
        FileChecked {
            file: path.display().to_string(),
            model: ModelText::of(model),
            counts: FailureCounts::of(model, checked),
        }
    }
}
