//! What became of a claim, for people and as JSON.

use super::Status;
use super::asker::Answered;
use super::confirm::{confirmed_status, insert_confirmations, write_confirmations};
use super::json::{cost_json, vector_json, write_json};
use super::output::{PROGRAM, bits, value_text, widest, write_inputs};
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Answer, Basis, Ended, Witness};
use serde_json::{Value, json};
use std::io::Write;

fn status(claim: &Claim, answer: &Answer) -> Status {
    match (answer.ended, claim.property.is_existential()) {
        (Ended::NoMore { .. }, false) | (Ended::Enough, true) => Status::Yes,
        (Ended::NoMore { .. }, true) | (Ended::Enough, false) | (Ended::Vacuous, _) => Status::No,
        (Ended::Unknown(_), _) => Status::Unknown,
    }
}

pub(super) fn verdict(claim: &Claim, answer: &Answer) -> &'static str {
    match (answer.ended, claim.property.is_existential()) {
        (Ended::NoMore { .. }, false) | (Ended::Enough, true) => "proved",
        (Ended::NoMore { .. }, true) | (Ended::Enough, false) => "refuted",
        (Ended::Vacuous, _) => "vacuous",
        (Ended::Unknown(_), _) => "unknown",
    }
}

/// How the verdict was come by.
pub(super) fn remark(claim: &Claim, answer: &Answer) -> String {
    let is_simplest = answer.witness().and_then(|witness| witness.simplest);
    let existential = claim.property.is_existential();
    let remark = match answer.ended {
        Ended::NoMore {
            by: Basis::Construction,
        } if existential => "there are no such operands, by construction",
        Ended::NoMore { by } if existential => {
            return format!("there are no such operands: proved {}", by.describe());
        }
        Ended::NoMore {
            by: Basis::Construction,
        } => "by construction: the negated claim is constantly false",
        Ended::NoMore { by } => return by.describe(),
        Ended::Enough if is_simplest == Some(true) => {
            "proved minimal: none with fewer products, none simpler on these"
        }
        Ended::Enough => "replayed on words and on big integers",
        Ended::Vacuous => {
            "no operands, or no two that it compares, are as assumed: the claim says nothing"
        }
        Ended::Unknown(stopped) => stopped.describe(),
    };
    remark.to_owned()
}

/// The answer to one claim, for a person or as JSON.
pub(super) fn write(
    claim: &Claim,
    answered: &Answered,
    seed: u64,
    json: bool,
    out: &mut impl Write,
) -> Result<Status, Error> {
    let Answered {
        answer,
        seconds,
        confirmations,
        written,
        ..
    } = answered;
    let status = written.status(confirmed_status(status(claim, answer), confirmations));
    if json {
        write_json(out, &as_json(claim, answered, seed))?;
        return Ok(status);
    }
    writeln!(out, "{}: {claim}", verdict(claim, answer))?;
    if let Some(witness) = answer.witness() {
        write_refutation(claim, &witness.inputs, out)?;
    }
    writeln!(out, "{}", remark(claim, answer))?;
    write_confirmations(out, confirmations)?;
    let engines = answer.engines.join(" and ");
    writeln!(out, "\n# {PROGRAM}, {engines}, seed {seed}, {seconds:.2} s")?;
    if claim.model.to_string() != claim.model.canonical() {
        writeln!(out, "# {} is {}", claim.model, claim.model.canonical())?;
    }
    written.write_lines(out)?;
    Ok(status)
}

/// Inputs that refute a claim, or show it, with the results that are to be compared.
pub(super) fn write_refutation(
    claim: &Claim,
    inputs: &Inputs,
    out: &mut impl Write,
) -> Result<(), Error> {
    let signature = claim.model.signature();
    writeln!(out)?;
    write_inputs(out, &signature, inputs)?;
    let d = claim.model.simulator().run(inputs);
    let beside = claim.counterparts(inputs);
    let width = match &beside[..] {
        [] => 0,
        beside => widest(beside.iter().map(|other| &other.what)) + 2,
    };
    writeln!(out, "\n  {:width$}d = {}", "", value_text(&signature.d, d))?;
    for other in beside {
        let d = value_text(&signature.d, other.d);
        writeln!(out, "  {:width$}d = {d}", other.what)?;
    }
    writeln!(out, "  as a line: {}", inputs.to_line(&signature))?;
    Ok(writeln!(out)?)
}

/// The answer to a claim as JSON.
pub(super) fn as_json(claim: &Claim, answered: &Answered, seed: u64) -> Value {
    let answer = &answered.answer;
    let engines = answer.engines.join(" and ");
    let mut object = json!({
        "verdict": verdict(claim, answer),
        "claim": claim.to_string(),
        "model": claim.model.canonical(),
        "name": claim.model.to_string(),
        "assume": claim.domain.to_string(),
        "witnesses": witnesses_json(claim, answer),
        "remark": remark(claim, answer),
        "proved": answer.proved().map(|by| by.as_json()),
        "cost": cost_json(answered.seconds, Some(seed), Some(&engines)),
    });
    insert_confirmations(&mut object, &answered.confirmations);
    answered.written.add_to(&mut object);
    object
}

/// Inputs that refute a claim, or show it, each with the results that are to be compared.
pub(super) fn witnesses_json(claim: &Claim, answer: &Answer) -> Vec<Value> {
    let signature = claim.model.signature();
    let witnesses = answer.witness().into_iter().map(|Witness { inputs, .. }| {
        let d = claim.model.simulator().run(inputs);
        let mut map = vector_json(&signature, inputs, &[d]);
        let beside = claim.counterparts(inputs).into_iter();
        let beside =
            beside.map(|other| json!({"what": other.what, "d": bits(&signature.d, other.d)}));
        map.insert("beside".into(), beside.collect());
        Value::Object(map)
    });
    witnesses.collect()
}
