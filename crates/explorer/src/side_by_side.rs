//! An evaluation of two models on the same operands, side by side.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::difference::{Difference, difference};
use mmasmt_explain::operands::fill_scales_with_one;
use mmasmt_numbers::float::{Format, parse_value};
use serde_json::{Value, json};

/// The two models that texts name, which take the same operands.
pub fn two_models(texts: &[String; 2]) -> Result<[Model; 2], String> {
    let model = |text: &String| Model::parse(text).map_err(|error| error.to_string());
    let models = [model(&texts[0])?, model(&texts[1])?];
    let [left, right] = models.each_ref().map(Model::signature);
    if left != right {
        return Err(format!(
            "expected two models with the same operands, found {left} and {right}"
        ));
    }
    Ok(models)
}

/// The evaluations of both models as HTML, and their result registers.
pub fn side_by_side(texts: &[String; 2], operands: [&str; 3]) -> Result<Value, String> {
    let models = two_models(texts)?;
    let signature = models[0].signature();
    let [a, b, c] = operands;
    let mut inputs = Inputs::zero(&signature);
    fill(&mut inputs.a, ("a", &signature.a), a)?;
    fill(&mut inputs.b, ("b", &signature.b), b)?;
    let mut accumulator = [0];
    fill(&mut accumulator, ("c", &signature.c), c)?;
    inputs.c = accumulator[0];
    fill_scales_with_one(&mut inputs, &signature);
    let d = models
        .each_ref()
        .map(|model| model.simulator().run(&inputs));
    let verdict = if d[0] == d[1] {
        "same result"
    } else {
        "different"
    };
    let found = Difference {
        models: &models,
        verdict,
        remark: None,
        inputs: std::slice::from_ref(&inputs),
    };
    let html = difference(&found).map_err(|error| error.to_string())?;
    let digits = signature.d.width().div_ceil(4) as usize;
    Ok(json!({
        "html": html.into_string(),
        "d": d.map(|register| format!("{register:0digits$x}")),
        "verdict": verdict,
    }))
}

/// Replaces the first registers of a row by the numbers of a text, separated by commas.
fn fill(row: &mut [u64], (name, format): (&str, &Format), text: &str) -> Result<(), String> {
    let texts = text.split(',').map(str::trim);
    let texts: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
    if texts.len() > row.len() {
        let (most, found) = (row.len(), texts.len());
        return Err(format!(
            "{name}: expected at most {most} numbers, found {found}"
        ));
    }
    for (register, text) in row.iter_mut().zip(texts) {
        *register = parse_value(format, text).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}
