//! What `distinguish` found, for people and as JSON.

use super::confirm::write_confirmations;
use super::output::{PROGRAM, bits, inputs_json, value_text, widest, write_inputs};
use crate::cli::error::Error;
use crate::engine::solver_version;
use crate::float::ulp_distance;
use crate::model::Model;
use crate::query::{
    Answer, Basis, Confirmation, Distinguish, Engine, Found, Simplest, Witness, parting,
};
use serde_json::{Value, json};
use std::io::Write;

pub(super) fn verdict(found: &Found) -> &'static str {
    match (found.witnesses.is_empty(), found.answer) {
        (false, _) => "different",
        (true, Answer::Unknown(_)) => "unknown",
        (true, _) => "equal",
    }
}

/// Who answered, and who made the witnesses simple if that is another one.
fn engine_text(options: &Distinguish, found: &Found) -> String {
    let own = solver_version();
    let mut text = found.engines.join(" and ");
    if let Engine::Race(_) = &options.engine {
        text += &format!(" ({})", options.engine.describe());
    }
    let simple = options.minimise.is_some() && !found.witnesses.is_empty();
    if simple && !found.engines.contains(&own) {
        text += &format!(", made simple by {own}");
    }
    text
}

/// What is known beyond the witnesses.
fn remark(options: &Distinguish, found: &Found) -> Option<String> {
    let mut domain = String::from(if options.specials {
        "inputs"
    } else {
        "finite inputs"
    });
    if let Some(assumed) = &options.domain {
        domain += &format!(" where {assumed}");
    }
    match (found.answer, found.witnesses.len()) {
        (Answer::Enough, _) => None,
        (Answer::NoMore { by }, 0) => Some(match by {
            Basis::Construction => {
                format!("proved for all {domain}: both results are one formula by construction")
            }
            _ => format!("proved for all {domain} {}", by.describe()),
        }),
        (Answer::NoMore { .. }, 1) => Some(format!("proved: there are no other {domain}")),
        (Answer::NoMore { .. }, _) => Some(format!("proved: these are all {domain}")),
        (Answer::Unknown(stopped), 0) => Some(stopped.describe().to_owned()),
        (Answer::Unknown(stopped), _) => Some(format!("there may be more: {}", stopped.describe())),
    }
}

pub(super) fn write_text(
    out: &mut impl Write,
    models: &[Model; 2],
    options: &Distinguish,
    found: &Found,
    confirmations: &[Confirmation],
    seconds: f64,
) -> Result<(), Error> {
    writeln!(out, "{}: {} and {}", verdict(found), models[0], models[1])?;
    for (witness, simplest) in &found.witnesses {
        writeln!(out)?;
        write_witness(out, models, witness, *simplest)?;
    }
    if let Some(remark) = remark(options, found) {
        if !found.witnesses.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "{remark}")?;
    }
    write_confirmations(out, confirmations)?;
    let solver = engine_text(options, found);
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
    simplest: Simplest,
) -> Result<(), Error> {
    let signature = models[0].signature();
    write_inputs(out, &signature, &witness.inputs)?;
    writeln!(out)?;
    let names = models.each_ref().map(ToString::to_string);
    let width = widest(&names);
    for (name, d) in names.iter().zip(witness.results) {
        writeln!(out, "  {name:width$}  d = {}", value_text(&signature.d, d))?;
    }
    let [left, right] = witness.results;
    let apart = ulp_distance(&signature.d, left, right)
        .map_or("not comparable".into(), |ulp| format!("{ulp} ulp apart"));
    write!(out, "  {apart}")?;
    if let Some(parting) = parting(&models[0], &models[1], &witness.inputs) {
        write!(
            out,
            "; they part at {}: {} and {}",
            parting.stage, parting.values[0], parting.values[1]
        )?;
    }
    writeln!(out)?;
    if simplest == Some(true) {
        writeln!(
            out,
            "  nothing simpler exists on these products, and none with fewer: proved"
        )?;
    }
    writeln!(out, "  as a line: {}", witness.inputs.to_line(&signature))?;
    Ok(())
}

pub(super) fn as_json(
    models: &[Model; 2],
    options: &Distinguish,
    found: &Found,
    seconds: f64,
) -> Value {
    let signature = models[0].signature();
    let witnesses: Vec<Value> = found
        .witnesses
        .iter()
        .map(|(witness, simplest)| {
            let mut map = inputs_json(&signature, &witness.inputs);
            let d = witness.results.map(|result| bits(&signature.d, result));
            let [left, right] = witness.results;
            map.insert("d".into(), json!(d));
            map.insert("ulp".into(), json!(ulp_distance(&signature.d, left, right)));
            let parting = parting(&models[0], &models[1], &witness.inputs);
            map.insert(
                "parts_at".into(),
                json!(parting.map(|p| json!({ "stage": p.stage, "values": p.values }))),
            );
            map.insert("simplest".into(), json!(simplest.unwrap_or(false)));
            Value::Object(map)
        })
        .collect();
    let proved = match found.answer {
        Answer::NoMore { by } => by.as_json(),
        _ => Value::Null,
    };
    json!({
        "verdict": verdict(found),
        "models": models.each_ref().map(Model::canonical),
        "names": models.each_ref().map(ToString::to_string),
        "witnesses": witnesses,
        "remark": remark(options, found),
        "proved": proved,
        "engine": engine_text(options, found),
        "assume": options.domain.as_ref().map(ToString::to_string),
        "seed": options.seed,
        "seconds": seconds,
        "version": PROGRAM,
    })
}
