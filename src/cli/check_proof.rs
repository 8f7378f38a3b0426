//! `check-proof`: checks a proof that clauses contradict each other, or a certificate by steps.

use super::Status;
use super::certificate_file::{check_file, is_certificate, proof_verdict};
use super::json::{Cost, write_json};
use super::output::PROGRAM;
use super::proof_file::is_lrat;
use crate::cli::error::Error;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::solver::proof::{
    DimacsClauses, HintedSteps, ProofRejection, ProofSteps, check, check_hints,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Check a DRAT or LRAT proof that clauses have no solution, or a certificate by steps
///
/// The checkers share no code with the parts that made the clauses and the proof. They read the
/// proof as text, as `prove --proof` and `cadical --no-binary` write it. Each step of DRAT has the
/// literals of one clause; a step of LRAT has a number as well, and the numbers of the clauses that
/// it follows from, so that its checker looks for nothing. A certificate (`prove --proof FILE.json`)
/// says what is known of every step of a model; the checker derives each fact from the steps that
/// its step takes.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt prove no-negative-zero fda:K=1 --proof zero.drat\n  mmasmt check-proof zero.drat.cnf zero.drat\n  mmasmt prove no-negative-zero fda:K=1 --proof zero.lrat\n  mmasmt check-proof zero.lrat.cnf zero.lrat\n  mmasmt prove order-independent fda:K=16 --proof order.json\n  mmasmt check-proof order.json\n\nExit status: 0 it is a proof, 1 it is not, 2 a file cannot be read."
)]
pub(super) struct Args {
    /// The clauses: DIMACS; or a certificate by steps: a name that ends in `.json`
    #[arg(value_name = "CNF")]
    first: PathBuf,
    /// The proof of clauses, as text: LRAT if its name ends in `.lrat`, else DRAT
    proof: Option<PathBuf>,
    /// Read the proof as LRAT, whatever its name is
    #[arg(long)]
    lrat: bool,
}

/// What a proof about clauses does not say.
const NOT_CHECKED: &str = "its comments, which say what the clauses are about, are not checked: `prove CLAIM MODEL --dump-cnf FILE` writes the clauses of a claim anew";

/// `mmasmt check-proof` of clauses
#[derive(Serialize, JsonSchema)]
pub(super) struct ProofAnswer {
    #[schemars(extend("enum" = ["verified", "rejected"]))]
    verdict: &'static str,
    reason: Option<String>,
    variables: u32,
    clauses: usize,
    lemmas: Option<usize>,
    deletions: Option<usize>,
    cost: Cost,
}

fn open(path: &Path) -> Result<BufReader<File>, Error> {
    let file = File::open(path).map_err(Error::file(path))?;
    Ok(BufReader::new(file))
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let Some(proof) = &args.proof else {
        if !is_certificate(&args.first) {
            return Err(Error::Usage(format!(
                "clauses and their proof, or a certificate whose name ends in .json, found {} alone",
                args.first.display()
            )));
        }
        if args.lrat {
            return Err(Error::Usage(
                "--lrat is for a proof of clauses: a certificate has none".into(),
            ));
        }
        return check_file(&args.first, json, out);
    };
    let cnf = &args.first;
    let unreadable =
        |path: &Path, what: String| Error::Usage(format!("{}: {what}", path.display()));
    let start = Instant::now();
    let question = format!("check-proof {}", proof.display());
    Limits::active().report(|report| report.question = question);
    let formula =
        DimacsClauses::read(open(cnf)?).map_err(|error| unreadable(cnf, error.to_string()))?;
    let file = open(proof)?;
    let outcome = if args.lrat || is_lrat(proof) {
        check_hints(&formula, HintedSteps::read(file, formula.variables))
    } else {
        check(&formula, ProofSteps::read(file, formula.variables))
    };
    let outcome = match outcome {
        Err(ProofRejection::Read(error)) => return Err(unreadable(proof, error.to_string())),
        outcome => outcome,
    };
    let seconds = start.elapsed().as_secs_f64();
    let (variables, clauses) = (formula.variables, formula.clauses.len());
    let reason = outcome.as_ref().err().map(ToString::to_string);
    let checked = outcome.as_ref().ok();
    if json {
        let object = ProofAnswer {
            verdict: proof_verdict(checked.is_some()),
            reason,
            variables,
            clauses,
            lemmas: checked.map(|checked| checked.lemmas),
            deletions: checked.map(|checked| checked.deletions),
            cost: Cost::new(seconds, None),
        };
        write_json(out, &object)?;
    } else {
        let name = cnf.display();
        match (checked, reason) {
            (Some(checked), _) => writeln!(
                out,
                "verified: {name} has no solution\n{} lemmas follow from {clauses} clauses over {variables} variables\n{NOT_CHECKED}",
                checked.lemmas,
            )?,
            (None, reason) => writeln!(
                out,
                "rejected: this is no proof that {name} has no solution\n{}, {}",
                proof.display(),
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
