//! Ordinary operands, drawn at random, on which two models differ.

use super::side_by_side::two_models;
use mmasmt_explain::operands::differences;
use mmasmt_numbers::float::{Format, hex_float};
use serde_json::{Value, json};

/// Of `count` operands: on how many the models differ, the greatest distance of the two results in
/// ulps, and the first operands with that distance.
pub fn draw(texts: &[String; 2], seed: u64, count: u64) -> Result<Value, String> {
    let models = two_models(texts)?;
    let signature = models[0].signature();
    if signature.is_integer() {
        return Err(format!(
            "expected floating-point numbers, found {signature}"
        ));
    }
    let found = differences(&models, count, seed, |_, _| Some(true))
        .ok_or_else(|| format!("expected formats with ordinary numbers, found {signature}"))?;
    let example = found.example.map(|inputs| {
        let row = |format: &Format, row: &[u64]| {
            let texts = row.iter().map(|register| hex_float(format, *register));
            texts.collect::<Vec<_>>().join(",")
        };
        json!({
            "a": row(&signature.a, &inputs.a),
            "b": row(&signature.b, &inputs.b),
            "c": hex_float(&signature.c, inputs.c),
        })
    });
    Ok(json!({
        "drawn": count, "different": found.different, "ulps": found.farthest, "example": example,
    }))
}
