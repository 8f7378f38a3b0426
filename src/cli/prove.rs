//! `prove`: whether a claim about a model holds.

use super::Status;
use super::artifacts::{ArtifactArgs, Written};
use super::distinguish::{raise_on_ctrl_c, seconds};
use super::output::{PROGRAM, inputs_json, value_text, write_inputs, write_json};
use super::queries::{all_queries, library, list};
use crate::engine::{Limits, solver_version};
use crate::error::Error;
use crate::model::Model;
use crate::property::Claim;
use crate::query::{Origin, Outcome, Prove, Query, Subject, prove};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Prove a claim about a model, or refute it with inputs
///
/// PROPERTY and MODEL make a claim; one name is that of a query of the program, a published claim
/// with what is expected of it and a twin that must come out the other way.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt prove order-independent fda:K=16\n  mmasmt prove rounds=rz volta/HMMA.884.F32.F32 --assume 'finite, positive, a[1..] zero'\n  mmasmt prove carry-bits-9-terms\n  mmasmt prove --all\n  mmasmt prove --list\n\nExit status: 0 proved (queries: all as expected), 1 refuted (a query: not as expected), 3 not known."
)]
pub(super) struct Args {
    /// A property, or the name of a query
    #[arg(required_unless_present_any = ["all", "list"])]
    property: Option<String>,
    /// The model
    model: Option<String>,
    /// What is assumed of the operands, such as `finite, a normal, c = 0, b[1..] exp -3..5`
    #[arg(long, value_name = "DOMAIN", default_value = "finite")]
    assume: String,
    /// Every query of the program
    #[arg(long, conflicts_with_all = ["property", "list"])]
    all: bool,
    /// List properties and queries
    #[arg(long)]
    list: bool,
    /// What samples and the solver's choices start from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Seconds to look for an answer, of each claim
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Show inputs as they are found
    #[arg(long)]
    no_minimize: bool,
    /// Seconds to look for simpler inputs
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    minimize_budget: Duration,
    #[command(flatten)]
    artifacts: ArtifactArgs,
}

/// The answer to one claim.
pub(super) struct Answered {
    pub claim: Claim,
    pub outcome: Outcome,
    pub seconds: f64,
    pub written: Written,
}

impl Args {
    /// The answer, and the files that are asked for; a `tag` becomes part of their names.
    pub(super) fn answer(
        &self,
        claim: Claim,
        tag: Option<&str>,
        limits: &Limits,
    ) -> Result<Answered, Error> {
        let options = Prove {
            seed: self.seed,
            minimise: (!self.no_minimize).then_some(self.minimize_budget),
        };
        let limits = match self.timeout {
            Some(time) => limits.within(time),
            None => limits.clone(),
        };
        let start = Instant::now();
        let ask = || -> Result<Outcome, Error> { Ok(prove(&claim, &options, &limits)?) };
        let (outcome, origin) = match self.artifacts.cache()? {
            None => (ask()?, Origin::Asked),
            Some(cache) => cache.prove(&claim, &options, ask)?,
        };
        let seconds = start.elapsed().as_secs_f64();
        let proved = matches!(outcome, Outcome::Proved { .. });
        let subject = Subject::Violation(&claim);
        let written = self
            .artifacts
            .write(&subject, proved, tag, &limits, origin)?;
        Ok(Answered {
            claim,
            outcome,
            seconds,
            written,
        })
    }
}

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    if args.list {
        return list(json, out);
    }
    args.artifacts.check()?;
    if args.all && args.artifacts.any() {
        return Err(Error::Usage(
            "--dump-cnf and --proof are for one claim or query: give PROPERTY MODEL or the name of a query".into(),
        ));
    }
    let interrupt = Arc::new(AtomicBool::new(false));
    raise_on_ctrl_c(&interrupt)?;
    let limits = Limits::interruptible(interrupt);
    match (&args.property, &args.model) {
        (Some(property), Some(model)) => {
            let claim = Claim::new(property, &Model::parse(model)?, &args.assume)?;
            one(&args.answer(claim, None, &limits)?, args.seed, json, out)
        }
        (Some(name), None) => {
            let known = all_queries()?;
            let found: Vec<&Query> = known.iter().filter(|query| query.name == *name).collect();
            if found.is_empty() {
                return Err(Error::Usage(format!(
                    "expected PROPERTY MODEL or the name of a query, found `{name}` alone: `mmasmt prove --list` \
                     lists both"
                )));
            }
            library(&found, args, &limits, json, out)
        }
        (None, _) => {
            let all: Vec<&Query> = all_queries()?.iter().collect();
            library(&all, args, &limits, json, out)
        }
    }
}

