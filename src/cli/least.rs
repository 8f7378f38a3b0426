//! `least`: the least value of a key for which a claim holds, or the greatest exponent of factors.

use super::Status;
use super::answered::AnswerSubject;
use super::asker::{AskArgs, Asker};
use super::json::{Cost, ModelText, ProofBasis, write_json};
use super::notes::note_domain;
use super::output::PROGRAM;
use super::specification::model;
use super::timeouts::within;
use super::verdicts::ClaimWitness;
use crate::cli::complete::{keys, models, properties};
use crate::cli::error::Error;
use crate::cli::frame::DomainArgs;
use crate::cli::grammar::DOMAINS;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::Exponents;
use mmasmt_questions::claims::property::{Claim, ClaimError};
use mmasmt_questions::claims::query::{Answer, LeastValue, QueryError, least};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::ops::Range;
use std::time::Instant;

/// Find the least value of a key for which a claim holds
///
/// The claim is proved at this value and refuted at the next smaller one. The search halves the
/// range of values, as if a claim that holds at one value held at all greater ones; --all-below
/// asks all smaller values too. The answer lists the values that were asked.
///
/// With `exp` in place of a key: the greatest exponent that factors may have, smaller ones included.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("timeout", |time| time.help("Time limit for all values together [default: 60s]")),
    mut_arg("assume", |domain| domain.default_value("finite")),
    after_help = "Examples:\n  mmasmt least F faithful fda:K=32,in=e4m3 --where 'finite, c = 0'\n  mmasmt least carry equal=:carry=full fda:K=8\n  mmasmt least every faithful 'promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3, every=4):K=256' --where 'factors exp -1..1, factors bits 2, c = 0'\n  mmasmt least exp finite-results H100/HMMA.16816.F16 --where 'c = 0'\n\n--time is the time for all values together; each takes at most half of what is left.\n\nExit status: 0 found, 1 refuted at the greatest value, 3 not known.",
    after_long_help = format!("{}\n\n{DOMAINS}", "Examples:\n  mmasmt least F faithful fda:K=32,in=e4m3 --where 'finite, c = 0'\n  mmasmt least carry equal=:carry=full fda:K=8\n  mmasmt least every faithful 'promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3, every=4):K=256' --where 'factors exp -1..1, factors bits 2, c = 0'\n  mmasmt least exp finite-results H100/HMMA.16816.F16 --where 'c = 0'\n\n--time is the time for all values together; each takes at most half of what is left.\n\nExit status: 0 found, 1 refuted at the greatest value, 3 not known.")
)]
pub(super) struct Args {
    /// A key of the model whose values are numbers, or `exp`
    #[arg(add = ArgValueCompleter::new(keys))]
    key: String,
    /// A property; `mmasmt prove --list` lists them
    #[arg(value_name = "CLAIM")]
    #[arg(add = ArgValueCompleter::new(properties))]
    property: String,
    /// The model
    #[arg(add = ArgValueCompleter::new(models))]
    model: String,
    #[command(flatten)]
    domain: DomainArgs,
    /// Ask every smaller value as well
    #[arg(long)]
    all_below: bool,
    #[command(flatten)]
    ask: AskArgs,
}

/// The name that stands for the greatest exponent of the factors.
const EXPONENT: &str = "exp";

/// The values of the key, each with the claim for the model with this value. Claims become easier to
/// hold: the values ascend, but exponents descend.
#[derive(Default)]
struct Values {
    numbers: Vec<i64>,
    claims: Vec<Claim>,
}

/// The most values between two that are asked.
const MOST_BETWEEN: i64 = 10_000;

impl Values {
    /// The numbers that the key may take below the one that is proved and above the one before, and
    /// where they belong.
    fn between(&self, args: &Args, found: &LeastValue) -> Result<(usize, Range<i64>), Error> {
        let proved = found
            .proved
            .filter(|_| found.is_found() && args.key != EXPONENT);
        let Some(at) = proved else {
            return Ok((0, 0..0));
        };
        let Some([least, _]) = model(&args.model)?.range(&args.key)? else {
            return Ok((0, 0..0));
        };
        let before = at
            .checked_sub(1)
            .and_then(|before| self.numbers.get(before));
        let first = before.map_or(least, |before| before + 1);
        Ok((at, first..self.numbers[at]))
    }

