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
use mmasmt_questions::claims::query::{Answer, Basis, Ended, Options, Question, Witness, answer};
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
    /// Time for all domains together, like 10s or 5m, shared equally by those that are left [default: 1s for each domain]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    timeout: Option<Duration>,
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
/// So many of them are asked at most, as halves are.
const STEPS: usize = (MOST + 1).ilog2() as usize + 1;

/// How long a domain may take where no time is given.
const TIME_OF_ONE: Duration = Duration::from_secs(1);

/// What is known of a domain.
struct Known {
    name: String,
    domain: String,
    /// None if no time was left to ask.
    answer: Option<Answer>,
}

impl Known {
    fn verdict(&self) -> &'static str {
        let Some(answer) = &self.answer else {
            return "not asked";
        };
        match (answer.witnesses.is_empty(), answer.ended) {
            (false, _) => "differ",
            (true, Ended::NoMore { .. }) => "agree",
            (true, Ended::Vacuous) => "nothing to compare",
            (true, _) => "unknown",
        }
    }

    fn witness(&self) -> Option<&Witness> {
        self.answer.as_ref()?.witness()
    }

    fn proved(&self) -> Option<Basis> {
        self.answer.as_ref()?.proved()
    }
}

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let start = Instant::now();
    let limits = until_ctrl_c()?;
    let limits = match args.timeout {
        Some(time) => limits.within(time),
        None => limits,
    };
    need_design([&args.left, &args.right], args.ports.as_deref())?;
    let texts = [&args.left, &args.right].map(|text| with_ports(text, args.ports.as_deref()));
    let models = within(&limits, || two_models([&texts[0], &texts[1]]))?;
    let asking = Asking {
        models: &models,
        options: Options::default().seed(args.seed),
        limits,
    };
    let mut all = Vec::new();
    for (place, (name, domain)) in DOMAINS.into_iter().enumerate() {
        let left = DOMAINS.len() - place + BITS.len() * STEPS;
        all.extend(asking.ask(name.into(), domain.into(), left)?);
        if let [everything] = &all[..]
            && everything.verdict() == "agree"
        {
            break;
        }
    }
    let agreed = all.first().is_some_and(|known| known.verdict() == "agree");
    if !agreed {
        for (place, bits) in BITS.into_iter().enumerate() {
            let later = (BITS.len() - place - 1) * STEPS;
            all.extend(asking.exponents(bits, later)?);
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
    /// The limits of everything.
    limits: Limits,
}

impl Asking<'_> {
    /// What is known where `domain` is assumed; nothing if the operands have no such domain. `left` questions share the time, this
    /// one with them.
    fn ask(&self, name: String, domain: String, left: usize) -> Result<Option<Known>, Error> {
        let models = self.models;
        let Ok(parsed) = Domain::parse(&domain, &models[0].signature()) else {
            return Ok(None);
        };
        let answer = match self.limits.stopped() {
            Some(_) => None,
            None => {
                let question = Question::difference(&models[0], &models[1], Some(&parsed))?;
                Some(answer(&question, &self.options, &self.limits_of_one(left))?)
            }
        };
        Ok(Some(Known {
            name,
            domain,
            answer,
        }))
    }

    fn limits_of_one(&self, left: usize) -> Limits {
        match self.limits.time_left() {
            Some(_) => self.limits.share(u32::try_from(left).unwrap_or(u32::MAX)),
            None => self.limits.within(TIME_OF_ONE),
        }
    }

    /// The most exponents from 0 on with which numbers of so many bits are proved to agree, and the next more. At most `later`
    /// questions follow.
    fn exponents(&self, bits: u32, later: usize) -> Result<Vec<Known>, Error> {
        let ask = |above: i64, steps: usize| {
            let plural = if bits == 1 { "bit" } else { "bits" };
            let name = format!("{bits} significant {plural}, exponents 0 to {above}");
            let domain = format!("all bits {bits}, all exp 0..{above}");
            self.ask(name, domain, steps + later)
        };
        // What holds for some exponents holds for fewer: halves are asked.
        let (mut holds, mut fails) = (None, None);
        let (mut low, mut high) = (-1, MOST + 1);
        let mut steps = STEPS;
        while high - low > 1 {
            let above = (low + high) / 2;
            let Some(known) = ask(above, steps)? else {
                return Ok(Vec::new());
            };
            steps = steps.saturating_sub(1);
            match known.verdict() {
                "agree" => (low, holds) = (above, Some(known)),
                "not asked" => {
                    fails = fails.or(Some(known));
                    break;
                }
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
    let first = all.first().and_then(Known::witness);
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
        let witnesses = known.witness().into_iter();
        let witnesses =
            witnesses.map(|witness| vector_json(&signature, &witness.inputs, &witness.results));
        json!({
            "name": known.name,
            "assume": known.domain,
            "verdict": known.verdict(),
            "witnesses": witnesses.collect::<Vec<_>>(),
            "proved": known.proved().map(|by| by.as_json()),
        })
    });
    json!({
        "verdict": match all.first().map(Known::verdict) {
            Some("not asked") => Some("unknown"),
            verdict => verdict,
        },
        "models": models.each_ref().map(Model::canonical),
        "names": models.each_ref().map(ToString::to_string),
        "domains": domains.collect::<Vec<_>>(),
        "cost": own_cost(seconds, args.seed),
    })
}