fn status(outcome: &Outcome) -> Status {
    match outcome {
        Outcome::Proved { .. } => Status::Yes,
        Outcome::Refuted { .. } | Outcome::Vacuous => Status::No,
        Outcome::Unknown(_) => Status::Unknown,
    }
}

pub(super) fn verdict(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Proved { .. } => "proved",
        Outcome::Refuted { .. } => "refuted",
        Outcome::Vacuous => "vacuous",
        Outcome::Unknown(_) => "unknown",
    }
}

/// How the verdict was come by.
fn remark(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Proved {
            by_construction: true,
        } => "by construction: the negated claim is constantly false",
        Outcome::Proved {
            by_construction: false,
        } => "by the solver",
        Outcome::Refuted { simplest: true, .. } => {
            "nothing simpler exists on these products, and none with fewer: proved"
        }
        Outcome::Refuted { .. } => "replayed on words and on big integers",
        Outcome::Vacuous => "no operands are as assumed: the claim says nothing",
        Outcome::Unknown(stopped) => stopped.describe(),
    }
}

fn one(answered: &Answered, seed: u64, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let Answered {
        claim,
        outcome,
        seconds,
        written,
    } = answered;
    if json {
        let mut object = answered_json(answered);
        if let Value::Object(map) = &mut object {
            map.insert("engine".into(), solver_version().into());
            map.insert("seed".into(), seed.into());
            map.insert("version".into(), PROGRAM.into());
        }
        write_json(out, &object)?;
        return Ok(written.status(status(outcome)));
    }
    writeln!(out, "{}: {claim}", verdict(outcome))?;
    if let Outcome::Refuted { inputs, .. } = outcome {
        let signature = claim.model.signature();
        writeln!(out)?;
        write_inputs(out, &signature, inputs)?;
        let d = claim.model.simulator().run(inputs);
        writeln!(out, "\n  d = {}", value_text(&signature.d, d))?;
        writeln!(out, "  as a line: {}", inputs.to_line(&signature))?;
        writeln!(out)?;
    }
    writeln!(out, "{}", remark(outcome))?;
    let solver = solver_version();
    writeln!(out, "\n# {PROGRAM}, {solver}, seed {seed}, {seconds:.2} s")?;
    if claim.model.to_string() != claim.model.canonical() {
        writeln!(out, "# {} is {}", claim.model, claim.model.canonical())?;
    }
    written.write_lines(out)?;
    Ok(written.status(status(outcome)))
}

pub(super) fn answered_json(answered: &Answered) -> Value {
    let Answered {
        claim,
        outcome,
        seconds,
        written,
    } = answered;
    let mut object = json!({
        "verdict": verdict(outcome),
        "claim": claim.to_string(),
        "model": claim.model.canonical(),
        "assume": claim.domain.to_string(),
        "remark": remark(outcome),
        "seconds": seconds,
    });
    if let (Outcome::Refuted { inputs, .. }, Value::Object(map)) = (outcome, &mut object) {
        let signature = claim.model.signature();
        map.insert("inputs".into(), inputs_json(&signature, inputs).into());
    }
    written.add_to(&mut object);
    object
}