    /// The values of the key that go with its other keys and with the claim.
    fn of(args: &Args, model: &Model, numbers: impl IntoIterator<Item = i64>) -> Values {
        let claim = |number: i64| {
            let changed = model.with(&format!("{}={number}", args.key)).ok()?;
            let claim = Claim::new(&args.property, &changed, args.domain.text()).ok()?;
            Some((number, claim))
        };
        let (numbers, claims) = numbers.into_iter().filter_map(claim).unzip();
        Values { numbers, claims }
    }

    fn insert(&mut self, at: usize, others: Values) {
        self.numbers.splice(at..at, others.numbers);
        self.claims.splice(at..at, others.claims);
    }
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    if args.ask.artifacts.any() || args.ask.dump.dump_smt.is_some() || args.ask.confirms() {
        return Err(Error::Usage(
            "files and confirmations are for one claim: give `mmasmt prove CLAIM MODEL` the value that is found".into(),
        ));
    }
    let asker = Asker::new(&args.ask)?;
    let start = Instant::now();
    // The whole search counts as one question.
    let limits = asker.limits_of_one();
    let mut untried = None;
    let (values, found) = match within(&limits, || values(args)) {
        // The time was over before the models were made, so no claim is asked.
        Err(Error::Query(QueryError::Stopped(stopped))) => {
            let cut_short = Some(stopped);
            let none = LeastValue {
                cut_short,
                ..LeastValue::default()
            };
            (Values::default(), none)
        }
        values => {
            let mut values = values?;
            let mut found = least(&values.claims, args.all_below, &asker.options, &limits)?;
            // The values that a search tries are not all that the key takes.
            let (at, numbers) = values.between(args, &found)?;
            if numbers.end - numbers.start > MOST_BETWEEN {
                untried = Some(numbers);
            } else if !numbers.is_empty() {
                let model = model(&args.model)?;
                let all = within(&limits, || {
                    Ok::<_, Error>(Values::of(args, &model, numbers))
                });
                let between = all.unwrap_or_default();
                let more = least(&between.claims, args.all_below, &asker.options, &limits)?;
                found = found.with_between(more, between.claims.len());
                values.insert(at, between);
            }
            (values, found)
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let status = match (found.is_found(), found.stopped()) {
        (true, _) => Status::Yes,
        (false, None) => Status::No,
        (false, Some(_)) => Status::Unknown,
    };
    let written = LeastText {
        args,
        values: &values,
        found: &found,
        engine: asker.options.engine.describe(),
        untried,
    };
    if json {
        written.write_json(seconds, status, out)?
    } else {
        written.write_text(seconds, status, out)?
    }
    Ok(status)
}

fn values(args: &Args) -> Result<Values, Error> {
    let model = model(&args.model)?;
    // The claim is made first without a value, to report errors in the claim itself.
    let claim = Claim::new(&args.property, &model, args.domain.text())?;
    note_domain(&claim.domain)?;
    if claim.property.is_existential() {
        return Err(Error::Usage(format!(
            "expected a claim about all operands, found `{}`, which claims that some exist",
            excerpt(&args.property)
        )));
    }
    if args.key == EXPONENT {
        return exponents(args, &model);
    }
    let values = Values::of(args, &model, model.numbers(&args.key)?);
    if values.numbers.is_empty() {
        return Err(Error::Usage(format!(
            "expected a key of `{}` with numbers that go with the claim, found `{}`",
            excerpt(&args.model),
            excerpt(&args.key)
        )));
    }
    Ok(values)
}

/// The exponents that factors may have at most, the greatest first.
fn exponents(args: &Args, model: &Model) -> Result<Values, Error> {
    let signature = model.signature();
    let [a, b] = [&signature.a, &signature.b].map(Exponents::normal);
    let lowest = a.lowest.min(b.lowest);
    let highest = a.highest.min(b.highest);
    if signature.is_integer() || highest < a.lowest.max(b.lowest) {
        return Err(Error::Usage(format!(
            "expected factors with exponents in common, found {signature}"
        )));
    }
    let claim = |number: i32| {
        let mut assume = format!("factors exp {lowest}..{number}");
        if !args.domain.text().is_empty() {
            assume = format!("{}, {assume}", args.domain.text());
        }
        let claim = Claim::new(&args.property, model, &assume)?;
        Ok((i64::from(number), claim))
    };
    let values = (a.lowest.max(b.lowest)..=highest).rev().map(claim);
    let values: Vec<(i64, Claim)> = values.collect::<Result<_, ClaimError>>()?;
    let (numbers, claims) = values.into_iter().unzip();
    Ok(Values { numbers, claims })
}

/// The words for values of a key, or for exponents, of which the greatest is looked for.
struct Words {
    found: &'static str,
    last: &'static str,
    beyond: &'static str,
    at_most: &'static str,
    others: &'static str,
}

impl Words {
    fn of(key: &str) -> Words {
        match key {
            EXPONENT => Words {
                found: "greatest",
                last: "least",
                beyond: "below",
                at_most: "at least",
                others: "greater",
            },
            _ => Words {
                found: "least",
                last: "greatest",
                beyond: "above",
                at_most: "at most",
                others: "smaller",
            },
        }
    }
}

struct LeastText<'x> {
    args: &'x Args,
    values: &'x Values,
    found: &'x LeastValue,
    /// The engine that is asked.
    engine: String,
    /// The values just below the least one that are too many to be tried.
    untried: Option<Range<i64>>,
}

impl LeastText<'_> {
    fn at(&self, place: Option<usize>) -> Option<(i64, &Claim, &Answer)> {
        let place = place?;
        let answer = self.found.asked.get(&place)?;
        let (number, claim) = (
            self.values.numbers.get(place)?,
            self.values.claims.get(place)?,
        );
        Some((*number, claim, answer))
    }

