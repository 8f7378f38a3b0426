//! What `distinguish` found, for people and as JSON.

use super::asker::Answered;
use super::confirm::write_confirmations;
use super::json::{cost_json, vector_json};
use super::output::{PROGRAM, value_text, widest, write_inputs};
use crate::cli::error::Error;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::ulp_distance;
use mmasmt_questions::claims::query::{
    Answer, Basis, Ended, Engine, Options, QueryError, Question, Witness,
};
use mmasmt_questions::explain::first_divergence;
use mmasmt_questions::explain::page::{Difference, difference_page};
use mmasmt_questions::solver::engine::solver_version;
use serde_json::{Value, json};
use std::io::Write;

pub(super) fn verdict(answer: &Answer) -> &'static str {
    match (answer.witnesses.is_empty(), answer.ended) {
        (false, _) => "different",
        (true, Ended::Unknown(_)) => "unknown",
        (true, _) => "equal",
    }
}

/// Who answered, and who made the witnesses simple if that is another one.
fn engine_text(options: &Options, answer: &Answer) -> String {
    let own = solver_version();
    let mut text = answer.engines.join(" and ");
    if let Engine::Race(_) = &options.engine {
        text += &format!(" ({})", options.engine.describe());
    }
    let simple = options.minimise.is_some() && !answer.witnesses.is_empty();
    if simple && !answer.engines.contains(&own) {
        text += &format!(", made simple by {own}");
    }
    text
}

/// What is known beyond the witnesses.
pub(super) fn remark(question: &Question, answer: &Answer) -> Option<String> {
    let domain = question.inputs_text();
    // What is proved of any inputs is proved of all inputs.
    let domain = domain.strip_prefix("any ").unwrap_or(&domain);
    match (answer.ended, answer.witnesses.len()) {
        (Ended::Enough | Ended::Vacuous, _) => None,
        (Ended::NoMore { by }, 0) => Some(match by {
            Basis::Construction => {
                format!("proved for all {domain}: both results are one formula by construction")
            }
            _ => format!("proved for all {domain} {}", by.describe()),
        }),
        (Ended::NoMore { .. }, 1) => Some(format!("proved: there are no other {domain}")),
        (Ended::NoMore { .. }, _) => Some(format!("proved: these are all {domain}")),
        (Ended::Unknown(stopped), 0) => Some(stopped.describe().to_owned()),
        (Ended::Unknown(stopped), _) => Some(format!("there may be more: {}", stopped.describe())),
    }
}

pub(super) fn write_text(
    out: &mut impl Write,
    models: &[Model; 2],
    options: &Options,
    answered: &Answered,
) -> Result<(), Error> {
    let (answer, seconds) = (&answered.answer, answered.seconds);
    writeln!(out, "{}: {} and {}", verdict(answer), models[0], models[1])?;
    for witness in &answer.witnesses {
        writeln!(out)?;
        write_witness(out, models, witness)?;
    }
    if let Some(remark) = remark(&answered.question, answer) {
        if !answer.witnesses.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "{remark}")?;
    }
    let is_design = |model: &Model| model.to_string().starts_with("rtl:");
    if matches!(answer.ended, Ended::Unknown(_)) && models.iter().any(is_design) {
        writeln!(
            out,
            "`mmasmt agree` with the same models asks domain by domain, by sign and by exponents, on which they are proved equal"
        )?;
    }
    write_confirmations(out, &answered.confirmations)?;
    let solver = engine_text(options, answer);
    writeln!(
        out,
        "\n# {PROGRAM}, {solver}, seed {}, {seconds:.2} s",
        options.seed
    )?;
    for model in models
        .iter()
        .filter(|model| model.to_string() != model.canonical())
    {
        writeln!(out, "# {model} is {}", model.canonical())?;
    }
    Ok(())
}

fn write_witness(
    out: &mut impl Write,
    models: &[Model; 2],
    witness: &Witness,
) -> Result<(), Error> {
    let signature = models[0].signature();
    write_inputs(out, &signature, &witness.inputs)?;
    writeln!(out)?;
    let names = models.each_ref().map(ToString::to_string);
    let width = widest(&names);
    for (name, d) in names.iter().zip(&witness.results) {
        writeln!(out, "  {name:width$}  d = {}", value_text(&signature.d, *d))?;
    }
    let [left, right] = results(witness);
    let apart = match ulp_distance(&signature.d, left, right) {
        None => "not comparable".into(),
        Some(0) => "the sign of the zero is all that differs".into(),
        Some(ulp) => format!("{ulp} ulp apart"),
    };
    write!(out, "  {apart}")?;
    if let Some(divergence) = first_divergence(&models[0], &models[1], &witness.inputs) {
        write!(
            out,
            "; first difference: {}: {} and {}",
            divergence.stage, divergence.values[0], divergence.values[1]
        )?;
    }
    writeln!(out)?;
    if witness.simplest == Some(true) {
        writeln!(
            out,
            "  proved minimal: none with fewer products, none simpler on these"
        )?;
    }
    writeln!(out, "  as a line: {}", witness.inputs.to_line(&signature))?;
    Ok(())
}

/// The results of the two models.
fn results(witness: &Witness) -> [u64; 2] {
    [0, 1].map(|model| witness.results.get(model).copied().unwrap_or(0))
}

/// Both evaluations of each witness as a page.
pub(super) fn page(models: &[Model; 2], answered: &Answered) -> Result<String, Error> {
    let (question, answer) = (&answered.question, &answered.answer);
    let inputs: Vec<_> = answer
        .witnesses
        .iter()
        .map(|witness| witness.inputs.clone())
        .collect();
    let page = difference_page(&Difference {
        models,
        verdict: verdict(answer),
        remark: remark(question, answer).as_deref(),
        inputs: &inputs,
    });
    Ok(page.map_err(QueryError::from)?)
}

pub(super) fn as_json(models: &[Model; 2], options: &Options, answered: &Answered) -> Value {
    let (question, answer) = (&answered.question, &answered.answer);
    let signature = models[0].signature();
    let witnesses: Vec<Value> = answer
        .witnesses
        .iter()
        .map(|witness| {
            let [left, right] = results(witness);
            let mut map = vector_json(&signature, &witness.inputs, &[left, right]);
            map.insert("ulp".into(), json!(ulp_distance(&signature.d, left, right)));
            let divergence = first_divergence(&models[0], &models[1], &witness.inputs);
            map.insert(
                "parts_at".into(),
                json!(divergence.map(|p| json!({ "stage": p.stage, "values": p.values }))),
            );
            map.insert("simplest".into(), json!(witness.simplest.unwrap_or(false)));
            Value::Object(map)
        })
        .collect();
    let proved = match answer.ended {
        Ended::NoMore { by } => by.as_json(),
        _ => Value::Null,
    };
    json!({
        "verdict": verdict(answer),
        "models": models.each_ref().map(Model::canonical),
        "names": models.each_ref().map(ToString::to_string),
        "witnesses": witnesses,
        "remark": remark(question, answer),
        "proved": proved,
        "assume": question.domain().to_string(),
        "cost": cost_json(answered.seconds, Some(options.seed), Some(&engine_text(options, answer))),
    })
}
