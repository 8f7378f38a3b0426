//! `agree`: the operands on which two models give the same results.

use super::Status;
use super::diff::{self, are_machines};
use super::domains::DomainAnswer;
use super::json::{Cost, ModelText, write_json};
use super::next_steps::of_agreement;
use super::output::PROGRAM;
use super::rtl::{need_design, with_ports};
use super::specification::{of_products, two_models};
use super::timeouts::within;
use crate::cli::complete::models;
use crate::cli::error::Error;
use crate::cli::frame::SearchArgs;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::agreement::{DomainVerdict, Verdict, agree};
use mmasmt_questions::claims::query::Options;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

/// Find out on which operands two models agree bit for bit
///
/// The command first asks about all finite operands, then about smaller domains: one sign, no c,
/// few products, a bounded difference of exponents, factors of narrower formats, and numbers of few
/// significant bits on as wide a range of exponents as it can prove. Each domain gets a proof,
/// inputs on which the models differ, or the answer that it is unknown.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("timeout", |time| time.help("Time limit for all domains together [default: 1s for each domain]")),
    after_help = "Examples:\n  mmasmt agree ampere/HMMA.16816.F32 hopper/HMMA.16816.F32\n  mmasmt agree A100/HMMA.16816.F32 H100/HMMA.16816.F32 --json\n\nExit status: 0 they agree on all finite operands (proved), 1 they do not, 3 not known."
)]
pub(super) struct Args {
    /// One model
    #[arg(add = ArgValueCompleter::new(models))]
    left: String,
    /// The other model
    #[arg(add = ArgValueCompleter::new(models))]
    right: String,
    /// The ports of a design rtl:FILE.btor2, as in `distinguish`
    #[arg(long, value_name = "PORTS")]
    ports: Option<String>,
    #[command(flatten)]
    search: SearchArgs,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    if are_machines([&args.left, &args.right]) {
        let machines = diff::Args::of([&args.left, &args.right], args.search.seed)
            .within(args.search.time.timeout);
        return diff::run(&machines, json, out);
    }
    let start = Instant::now();
    let limits = args.search.time.limits()?;
    need_design([&args.left, &args.right], args.ports.as_deref())?;
    let texts = [&args.left, &args.right].map(|text| with_ports(text, args.ports.as_deref()));
    let models = within(&limits, || two_models([&texts[0], &texts[1]]))?;
    models.iter().try_for_each(of_products)?;
    let options = Options::default().seed(args.search.seed);
    let all = agree(&models, &options, &limits)?;
    let status = match all.first().map(|known| &known.verdict) {
        Some(Verdict::Agree(_)) => Status::Yes,
        Some(Verdict::Differ(_)) => Status::No,
        _ => Status::Unknown,
    };
    let seconds = start.elapsed().as_secs_f64();
    if json {
        let cost = Cost::of_own(seconds, args.search.seed);
        write_json(out, &AgreeAnswer::new(&models, &all, cost))?
    } else {
        write_text(args, out, &models, &all, seconds)?
    }
    Ok(status)
}

fn write_text(
    args: &Args,
    out: &mut dyn Write,
    models: &[Model; 2],
    all: &[DomainVerdict],
    seconds: f64,
) -> Result<(), Error> {
    writeln!(out, "{} and {}", models[0], models[1])?;
    let signature = models[0].signature();
    for known in all {
        writeln!(out, "  {:<42} {}", known.name, known.verdict.name())?;
    }
    if let Some(Verdict::Differ(found)) = all.first().map(|known| &known.verdict) {
        let line = found.0.to_line(&signature);
        writeln!(out, "they differ on: {line}")?;
    }
    let is_open =
        |known: &&DomainVerdict| matches!(known.verdict, Verdict::Unknown(_) | Verdict::NotAsked);
    let open = || all.iter().filter(is_open);
    // Of the domains that are unknown, that of one product without c is decided soonest.
    let is_small =
        |known: &&DomainVerdict| known.assume.contains("[1..]") && known.assume.contains("c =");
    if let Some(one) = open().find(is_small).or_else(|| open().next()) {
        for step in of_agreement(models, &one.assume, args.search.time.timeout) {
            writeln!(out, "next: {step}")?;
        }
    }
    writeln!(out, "\n# {PROGRAM}, {seconds:.2} s")?;
    Ok(())
}

/// `mmasmt agree`
#[derive(Serialize, JsonSchema)]
pub(super) struct AgreeAnswer<'x> {
    #[schemars(extend("enum" = ["agree", "differ", "unknown"]))]
    verdict: &'static str,
    models: [ModelText; 2],
    names: [String; 2],
    domains: Vec<DomainAnswer<'x>>,
    cost: Cost,
}

impl<'x> AgreeAnswer<'x> {
    fn new(models: &[Model; 2], all: &'x [DomainVerdict], cost: Cost) -> Self {
        AgreeAnswer {
            verdict: match all.first().map(|known| &known.verdict) {
                None | Some(Verdict::NotAsked) => "unknown",
                Some(verdict) => verdict.name(),
            },
            models: models.each_ref().map(ModelText::of),
            names: models.each_ref().map(ToString::to_string),
            domains: DomainAnswer::all(&models[0].signature(), all, Verdict::name),
            cost,
        }
    }
}