    /// The claim, its model and its assumption as text, without the value of the key.
    fn subject(&self) -> String {
        let Args {
            property, model, ..
        } = self.args;
        match self.args.domain.text() {
            "" => format!("{property} of {model}"),
            assume => format!("{property} of {model} where {assume}"),
        }
    }

    fn headline(&self) -> String {
        let (key, subject) = (&self.args.key, self.subject());
        let Words {
            found,
            last,
            beyond,
            at_most,
            ..
        } = Words::of(key);
        let proved = self.at(self.found.proved);
        let refuted = self.at(self.found.refuted);
        match (proved, refuted) {
            (Some((number, ..)), _) if self.found.is_found() => match &self.untried {
                None => format!("{found}: {key}={number} for {subject}"),
                Some(untried) => format!(
                    "{found} of those that were tried: {key}={number} for {subject}; none of {} to {} was asked",
                    untried.start,
                    untried.end - 1
                ),
            },
            (Some((proved, ..)), Some((refuted, ..))) => {
                format!(
                    "unknown: {found} {key} for {subject}: {beyond} {refuted}, {proved} {at_most}"
                )
            }
            (Some((proved, ..)), None) => {
                format!("unknown: {found} {key} for {subject}: {proved} {at_most}")
            }
            (None, Some((refuted, ..))) if self.found.stopped().is_none() => {
                format!("refuted at the {last} value: {key}={refuted} for {subject}")
            }
            (None, Some((refuted, ..))) => {
                format!("unknown: {found} {key} for {subject}: {beyond} {refuted}")
            }
            (None, None) => format!("unknown: {found} {key} for {subject}"),
        }
    }

    /// A remark on the values below the greatest one at which the claim is refuted: how many of
    /// them were not asked, or, if all were asked, at which of them the claim is not refuted.
    fn below(&self) -> Option<String> {
        let is_known = self.found.is_found() || self.found.stopped().is_none();
        let least = self.found.refuted.filter(|_| is_known)?;
        let asked = |place: &usize| self.found.asked.contains_key(place);
        let others = Words::of(&self.args.key).others;
        let (key, count) = (
            &self.args.key,
            (0..least).filter(|place| !asked(place)).count(),
        );
        if count == 0 {
            let numbers = &self.values.numbers;
            let holds = |(at, answer): (&usize, &Answer)| {
                let is_below = *at < least && answer.witness().is_none();
                is_below.then(|| format!("{key}={}", numbers[*at]))
            };
            let not: Vec<_> = self.found.asked.iter().filter_map(holds).collect();
            return match &not[..] {
                [] => Some(format!("it is refuted at every {others} value")),
                not => Some(format!("it is not refuted at {}", not.join(", "))),
            };
        }
        let why = match self.found.cut_short {
            Some(stopped) => stopped.describe(),
            None => "--all-below asks them",
        };
        Some(format!(
            "{count} {others} values were not asked, at which it may hold again ({why})"
        ))
    }

