//! `prove`: whether a claim about a model holds.

use super::Status;
use super::artifacts::{ArtifactArgs, Written};
use super::confirm::{confirmed_status, insert_confirmations, write_confirmations};
use super::dump::DumpArgs;
use super::engine::EngineArgs;
use super::output::{PROGRAM, bits, inputs_json, value_text, widest, write_inputs, write_json};
use super::patience::{seconds, until_ctrl_c, within};
use super::queries::{all_queries, library, list};
use crate::cli::error::Error;
use crate::engine::Limits;
use crate::model::Model;
use crate::property::Claim;
use crate::query::{
    Basis, Confirm, Confirmation, Origin, Outcome, Prove, Query, Settled, Subject, claim_script,
    confirm_outcome, prove,
};
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// Prove a claim about a model, or refute it with inputs
///
/// PROPERTY and MODEL make a claim; one name is that of a query of the program, a published claim
/// with what is expected of it and a twin that must come out the other way.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt prove order-independent fda:K=16\n  mmasmt prove rounds=rz volta/HMMA.884.F32.F32 --assume 'finite, positive, a[1..] zero'\n  mmasmt prove carry-bits-9-terms\n  mmasmt prove --all --confirm smtlib:z3,smtlib:cvc5\n  mmasmt prove --list\n\nExit status: 0 proved (queries: all as expected), 1 refuted (a query: not as expected), 3 not known, or not confirmed."
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
    engine: EngineArgs,
    #[command(flatten)]
    dump: DumpArgs,
    #[command(flatten)]
    artifacts: ArtifactArgs,
}

/// The answer to one claim.
pub(super) struct Answered {
    pub claim: Claim,
    pub outcome: Outcome,
    /// Who answered.
    pub engine: String,
    pub seconds: f64,
    pub confirmations: Vec<Confirmation>,
    pub written: Written,
}

/// Who answers claims, found on this machine, and within which limits.
pub(super) struct Prover<'x> {
    options: Prove,
    confirm: Confirm,
    timeout: Option<Duration>,
    limits: Limits,
    artifacts: &'x ArtifactArgs,
    plain: bool,
}

impl<'x> Prover<'x> {
    fn new(args: &'x Args) -> Result<Self, Error> {
        Ok(Prover {
            options: Prove {
                seed: args.seed,
                minimise: (!args.no_minimize).then_some(args.minimize_budget),
                engine: args.engine.find()?,
            },
            confirm: args.engine.find_confirm(args.seed)?,
            timeout: args.timeout,
            limits: until_ctrl_c()?,
            artifacts: &args.artifacts,
            plain: args.dump.plain,
        })
    }

    /// The limits of everything.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Who is asked.
    pub(super) fn engine(&self) -> String {
        self.options.engine.describe()
    }

    /// The limits of one claim, from now on.
    fn limits_of_one(&self) -> Limits {
        match self.timeout {
            Some(time) => self.limits.within(time),
            None => self.limits.clone(),
        }
    }

    /// The answer, and the files that are asked for; a `tag` becomes part of their names.
    pub(super) fn answer(&self, claim: Claim, tag: Option<&str>) -> Result<Answered, Error> {
        self.answer_within(claim, tag, &self.limits_of_one())
    }

