//! `prove`: whether a claim about a model holds.

use super::Status;
use super::answered::AnswerSubject;
use super::asker::{AskArgs, Asker};
use super::domains::domains;
use super::json::write_json;
use super::library::library;
use super::notes::note_domain;
use super::printed_page::printed_page;
use super::queries::{all_queries, list, queries_of, share};
use super::sample::{SampleArgs, sample};
use super::scripts::{ScriptArgs, prove_script};
use super::shards::ShardArgs;
use super::specification::model as specified;
use super::timeouts::within;
use super::verdicts::ClaimAnswer;
use crate::cli::complete::{models, properties};
use crate::cli::error::Error;
use crate::cli::frame::{DomainArgs, HtmlArgs};
use crate::cli::grammar::DOMAINS;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_core::machines::model::Model;
use mmasmt_explain::operands::ordinary_domain;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_questions::claims::property::{Claim, PublishedClaim};
use mmasmt_questions::claims::query::Question;
use std::io::Write;
use std::path::PathBuf;

/// Prove a claim about a model, or refute it with inputs
///
/// Give a claim as PROPERTY and MODEL, or name a query. A query is a published claim that comes
/// with the program: it has an expected answer, and a twin whose answer must be the opposite.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("assume", |domain| domain.default_value("finite")),
    after_help = EXAMPLES,
    after_long_help = format!("{EXAMPLES}\n\n{DOMAINS}")
)]
pub(super) struct Args {
    /// A property, or the name of a query
    #[arg(required_unless_present_any = ["all", "list", "claim", "queries"])]
    #[arg(add = ArgValueCompleter::new(properties))]
    property: Option<String>,
    /// The model
    #[arg(add = ArgValueCompleter::new(models))]
    model: Option<String>,
    #[command(flatten)]
    domain: DomainArgs,
    /// Ask about ordinary operands only: every one is a normal number with an exponent from -4 to 4
    #[arg(long, conflicts_with_all = ["all", "list"])]
    ordinary: bool,
    /// Ask every query that comes with the program; --time holds for each of its claims
    #[arg(long, conflicts_with_all = ["property", "list"])]
    all: bool,
    /// List properties and queries
    #[arg(long)]
    list: bool,
    /// Take the queries of this file, as those of the program are written, in place of them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["model", "claim"])]
    queries: Vec<PathBuf>,
    /// Ask in which parts of the domain the claim holds: one sign, no c, few products, narrower
    /// formats, and numbers of few significant bits on as wide a range of exponents as is proved
    #[arg(long, requires = "model", conflicts_with_all = ["queries", "claim", "sample", "dump_smt", "dump_cnf", "proof", "confirm"])]
    domains: bool,
    /// Give exit status 0 if the claim about the model is as expected, and 1 if it is not
    #[arg(long, value_name = "VERDICT", value_parser = ["proved", "refuted"], requires = "model")]
    expect: Option<String>,
    #[command(flatten)]
    html: HtmlArgs,
    #[command(flatten)]
    sample: SampleArgs,
    #[command(flatten)]
    script: ScriptArgs,
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    shards: ShardArgs,
}

const EXAMPLES: &str = "Examples:\n  mmasmt prove order-independent fda:K=16\n  mmasmt prove rounds=rz volta/HMMA.884.F32.F32 --where 'finite, positive, a[1..] zero'\n  mmasmt prove carry-bits-9-terms\n  mmasmt prove --all --confirm smtlib:z3,smtlib:cvc5\n  mmasmt prove --claim mine.smt2 --function f=H100/HMMA.16816.F32\n  mmasmt prove no-worse-than=:F=25 fda:F=24 --sample 10000 --draw normal\n  mmasmt prove no-worse-than=markidis 'ootomo-yokota' --domains\n  mmasmt prove --queries mine.toml\n  mmasmt prove faithful fda:F=24 --html claim.html\n  mmasmt prove --list\n\nExit status: 0 proved (queries: all as expected; --sample: counted), 1 refuted (a query: not as expected), 3 not known, or not confirmed.";

impl Args {
    fn assumed(&self, model: &Model) -> String {
        let ordinary = self.ordinary.then(|| ordinary_domain(&[model]));
        let all = [self.domain.assume.clone(), ordinary];
        let all = all.into_iter().flatten().filter(|text| !text.is_empty());
        all.collect::<Vec<_>>().join(", ")
    }
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let own = queries_of(&args.queries)?;
    let known = match args.queries[..] {
        [] => all_queries()?,
        _ => &own,
    };
    if args.list {
        return list(known, json, out);
    }
    let mut asker = Asker::new(&args.ask)?;
    if let Some(path) = args.script.file() {
        return prove_script(&args.script, path, (&asker, &args.ask.engine), json, out);
    }
    if let (Some(property), Some(model)) = (&args.property, &args.model) {
        let limits = asker.limits_of_one();
        let (claim, assume) = within(&asker.limits_of_reading(), || {
            let model = specified(model)?;
            let assume = args.assumed(&model);
            Ok::<_, Error>((Claim::new(property, &model, &assume)?, assume))
        })?;
        note_domain(&claim.domain)?;
        if args.domains {
            return domains(&claim, &assume, &asker.options, &limits, json, out);
        }
        if let Some(count) = args.sample.count() {
            let seed = asker.options.seed;
            return sample(&args.sample, count, &claim, seed, &limits, json, out);
        }
        let question = Question::refuting(&claim);
        args.ask.dump.write(&limits, &question)?;
        let answered = asker.answer(question, None, &limits)?;
        let subject = AnswerSubject::Claim(&claim);
        args.html.write(|| {
            let witnesses = answered.answer.witnesses.iter();
            let operands = witnesses.map(|witness| ("these operands", &witness.inputs));
            printed_page(claim.to_string(), &claim.model, operands, |out| {
                subject.write(&answered, &asker.options, out)
            })
        })?;
        if json {
            write_json(out, &ClaimAnswer::new(&claim, &answered, &asker.options))?;
        } else {
            subject.write(&answered, &asker.options, out)?;
            answered.written.write_lines(out)?;
        }
        let status = subject.final_status(&answered);
        return Ok(match args.expect.as_deref() {
            Some("refuted") => status.of_the_contrary(),
            _ => status,
        });
    }
    let chosen: Vec<&PublishedClaim> = match &args.property {
        Some(name) => known.iter().filter(|query| query.name == *name).collect(),
        None => known.iter().collect(),
    };
    if let (Some(name), []) = (&args.property, &chosen[..]) {
        return Err(Error::Usage(format!(
            "expected PROPERTY MODEL or the name of a query, found `{}` alone: `mmasmt prove --list` lists both",
            excerpt(name)
        )));
    }
    match args.shards.shard {
        // Text does not show the inputs.
        None if json && args.property.is_some() => library(&chosen, &asker, json, out),
        None => library(&chosen, &asker.simplifying_if_asked(), json, out),
        Some(shard) => {
            // Inputs are not made simpler: how simple they get in a given time depends on the
            // machine.
            asker.options = asker.options.minimise(None);
            share(&chosen, &asker, (shard, &args.shards), out)
        }
    }
}
