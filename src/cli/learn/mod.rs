//! `learn`: the description of a machine, from its answers alone.

mod answer;
mod reference;
mod report;

pub(super) use answer::LearnAnswer;

use super::Status;
use super::json::write_json;
use super::live::vectors_of;
use super::notes::note;
use super::output::{PROGRAM, bits, head_of_inputs, line, write_text_file};
use super::runner::{RunnerArgs, stated_operands};
use super::timeouts::seconds;
use crate::cli::error::Error;
use crate::cli::frame::SearchArgs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::file_name;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::learn::{
    LearnOptions, LearnResult, LearnVerdict, learn, learn_recorded,
};
use mmasmt_questions::vectors::device::Device;
use mmasmt_questions::vectors::{Results, stated_signature};
use reference::{DifferenceReport, ReferenceUnit};
use report::LearnReport;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Find the description of a machine from its answers alone
///
/// No candidates are given. The command asks the machine in which order it sums, and what each sum
/// does: how many bits it keeps, how it cuts and rounds, what becomes of zeros, subnormal numbers,
/// infinities and NaNs. It prints a description that gives every answer, the inputs that decide
/// each part of it, and what no input decides. The description is a model: `unit:FILE`. Vector files
/// with results take the place of a machine that cannot be asked: some of their vectors decide, and
/// the others confirm.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt learn run:./run-on-mine --signature '16 products f16 x f16, c f32, result f32'\n  mmasmt learn cpu:x86/vdpbf16ps --out mine.unit\n  mmasmt learn model:fda:K=4,F=25 --questions 8000\n  mmasmt learn H100/f16 run:./run-on-mine\n  mmasmt learn v100.txt --signature '4 products f16 x f16, c f32, result f32' --confirm 400 --next ask.txt\n\nExit status: 0 a description gives every answer, and a sweep of other inputs confirmed it; 1 no\ndescription that was tried gives every answer, or the machine is no function of its inputs; 2 the request\nwas wrong; 3 a limit was reached, or there were too few questions or vectors to confirm it."
)]
pub(super) struct Args {
    /// Vector files with results, in place of a machine; beside a machine, a model or another machine: the
    /// search begins with it, and the parameters that differ are said
    #[arg(value_name = "RESULTS")]
    results: Vec<PathBuf>,
    #[command(flatten)]
    machine: RunnerArgs,
    /// The operands of the machine behind --runner, or of files that do not state them, such as
    /// '16 products f16 x f16, c f32, result f32'
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["results", "runner"])]
    signature: Option<String>,
    /// The most questions from which the description is learnt
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    questions: u32,
    /// The number of further inputs of all kinds that must confirm the description; of files, the
    /// number of vectors
    #[arg(long, id = "confirmations", value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    confirm: u32,
    /// Ask no infinities and NaNs
    #[arg(long)]
    finite: bool,
    /// Ask the solver for so long, such as 60s, about what no drawn input decides: for inputs that
    /// decide it, or for a proof that it makes no difference
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    settle: Option<Duration>,
    #[command(flatten)]
    search: SearchArgs,
    /// Write the description to a file, for `unit:FILE`
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the inputs and the answers of the machine to a vector file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write inputs that tell the description of vector files from those near it, to run on the machine
    #[arg(long, value_name = "FILE", requires = "results")]
    next: Option<PathBuf>,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let start = Instant::now();
    let limits = args.search.time.limits()?;
    let options = LearnOptions {
        questions: args.questions as usize,
        confirm: args.confirm as usize,
        specials: !args.finite,
        seed: args.search.seed,
        settle: args.settle,
        near: None,
    };
    let beside = ReferenceUnit::of(&args.machine, &args.results)?;
    let Answers {
        signature,
        learned,
        difference,
    } = match args.is_recorded() {
        true => args.recorded(&options, &limits)?,
        false => args.asked(beside.as_ref(), options.clone(), &limits)?,
    };
    if let Some(path) = args.out.as_ref().filter(|_| learned.model.is_some()) {
        write_text_file(path, &format!("{}\n", learned.text.trim_end()))?;
        note(
            learned
                .model
                .as_ref()
                .and_then(|model| in_file(model, path)),
        )?;
    }
    if let Some(path) = &args.next {
        write_text_file(path, &next(&signature, &learned))?;
    }
    let report = LearnReport {
        signature: &signature,
        learned: &learned,
        options: &options,
        files: match args.is_recorded() {
            true => args.results.len(),
            false => 0,
        },
        difference: difference.as_ref(),
    };
    let seconds = start.elapsed().as_secs_f64();
    if json {
        write_json(out, &LearnAnswer::new(&report, seconds))?;
    } else {
        report.write(out)?;
        let seed = args.search.seed;
        writeln!(out, "\n# {PROGRAM}, seed {seed}, {seconds:.2} s")?;
    }
    Ok(match learned.verdict {
        LearnVerdict::Confirmed => Status::Yes,
        LearnVerdict::None | LearnVerdict::NotAFunction => Status::No,
        LearnVerdict::Unconfirmed | LearnVerdict::Halted => Status::Unknown,
    })
}