    fn answer_within(
        &self,
        claim: Claim,
        tag: Option<&str>,
        limits: &Limits,
    ) -> Result<Answered, Error> {
        let start = Instant::now();
        let ask = || -> Result<Settled, Error> { Ok(prove(&claim, &self.options, limits)?) };
        let (settled, origin) = match self.artifacts.cache()? {
            None => (ask()?, Origin::Asked),
            Some(cache) => cache.prove(&claim, &self.options, ask)?,
        };
        let seconds = start.elapsed().as_secs_f64();
        let confirmations = confirm_outcome(&claim, &settled.outcome, &self.confirm, &self.limits)?;
        let proved = match settled.outcome {
            Outcome::Proved { by } => Some(by),
            _ => None,
        };
        let subject = Subject::Violation(&claim);
        let written =
            self.artifacts
                .write(&subject, proved, self.plain, tag, (&self.limits, origin))?;
        Ok(Answered {
            claim,
            outcome: settled.outcome,
            engine: settled.engine,
            seconds,
            confirmations,
            written,
        })
    }
}

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    if args.list {
        return list(json, out);
    }
    args.artifacts.check(&args.dump)?;
    if args.all && args.artifacts.any() {
        return Err(Error::Usage(
            "--dump-cnf and --proof are for one claim or query: give PROPERTY MODEL or the name of a query".into(),
        ));
    }
    let prover = Prover::new(args)?;
    if let (Some(property), Some(model)) = (&args.property, &args.model) {
        let limits = prover.limits_of_one();
        let claim = within(&limits, || {
            Claim::new(property, &Model::parse(model)?, &args.assume)
        })?;
        args.dump
            .write(&limits, |plain| Ok::<_, Error>(claim_script(&claim, plain)))?;
        let answered = prover.answer_within(claim, None, &limits)?;
        return one(&answered, args.seed, json, out);
    }
    if args.dump.dump_smt.is_some() {
        return Err(Error::Usage(
            "--dump-smt is for one claim: give PROPERTY MODEL, as `mmasmt prove --all` shows those of queries".into(),
        ));
    }
    let known = all_queries()?;
    let chosen: Vec<&Query> = match &args.property {
        Some(name) => known.iter().filter(|query| query.name == *name).collect(),
        None => known.iter().collect(),
    };
    if let (Some(name), []) = (&args.property, &chosen[..]) {
        return Err(Error::Usage(format!(
            "expected PROPERTY MODEL or the name of a query, found `{}` alone: `mmasmt prove --list` lists both",
            crate::excerpt::excerpt(name)
        )));
    }
    library(&chosen, &prover, json, out)
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
fn remark(outcome: &Outcome) -> String {
    let remark = match outcome {
        Outcome::Proved {
            by: Basis::Construction,
        } => "by construction: the negated claim is constantly false",
        Outcome::Proved { by } => return by.describe(),
        Outcome::Refuted { simplest: true, .. } => {
            "nothing simpler exists on these products, and none with fewer: proved"
        }
        Outcome::Refuted { .. } => "replayed on words and on big integers",
        Outcome::Vacuous => {
            "no operands, or no two that it compares, are as assumed: the claim says nothing"
        }
        Outcome::Unknown(stopped) => stopped.describe(),
    };
    remark.to_owned()
}

fn one(answered: &Answered, seed: u64, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let Answered {
        claim,
        outcome,
        engine,
        seconds,
        confirmations,
        written,
    } = answered;
    let status = confirmed_status(status(outcome), confirmations);
    if json {
        let mut object = answered_json(answered);
        if let Value::Object(map) = &mut object {
            map.insert("seed".into(), seed.into());
            map.insert("version".into(), PROGRAM.into());
        }
        write_json(out, &object)?;
        return Ok(written.status(status));
    }
    writeln!(out, "{}: {claim}", verdict(outcome))?;
    if let Outcome::Refuted { inputs, .. } = outcome {
        let signature = claim.model.signature();
        writeln!(out)?;
        write_inputs(out, &signature, inputs)?;
        let d = claim.model.simulator().run(inputs);
        let beside = claim.beside(inputs);
        let width = widest(beside.iter().map(|other| format!("{}  ", other.what)));
        writeln!(out, "\n  {:width$}d = {}", "", value_text(&signature.d, d))?;
        for other in beside {
            let d = value_text(&signature.d, other.d);
            writeln!(out, "  {:width$}d = {d}", other.what)?;
        }
        writeln!(out, "  as a line: {}", inputs.to_line(&signature))?;
        writeln!(out)?;
    }
    writeln!(out, "{}", remark(outcome))?;
    write_confirmations(out, confirmations)?;
    writeln!(out, "\n# {PROGRAM}, {engine}, seed {seed}, {seconds:.2} s")?;
    if claim.model.to_string() != claim.model.canonical() {
        writeln!(out, "# {} is {}", claim.model, claim.model.canonical())?;
    }
    written.write_lines(out)?;
    Ok(written.status(status))
}

pub(super) fn answered_json(answered: &Answered) -> Value {
    let (claim, outcome) = (&answered.claim, &answered.outcome);
    let mut object = json!({
        "verdict": verdict(outcome),
        "claim": claim.to_string(),
        "model": claim.model.canonical(),
        "assume": claim.domain.to_string(),
        "remark": remark(outcome),
        "seconds": answered.seconds,
        "engine": answered.engine,
    });
    insert_confirmations(&mut object, &answered.confirmations);
    if let (Outcome::Proved { by }, Value::Object(map)) = (outcome, &mut object) {
        map.insert("proved".into(), by.as_json());
    }
    if let (Outcome::Refuted { inputs, .. }, Value::Object(map)) = (outcome, &mut object) {
        let signature = claim.model.signature();
        map.insert("inputs".into(), inputs_json(&signature, inputs).into());
        let d = claim.model.simulator().run(inputs);
        map.insert("d".into(), bits(&signature.d, d).into());
        let beside = claim.beside(inputs).into_iter();
        let beside =
            beside.map(|other| json!({"what": other.what, "d": bits(&signature.d, other.d)}));
        map.insert("beside".into(), beside.collect());
    }
    answered.written.add_to(&mut object);
    object
}
