//! `distinguish`: inputs on which two models differ.

mod machines;

pub(super) use machines::AskedAnswer;

use crate::cli::Status;
use crate::cli::answered::AnswerSubject;
use crate::cli::asker::{AskArgs, Asker, QuestionAnswer};
use crate::cli::complete::models;
use crate::cli::diff::{self, are_machines};
use crate::cli::error::Error;
use crate::cli::frame::DomainArgs;
use crate::cli::grammar::DOMAINS;
use crate::cli::json::write_json;
use crate::cli::output::write_text_file;
use crate::cli::rtl::{need_design, with_ports};
use crate::cli::specification::{difference, two_models};
use crate::cli::timeouts::within;
use crate::cli::verdicts::DifferenceAnswer;
use clap_complete::engine::ArgValueCompleter;
use machines::{AskedRequest, are_asked};
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::{Difference, difference_page};
use mmasmt_explain::operands::ordinary_domain;
use mmasmt_questions::claims::query::{Ended, QueryError, answer, largest};
use mmasmt_questions::vectors::measure::Measure;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Find inputs on which two models differ, or prove that there are none
///
/// Operands are finite unless --specials is given. The inputs that are found are simplified: fewest
/// nonzero products, then fewest significand bits, then exponents near 0. Two simulators replay
/// them before they are shown.
///
/// A machine that answers, run:COMMAND, cpu:INSTRUCTION or gpu:NUMBER:INSTRUCTION, is asked drawn
/// inputs: that it is equal is not proved then.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt distinguish fda:F=24 fda:F=25\n  mmasmt distinguish hopper/HMMA.16816.F32 ampere/HMMA.16816.F32 --count 3\n  mmasmt distinguish fda:carry=4 fda:carry=full --json\n\nExit status: 0 the models differ, 1 they are equal (proved), 3 not known, or not confirmed.",
    after_long_help = format!("{}\n\n{DOMAINS}", "Examples:\n  mmasmt distinguish fda:F=24 fda:F=25\n  mmasmt distinguish hopper/HMMA.16816.F32 ampere/HMMA.16816.F32 --count 3\n  mmasmt distinguish fda:carry=4 fda:carry=full --json\n\nExit status: 0 the models differ, 1 they are equal (proved), 3 not known, or not confirmed.")
)]
pub(super) struct Args {
    /// One model
    #[arg(add = ArgValueCompleter::new(models))]
    left: String,
    /// The other model
    #[arg(add = ArgValueCompleter::new(models))]
    right: String,
    #[command(flatten)]
    domain: DomainArgs,
    /// Look among ordinary inputs only: every operand is a normal number with an exponent from -4
    /// to 4
    #[arg(long)]
    ordinary: bool,
    /// Let operands be infinities and NaNs
    #[arg(long)]
    specials: bool,
    /// Show the simplest inputs: fewest products, fewest bits, exponents near 0. This is the
    /// default if --largest and --ordinary are not given
    #[arg(long, conflicts_with_all = ["largest", "ordinary"])]
    simplest: bool,
    /// Show inputs whose results are as far apart as a search finds: in ulps, in numbers (abs), or
    /// relative to the first result (rel)
    #[arg(long, value_name = "MEASURE", num_args = 0..=1, require_equals = true, default_missing_value = "ulp", value_parser = distance)]
    largest: Option<Measure>,
    /// How many different inputs to find
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// The operands of two machines run:COMMAND, such as '16 products f16 x f16, c f32, result f32'
    #[arg(long, value_name = "TEXT")]
    signature: Option<String>,
    /// How many inputs a machine is asked that answers [default: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,
    /// Give exit status 0 if the models are as expected, and 1 if they are not
    #[arg(long, value_name = "VERDICT", value_parser = ["equal", "different"])]
    expect: Option<String>,
    /// The ports of a design rtl:FILE.btor2: which port is each row of operands and d, at which
    /// value other ports are held, and after how many cycles the result comes, such as
    /// `a=a_row,d=d_val,rst=0,latency=3`
    #[arg(long, value_name = "PORTS")]
    ports: Option<String>,
    /// Write both evaluations side by side as a page for a browser, with the first difference
    /// marked: one file, which needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    ask: AskArgs,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    if args.is_plain() && are_machines([&args.left, &args.right]) {
        return diff::run(
            &diff::Args::of([&args.left, &args.right], args.ask.search.seed)
                .within(args.ask.search.time.timeout)
                .with_expected(args.expect.clone())
                .with_html(args.html.clone()),
            json,
            out,
        );
    }
    if are_asked([&args.left, &args.right]) {
        let request = AskedRequest {
            sides: [&args.left, &args.right],
            stated: args.signature.as_deref(),
            domain: args.domain.text(),
            specials: args.specials,
            samples: args.samples,
            count: args.count as usize,
            seed: args.ask.search.seed,
            expected: args.expect.as_deref(),
        };
        return machines::run(&request, &args.ask.search.time.limits()?, json, out);
    }
    let mut asker = Asker::new(&args.ask)?;
    asker.options.count = args.count as usize;
    let limits = asker.limits_of_one();
    need_design([&args.left, &args.right], args.ports.as_deref())?;
    let texts = [&args.left, &args.right].map(|text| with_ports(text, args.ports.as_deref()));
    let models = within(&asker.limits_of_reading(), || {
        two_models([&texts[0], &texts[1]])
    })?;
    let [left, right] = &models;
    let ordinary = args.ordinary.then(|| ordinary_domain(&[left, right]));
    let texts: Vec<_> = args.domain.assume.iter().cloned().chain(ordinary).collect();
    let assume = (!texts.is_empty()).then(|| texts.join(", "));
    let question = difference([left, right], assume.as_deref(), args.specials)?;
    args.ask.dump.write(&limits, &question)?;
    let mut answered = asker.answer(question, None, &limits)?;
    if let Some(measure) = args.largest {
        let QuestionAnswer {
            question, answer, ..
        } = &mut answered;
        for witness in &mut answer.witnesses {
            *witness = largest(
                question,
                witness,
                measure,
                args.ask.search.seed,
                &asker.limits,
            )?;
        }
    }
    let QuestionAnswer {
        question, answer, ..
    } = &answered;
    if answer.ended == Ended::Vacuous {
        // If no inputs are admitted, the models are not compared, and must not be called equal.
        let inputs = question.inputs_text();
        return Err(QueryError::Vacuous { inputs }.into());
    }
    let subject = AnswerSubject::Difference(&models, question);
    if let Some(path) = &args.html {
        let inputs = answer.witnesses.iter().map(|one| one.inputs.clone());
        let page = difference_page(&Difference {
            models: &models,
            verdict: subject.verdict(answer),
            remark: subject.remark(answer).as_deref(),
            inputs: &inputs.collect::<Vec<_>>(),
        });
        write_text_file(path, &page.map_err(QueryError::from)?)?;
    }
    if json {
        let about = (&models, question);
        write_json(
            out,
            &DifferenceAnswer::new(about, &answered, &asker.options),
        )?;
    } else {
        if args.is_plain() && io::stdout().is_terminal() && !answer.witnesses.is_empty() {
            write_ordinary(&models, &asker, out)?;
        }
        subject.write(&answered, &asker.options, out)?;
        if args.largest.is_some() && !answer.witnesses.is_empty() {
            writeln!(
                out,
                "# as far apart as a search found; it does not prove that none are farther"
            )?;
        }
        answered.written.write_lines(out)?;
    }
    let status = subject.final_status(&answered);
    Ok(match (&args.expect, status) {
        (Some(expected), Status::Yes | Status::No) => {
            if expected == subject.verdict(answer) {
                Status::Yes
            } else {
                Status::No
            }
        }
        _ => status,
    })
}