    fn write_text(&self, seconds: f64, status: Status, out: &mut dyn Write) -> Result<(), Error> {
        let key = &self.args.key;
        writeln!(out, "{}\n", self.headline())?;
        if let Some((number, claim, answer)) = self.at(self.found.proved) {
            let remark = AnswerSubject::Claim(claim)
                .remark(answer)
                .unwrap_or_default();
            writeln!(out, "{key}={number}: proved {remark}")?;
        }
        if let Some((number, claim, answer)) = self.at(self.found.refuted) {
            writeln!(out, "{key}={number}: refuted")?;
            if let Some(witness) = answer.witness() {
                writeln!(out)?;
                AnswerSubject::Claim(claim).write_witness(witness, out)?;
                writeln!(out)?;
            }
        }
        if let (Status::Unknown, Some(stopped)) = (status, self.found.stopped()) {
            writeln!(out, "{}", stopped.describe())?;
        }
        if let Some(below) = self.below() {
            writeln!(out, "{below}")?;
        }
        let engines = self.engines();
        let (asked, seed) = (self.found.asked.len(), self.args.ask.search.seed);
        Ok(writeln!(
            out,
            "\n# {PROGRAM}, {engines}, seed {seed}, {asked} values asked, {seconds:.2} s"
        )?)
    }

    fn engines(&self) -> String {
        let each = self.found.asked.values().flat_map(|answer| &answer.engines);
        let mut engines: Vec<String> = Vec::new();
        for engine in each {
            if !engines.contains(engine) {
                engines.push(engine.clone());
            }
        }
        match &engines[..] {
            [] => self.engine.clone(),
            engines => engines.join(" and "),
        }
    }

    fn write_json(&self, seconds: f64, status: Status, out: &mut dyn Write) -> Result<(), Error> {
        let asked = self.found.asked.keys().filter_map(|place| {
            let (value, claim, answer) = self.at(Some(*place))?;
            let subject = AnswerSubject::Claim(claim);
            Some(AskedValue {
                value,
                verdict: subject.verdict(answer),
                model: ModelText::of(&claim.model),
                remark: subject.remark(answer),
                proved: ProofBasis::of(answer.proved()),
                witnesses: ClaimWitness::all(claim, answer),
            })
        });
        let number = |place| self.at(place).map(|(number, ..)| number);
        let object = LeastAnswer {
            verdict: match status {
                Status::Yes => "found",
                Status::No => "refuted",
                _ => "unknown",
            },
            key: &self.args.key,
            claim: self.subject(),
            proved_at: number(self.found.proved),
            refuted_at: number(self.found.refuted),
            reason: self.found.stopped().map(|stopped| stopped.describe()),
            asked: asked.collect(),
            cost: Cost::of_engine(seconds, self.args.ask.search.seed, self.engines()),
        };
        write_json(out, &object)
    }
}

/// `mmasmt least`
#[derive(Serialize, JsonSchema)]
pub(super) struct LeastAnswer<'x> {
    #[schemars(extend("enum" = ["found", "refuted", "unknown"]))]
    verdict: &'static str,
    key: &'x str,
    claim: String,
    proved_at: Option<i64>,
    refuted_at: Option<i64>,
    /// The limit that ended the search.
    reason: Option<&'static str>,
    asked: Vec<AskedValue>,
    cost: Cost,
}

/// A value of the key that was asked.
#[derive(Serialize, JsonSchema)]
struct AskedValue {
    value: i64,
    #[schemars(extend("enum" = ["proved", "refuted", "vacuous", "unknown"]))]
    verdict: &'static str,
    model: ModelText,
    remark: Option<String>,
    proved: ProofBasis,
    witnesses: Vec<ClaimWitness>,
}
