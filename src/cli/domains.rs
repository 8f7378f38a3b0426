//! `prove --domains`: the parts of a domain in which a claim holds.

use super::Status;
use super::json::{own_cost, vector_json, write_json};
use super::output::{PROGRAM, widest};
use crate::cli::error::Error;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_questions::agreement::{Known, Verdict, holds};
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::Options;
use serde_json::{Value, json};
use std::io::Write;
use std::time::Instant;

/// Asks about a claim where `assume` holds, and in parts of that.
pub(super) fn domains(
    claim: &Claim,
    assume: &str,
    options: &Options,
    limits: &Limits,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    if claim.property.is_existential() {
        return Err(Error::Usage(format!(
            "--domains: expected a claim about all operands, found `{}`, which claims that some exist",
            claim.property_text()
        )));
    }
    let start = Instant::now();
    let all = holds(claim.property_text(), &claim.model, assume, options, limits)?;
    let seconds = start.elapsed().as_secs_f64();
    if json {
        write_json(out, &as_json(claim, &all, seconds, options.seed))?;
    } else {
        write_text(claim, &all, seconds, out)?;
    }
    Ok(match all.first().map(|known| &known.verdict) {
        Some(Verdict::Agree(_)) => Status::Yes,
        Some(Verdict::Differ(_)) => Status::No,
        _ => Status::Unknown,
    })
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Agree(_) => "proved",
        Verdict::Differ(_) => "refuted",
        Verdict::Unknown(_) => "unknown",
        Verdict::NotAsked => "not asked",
        Verdict::Nothing => "vacuous",
    }
}

/// The verdicts as JSON; `name` gives the name of each.
pub(super) fn domains_json(
    signature: &Signature,
    all: &[Known],
    name: fn(&Verdict) -> &'static str,
) -> Vec<Value> {
    let of_one = |known: &Known| {
        let (witnesses, proved) = match &known.verdict {
            Verdict::Differ(found) => (vec![vector_json(signature, &found.0, &found.1)], None),
            Verdict::Agree(reason) => (Vec::new(), Some(reason.as_json())),
            Verdict::Unknown(_) | Verdict::NotAsked | Verdict::Nothing => (Vec::new(), None),
        };
        json!({
            "name": known.name,
            "assume": known.assume,
            "verdict": name(&known.verdict),
            "witnesses": witnesses,
            "proved": proved,
        })
    };
    all.iter().map(of_one).collect()
}

fn write_text(
    claim: &Claim,
    all: &[Known],
    seconds: f64,
    out: &mut dyn Write,
) -> Result<(), Error> {
    writeln!(out, "{} of {}", claim.property_text(), claim.model)?;
    let width = widest(all.iter().map(|known| &known.name));
    for known in all {
        writeln!(out, "  {:width$}  {}", known.name, name(&known.verdict))?;
    }
    if let Some(Verdict::Differ(found)) = all.first().map(|known| &known.verdict) {
        let line = found.0.to_line(&claim.model.signature());
        writeln!(out, "refuted by: {line}")?;
    }
    writeln!(out, "\n# {PROGRAM}, {seconds:.2} s")?;
    Ok(())
}

fn as_json(claim: &Claim, all: &[Known], seconds: f64, seed: u64) -> Value {
    json!({
        "verdict": all.first().map(|known| name(&known.verdict)),
        "claim": claim.property_text(),
        "model": claim.model.canonical(),
        "name": claim.model.to_string(),
        "domains": domains_json(&claim.model.signature(), all, name),
        "cost": own_cost(seconds, seed),
    })
}
