//! `check-proof`: checks a proof that clauses contradict each other.

use super::Status;
use super::json::{cost_json, write_json};
use super::output::PROGRAM;
use crate::cli::error::Error;
use mmasmt_core::base::limits::Limits;
use mmasmt_questions::solver::proof::{DimacsClauses, ProofSteps, Rejected, check};
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Check a DRAT proof that clauses have no solution
///
/// The checker shares no code with the parts that made the clauses and the proof. It reads the
/// proof as text, as `prove --proof` and `cadical --no-binary` write it: each step has the literals
/// of one clause.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt prove no-negative-zero fda:K=1 --proof zero.drat\n  mmasmt check-proof zero.drat.cnf zero.drat\n\nExit status: 0 it is a proof, 1 it is not, 2 a file cannot be read."
)]
pub(super) struct Args {
    /// The clauses: DIMACS
    cnf: PathBuf,
    /// The proof: DRAT as text
    proof: PathBuf,
}

fn open(path: &Path) -> Result<BufReader<File>, Error> {
    let file = File::open(path).map_err(Error::file(path))?;
    Ok(BufReader::new(file))
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let unreadable =
        |path: &Path, what: String| Error::Usage(format!("{}: {what}", path.display()));
    let start = Instant::now();
    let question = format!("check-proof {}", args.proof.display());
    Limits::active().report(|report| report.question = question);
    let formula = DimacsClauses::read(open(&args.cnf)?)
        .map_err(|error| unreadable(&args.cnf, error.to_string()))?;
    let steps = ProofSteps::read(open(&args.proof)?, formula.variables);
    let outcome = match check(&formula, steps) {
        Err(Rejected::Read(error)) => return Err(unreadable(&args.proof, error.to_string())),
        outcome => outcome,
    };
    let seconds = start.elapsed().as_secs_f64();
    let (variables, clauses) = (formula.variables, formula.clauses.len());
    let reason = outcome.as_ref().err().map(ToString::to_string);
    let checked = outcome.as_ref().ok();
    if json {
        let object = json!({
            "verdict": if checked.is_some() { "verified" } else { "rejected" },
            "reason": reason,
            "variables": variables,
            "clauses": clauses,
            "lemmas": checked.map(|checked| checked.lemmas),
            "deletions": checked.map(|checked| checked.deletions),
            "cost": cost_json(seconds, None, None),
        });
        write_json(out, &object)?;
    } else {
        let name = args.cnf.display();
        match (checked, reason) {
            (Some(checked), _) => writeln!(
                out,
                "verified: {name} has no solution\n{} lemmas follow from {clauses} clauses over {variables} variables",
                checked.lemmas,
            )?,
            (None, reason) => writeln!(
                out,
                "rejected: this is no proof that {name} has no solution\n{}, {}",
                args.proof.display(),
                reason.unwrap_or_default(),
            )?,
        }
        writeln!(out, "\n# {PROGRAM}, {seconds:.2} s")?;
    }
    Ok(match outcome {
        Ok(_) => Status::Yes,
        Err(_) => Status::No,
    })
}
