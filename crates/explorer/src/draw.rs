//! Ordinary operands, drawn at random, on which two models differ.

use super::side_by_side::two_models;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::numbers::float::{Format, hex_float, ulp_distance};
use mmasmt_explain::operands::ordinary_operands;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
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
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut simulators = models.each_ref().map(|model| model.simulator());
    let (mut different, mut farthest, mut example) = (0, 0, None);
    for _ in 0..count {
        let inputs = ordinary_operands(&signature, &mut rng)
            .ok_or_else(|| format!("expected formats with ordinary numbers, found {signature}"))?;
        let [left, right] = simulators
            .each_mut()
            .map(|simulator| simulator.run(&inputs));
        if left != right {
            different += 1;
            let apart = ulp_distance(&signature.d, left, right).unwrap_or(u64::MAX);
            if example.is_none() || apart > farthest {
                farthest = apart;
                example = Some(inputs);
            }
        }
    }
    let example = example.map(|inputs: Inputs| {
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
        "drawn": count, "different": different, "ulps": farthest, "example": example,
    }))
}