impl Args {
    /// Whether no option says which inputs to look for, or what to do with the answer.
    fn is_plain(&self) -> bool {
        let has_option = self.simplest || self.largest.is_some() || self.ordinary || self.specials;
        !has_option && self.domain.assume.is_none() && self.count == 1
    }
}

/// A measure of the distance of two results.
fn distance(text: &str) -> Result<Measure, String> {
    let measures = [Measure::Ulp, Measure::Absolute, Measure::Relative];
    let found = Measure::named(text).filter(|measure| measures.contains(measure));
    found.ok_or_else(|| format!("expected {}", measures.map(Measure::name).join(", ")))
}

/// The most time to look for an ordinary example before the simplest one.
const TIME_FOR_ORDINARY: Duration = Duration::from_secs(3);

/// Writes ordinary operands on which the models differ, if some are found in a short time. A person
/// understands ordinary operands better than the simplest ones, which are often subnormal.
fn write_ordinary(
    models: &[Model; 2],
    asker: &Asker<'_>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let [left, right] = models;
    let signature = left.signature();
    if signature.is_integer() {
        return Ok(());
    }
    let question = difference([left, right], Some(&ordinary_domain(&[left, right])), false)?;
    let limits = asker.limits.within(TIME_FOR_ORDINARY);
    let answer = answer(&question, &asker.options, &limits)?;
    if let Some(witness) = answer.witness() {
        writeln!(out, "for ordinary operands:")?;
        AnswerSubject::Difference(models, &question).write_witness(witness, out)?;
        writeln!(out, "\nfor the simplest operands:")?;
    }
    Ok(())
}
