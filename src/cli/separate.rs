//! `separate`: a few inputs that separate models pairwise.

use super::Status;
use super::families::{CandidateModels, HELP, class_text};
use super::json::{Cost, write_json};
use super::notes::note_domain;
use super::output::{PROGRAM, answer_text, head_of_inputs, line, write_text_file};
use super::separated::{SeparateAnswer, SeparationReport};
use super::timeouts::within;
use crate::cli::error::Error;
use crate::cli::frame::DomainArgs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::identify::separate_in;
use mmasmt_questions::solver::engine::solver_version;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Find few inputs that tell every two of many models apart, or prove some of them equal
///
/// The command prints the inputs as lines of a vector file, and a tree that says which results lead
/// to which model.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{HELP}\n\n{EXAMPLES}"))]
pub(super) struct Args {
    /// Models that take the same inputs
    models: Vec<String>,
    #[command(flatten)]
    candidates: CandidateModels,
    #[command(flatten)]
    domain: DomainArgs,
    /// Write the inputs to a file, with comments that say what each result means
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  mmasmt separate --family F=10..36 --base fda:K=8
  mmasmt separate fda:F=23 fda:F=24 fda:F=24,zero=raw --out vectors.txt
  mmasmt separate --family F=10..36 --base fda:K=8 --where 'c = 0, factors exp -8..8'

Exit status: 0 told apart, 1 all proved equal, 3 some pairs are neither.";

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let start = Instant::now();
    let options = args.candidates.options();
    let limits = args.candidates.search.time.limits()?;
    let models = within(&limits, || args.candidates.models(&args.models, None))?;
    let domain = args.domain(&models)?;
    let separation = separate_in(&models, domain.as_ref(), &options, &limits)?;
    let seconds = start.elapsed().as_secs_f64();
    let report = SeparationReport {
        models: &models,
        domain: domain.as_ref(),
        separation: &separation,
    };
    if let Some(path) = &args.out {
        write_text_file(path, &as_file(&report))?;
    }
    if json {
        let cost = Cost::of_own(seconds, args.candidates.search.seed);
        write_json(out, &SeparateAnswer::new(&report, cost))?;
    } else {
        report.write(out)?;
        let (solver, seed) = (solver_version(), args.candidates.search.seed);
        writeln!(out, "\n# {PROGRAM}, {solver}, seed {seed}, {seconds:.2} s")?;
    }
    Ok(
        match (separation.open.is_empty(), separation.inputs.is_empty()) {
            (false, _) => Status::Unknown,
            (true, true) if models.len() > 1 => Status::No,
            (true, _) => Status::Yes,
        },
    )
}

impl Args {
    /// The domain that is given, of the operands of the models.
    fn domain(&self, models: &[Model]) -> Result<Option<Domain>, Error> {
        let (Some(text), Some(model)) = (&self.domain.assume, models.first()) else {
            return Ok(None);
        };
        let domain = Domain::of(text, model)?;
        note_domain(&domain)?;
        Ok(Some(domain))
    }
}

/// The text of a vector file with the inputs that tell the models apart. Comments say which models
/// give which result.
fn as_file(report: &SeparationReport<'_>) -> String {
    let SeparationReport {
        models, separation, ..
    } = report;
    let signature = &models[0].signature();
    let mut text = head_of_inputs(&format!("separate: {}", report.summary()), signature);
    text += "# before each line: a result, and the models that give it\n";
    for (inputs, column) in separation.inputs.iter().zip(&separation.columns) {
        let mut results: Vec<(u64, Vec<String>)> = Vec::new();
        for (answer, class) in column.iter().zip(&separation.classes) {
            let name = class_text(models, class);
            match results.iter_mut().find(|(known, _)| known == answer) {
                Some((_, names)) => names.push(name),
                None => results.push((*answer, vec![name])),
            }
        }
        for (answer, names) in results {
            text += &format!("# {} {}\n", answer_text(signature, answer), names.join(" "));
        }
        text += &line(inputs, signature);
    }
    text
}
