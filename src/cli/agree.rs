//! `agree`: on which operands two models give the same results.

use super::Status;
use super::json::{own_cost, vector_json, write_json};
use super::output::PROGRAM;
use super::rtl::{need_design, with_ports};
use super::specification::two_models;
use super::timeouts::{seconds, until_ctrl_c, within};
use crate::cli::complete::models;
use crate::cli::error::Error;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::claims::query::{Answer, Ended, Options, Question, answer};
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// Find out on which operands two models agree bit for bit
///
/// Asks on all finite operands first, then on smaller domains: by sign, no c, few products, by difference of exponents, factors of narrower formats; and for
/// numbers of few significant bits on how many exponents, as far as it is proved. What is no proof is inputs on which they differ, or an unknown.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt agree ampere/HMMA.16816.F32 hopper/HMMA.16816.F32\n  mmasmt agree A100/HMMA.16816.F32 H100/HMMA.16816.F32 --json\n\nExit status: 0 they agree on all finite operands (proved), 1 they do not, 3 not known."
)]
pub(super) struct Args {
    /// One model
    #[arg(add = ArgValueCompleter::new(models))]
    left: String,
    /// The other model
    #[arg(add = ArgValueCompleter::new(models))]
    right: String,
    /// Of a design, rtl:FILE.btor2: what its ports are, as in `distinguish`
    #[arg(long, value_name = "PORTS")]
    ports: Option<String>,
    /// Time for each domain, like 500ms or 10s
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = seconds)]
    timeout: Duration,
    /// What samples and the solver's choices start from
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Domains by name, from the widest on.
const DOMAINS: [(&str, &str); 11] = [
    ("all finite operands", ""),
    ("no negative number", "positive"),
    ("no negative number but c", "factors positive, c negative"),
    ("c = 0", "c = 0"),
    ("one product", "a[1..] = 0, b[1..] = 0"),
    ("one product, c = 0", "a[1..] = 0, b[1..] = 0, c = 0"),
    ("normal, all exponents 0", "normal, exp 0..0"),
    (
        "normal, factors of exponent 0, c of 12",
        "normal, factors exp 0..0, c exp 12..12",
    ),
    ("factors that e4m3 has, c = 0", "factors in e4m3, c = 0"),
    ("factors that e5m2 has, c = 0", "factors in e5m2, c = 0"),
    ("factors that e2m1 has, c = 0", "factors in e2m1, c = 0"),
];

/// Numbers of significant bits whose exponents are searched.
const BITS: [u32; 6] = [1, 2, 3, 4, 8, 11];
/// The most exponents that are tried above 0.
const MOST: i64 = 40;

/// What is known of a domain.
struct Known {
    name: String,
    domain: String,
    answer: Answer,
}

impl Known {
    fn verdict(&self) -> &'static str {
        match (self.answer.witnesses.is_empty(), self.answer.ended) {
            (false, _) => "differ",
            (true, Ended::NoMore { .. }) => "agree",
            (true, Ended::Vacuous) => "nothing to compare",
            (true, _) => "unknown",
        }
    }
}

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let start = Instant::now();
    let limits = until_ctrl_c()?;
    need_design([&args.left, &args.right], args.ports.as_deref())?;
    let texts = [&args.left, &args.right].map(|text| with_ports(text, args.ports.as_deref()));
    let models = within(&limits, || two_models([&texts[0], &texts[1]]))?;
    let asking = Asking {
        models: &models,
        options: Options::default().seed(args.seed),
        limits,
        time: args.timeout,
    };
    let mut all = Vec::new();
    for (name, domain) in DOMAINS {
        all.extend(asking.ask(name.into(), domain.into())?);
        if let [everything] = &all[..]
            && everything.verdict() == "agree"
        {
            break;
        }
    }
    let agreed = all.first().is_some_and(|known| known.verdict() == "agree");
    if !agreed {
        for bits in BITS {
            all.extend(asking.exponents(bits)?);
        }
    }
    let status = match all.first().map(Known::verdict) {
        Some("agree") => Status::Yes,
        Some("differ") => Status::No,
        _ => Status::Unknown,
    };
    let seconds = start.elapsed().as_secs_f64();
    match json {
        true => write_json(out, &as_json(args, &models, &all, seconds))?,
        false => write_text(out, &models, &all, seconds)?,
    }
    Ok(status)
}

struct Asking<'x> {
    models: &'x [Model; 2],
    options: Options,
    limits: Limits,
    time: Duration,
}

impl Asking<'_> {
    /// What is known where `domain` is assumed; nothing if the operands have no such domain.
    fn ask(&self, name: String, domain: String) -> Result<Option<Known>, Error> {
        let [left, right] = self.models;
        let Ok(parsed) = Domain::parse(&domain, &left.signature()) else {
            return Ok(None);
        };
        let question = Question::difference(left, right, Some(&parsed))?;
        let limits = self.limits.within(self.time);
        let answer = answer(&question, &self.options, &limits)?;
        Ok(Some(Known {
            name,
            domain,
            answer,
        }))
    }

    /// The most exponents from 0 on with which numbers of so many bits are proved to agree, and the next more.
    fn exponents(&self, bits: u32) -> Result<Vec<Known>, Error> {
        let ask = |above: i64| {
            let plural = if bits == 1 { "bit" } else { "bits" };
            let name = format!("{bits} significant {plural}, exponents 0 to {above}");
            self.ask(name, format!("all bits {bits}, all exp 0..{above}"))
        };
        // What holds for some exponents holds for fewer: halves are asked.
        let (mut holds, mut fails) = (None, None);
        let (mut low, mut high) = (-1, MOST + 1);
        while high - low > 1 {
            let above = (low + high) / 2;
            let Some(known) = ask(above)? else {
                return Ok(Vec::new());
            };
            match known.verdict() {
                "agree" => (low, holds) = (above, Some(known)),
                _ => (high, fails) = (above, Some(known)),
            }
        }
        Ok(holds.into_iter().chain(fails).collect())
    }
}

fn write_text(
    out: &mut impl Write,
    models: &[Model; 2],
    all: &[Known],
    seconds: f64,
) -> Result<(), Error> {
    writeln!(out, "{} and {}", models[0], models[1])?;
    let signature = models[0].signature();
    for known in all {
        writeln!(out, "  {:<42} {}", known.name, known.verdict())?;
    }
    let first = all.first().and_then(|known| known.answer.witness());
    if let Some(witness) = first {
        let line = witness.inputs.to_line(&signature);
        writeln!(out, "they differ on: {line}")?;
    }
    writeln!(out, "\n# {PROGRAM}, {seconds:.2} s")?;
    Ok(())
}

fn as_json(args: &Args, models: &[Model; 2], all: &[Known], seconds: f64) -> Value {
    let signature = models[0].signature();
    let domains = all.iter().map(|known| {
        let witnesses = known.answer.witness().into_iter();
        let witnesses =
            witnesses.map(|witness| vector_json(&signature, &witness.inputs, &witness.results));
        json!({
            "name": known.name,
            "assume": known.domain,
            "verdict": known.verdict(),
            "witnesses": witnesses.collect::<Vec<_>>(),
            "proved": known.answer.proved().map(|by| by.as_json()),
        })
    });
    json!({
        "verdict": all.first().map(Known::verdict),
        "models": models.each_ref().map(Model::canonical),
        "names": models.each_ref().map(ToString::to_string),
        "domains": domains.collect::<Vec<_>>(),
        "cost": own_cost(seconds, args.seed),
    })
}