/// What is learnt about a device of another program, as the command prints it with `--json`.
///
/// # Errors
/// If the device fails, or no description of its operands is searched.
pub fn learn_device(
    device: &mut dyn Device,
    options: &LearnOptions,
    limits: &Limits,
) -> Result<String, Error> {
    let start = Instant::now();
    let signature = device.signature();
    can_be_learnt(&signature)?;
    let learned = learn(device, options, limits)?;
    let report = LearnReport {
        signature: &signature,
        learned: &learned,
        options,
        files: 0,
        difference: None,
    };
    let mut out = Vec::new();
    let seconds = start.elapsed().as_secs_f64();
    write_json(&mut out, &LearnAnswer::new(&report, seconds))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// A learnt unit, with its signature.
struct Answers {
    signature: Signature,
    learned: LearnResult,
    difference: Option<DifferenceReport>,
}

impl Args {
    /// Whether vector files have the answers.
    fn is_recorded(&self) -> bool {
        self.machine.runner.is_none() && !self.results.is_empty()
    }

    /// Asks a machine, and before it the one beside it.
    fn asked(
        &self,
        beside: Option<&ReferenceUnit>,
        mut options: LearnOptions,
        limits: &Limits,
    ) -> Result<Answers, Error> {
        let mut device = self.device(beside, limits)?;
        let signature = device.signature();
        can_be_learnt(&signature)?;
        begin(&signature);
        let mut other = None;
        if let Some(beside) = beside {
            let (model, learned) = beside.model(signature, &options, limits)?;
            match (model, learned) {
                (Some(model), _) => other = Some((beside, model)),
                (None, learned) => {
                    let why = learned.map_or("no answer", |learned| match learned.verdict {
                        LearnVerdict::NotAFunction => "two answers to the same inputs",
                        _ => "no description that gives its answers",
                    });
                    return Err(Error::Usage(format!(
                        "{}: expected a machine that can be learnt, found {why}; `mmasmt learn` of it alone says more",
                        beside.name
                    )));
                }
            }
        }
        options.near = other.as_ref().map(|(_, model)| model.clone());
        let learned = learn(device.as_mut(), &options, limits)?;
        if let Some(path) = &self.record {
            write_text_file(path, &record(&signature, &device.describe(), &learned))?;
        }
        let difference =
            other.map(|(beside, model)| DifferenceReport::new(beside, &model, &learned));
        Ok(Answers {
            signature,
            learned,
            difference,
        })
    }

    /// Takes the answers of vector files.
    fn recorded(&self, options: &LearnOptions, limits: &Limits) -> Result<Answers, Error> {
        let signature = match self.stated()? {
            Some(signature) => signature,
            None => stated_signature(&self.results[0]).ok_or_else(|| {
                Error::Usage(format!(
                    "{}: expected a comment with its operands, such as `# 16 products f16 x f16, c f32, result f32`, found none; give --signature",
                    file_name(&self.results[0])
                ))
            })?,
        };
        can_be_learnt(&signature)?;
        begin(&signature);
        let mut vectors = Vec::new();
        for path in &self.results {
            let read = vectors_of(path, &signature, Results::Only)?;
            vectors.extend(read.into_iter().map(|(_, vector)| vector));
        }
        let learned = learn_recorded(signature, &vectors, options, limits)?;
        Ok(Answers {
            signature,
            learned,
            difference: None,
        })
    }

    /// The operands of `--signature`, if it is given.
    fn stated(&self) -> Result<Option<Signature>, Error> {
        self.signature.as_deref().map(stated_operands).transpose()
    }

    /// The machine that is asked.
    fn device(
        &self,
        beside: Option<&ReferenceUnit>,
        limits: &Limits,
    ) -> Result<Box<dyn Device>, Error> {
        let own = self.machine.model()?.map(|model| model.signature());
        let other = beside.map(ReferenceUnit::signature).transpose()?.flatten();
        let signature = match self.stated()?.or(own).or(other) {
            Some(signature) => signature,
            None => {
                return Err(Error::Usage(
                    "expected --signature with the operands of the machine behind a command, such as `4 products f16 x f16, c f32, result f32`, found none".into(),
                ));
            }
        };
        self.machine.device(signature, limits)?.ok_or_else(|| {
            Error::Usage(
                "expected a machine, found none; give run:COMMAND, cpu:INSTRUCTION, gpu:NUMBER:INSTRUCTION or model:MODEL".into(),
            )
        })
    }
}

/// A note that names the model by the file of its unit, unless the file has the whole model.
fn in_file(model: &Model, path: &Path) -> Option<String> {
    let file = path.display();
    match model.algorithm().operation() {
        Some((_, 1)) => None,
        Some((_, links)) => Some(format!(
            "{file} has one operation of {links}: the model is unit:{file}:chain={links}"
        )),
        None => Some(format!("{file} has the unit of {model}")),
    }
}

/// Says what is learnt, for the report of an interruption.
fn begin(signature: &Signature) {
    Limits::active().report(|report| report.question = format!("learn a unit of {signature}"));
}

/// The text of a vector file with inputs for the machine.
fn next(signature: &Signature, learned: &LearnResult) -> String {
    let title = "learn: inputs that tell the description from those near it";
    let mut text = head_of_inputs(title, signature);
    text.extend(learned.next.iter().map(|inputs| line(inputs, signature)));
    text
}

/// The most products of a machine whose order of summation can be asked with a limited number of
/// questions.
const MOST: u32 = 256;

/// Refuses operands of which no description is searched.
fn can_be_learnt(signature: &Signature) -> Result<(), Error> {
    if signature.products <= MOST {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "expected at most {MOST} products, found {signature}; `mmasmt identify` has candidates for other units"
    )))
}

/// The text of a vector file with all questions and answers.
fn record(signature: &Signature, device: &[String], learned: &LearnResult) -> String {
    let mut text = format!("# {PROGRAM} learn\n# {signature}\n");
    text.extend(device.iter().map(|line| format!("# {line}\n")));
    for vector in &learned.answered {
        let result = bits(&signature.d, vector.d);
        text += &format!("{} {result}\n", vector.inputs.to_line(signature));
    }
    text
}
