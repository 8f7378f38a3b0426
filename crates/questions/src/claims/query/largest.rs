//! Witnesses of a difference with results as far apart as a search finds.

use super::answer::{QueryError, Witness};
use super::question::Question;
use super::replay::Replay;
use crate::vectors::{Draw, Kind};
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Operand;
use mmasmt_core::numbers::float::ulp_distance;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How many inputs of each kind are drawn, and how many changes of the best one are tried.
const DRAWN: u32 = 4_000;
const CHANGES: u32 = 40_000;

/// From `found` on, inputs that answer the question of one difference with the results most ulps apart that drawing and small
/// changes find; the same seed finds the same ones. That there are none farther apart is not proved.
///
/// # Errors
/// If what was found does not stand a replay on big integers.
pub fn largest(
    question: &Question,
    found: &Witness,
    seed: u64,
    limits: &Limits,
) -> Result<Witness, QueryError> {
    let signature = question.signature();
    let mut replay = Replay::of(question);
    let compared = question.claims().first();
    let compared = compared.and_then(|claim| claim.property.compared(&claim.model));
    let Some([left, right]) = compared else {
        return Ok(found.clone());
    };
    let mut simulators = [left.simulator(), right.simulator()];
    let mut apart = |inputs: &Inputs| {
        let [left, right] = simulators.each_mut().map(|one| one.run(inputs));
        ulp_distance(&signature.d, left, right).unwrap_or(0)
    };
    let (mut best, mut most) = (found.inputs.clone(), apart(&found.inputs));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let kinds = [
        Kind::Finite,
        Kind::Close,
        Kind::Cancel,
        Kind::Edge,
        Kind::Feature,
    ];
    for kind in kinds {
        let mut draw = Draw::new(signature, kind, seed);
        for _ in 0..DRAWN {
            if limits.stopped().is_some() {
                break;
            }
            let inputs = question.domain().fixed_bits(&draw.draw());
            let distance = apart(&inputs);
            if distance > most && replay.is_met(&inputs) {
                (best, most) = (inputs, distance);
            }
        }
    }
    for _ in 0..CHANGES {
        if limits.stopped().is_some() {
            break;
        }
        let inputs = question
            .domain()
            .fixed_bits(&changed(&best, question, &mut rng));
        let distance = apart(&inputs);
        // A change that costs nothing is kept too: it may lead on.
        if distance >= most && replay.is_met(&inputs) {
            (best, most) = (inputs, distance);
        }
    }
    let mut witness = replay.confirmed(&best)?;
    witness.simplest = None;
    Ok(witness)
}

/// The same with a bit of an operand turned, a small step of one, or one in the place of another.
fn changed(inputs: &Inputs, question: &Question, rng: &mut ChaCha8Rng) -> Inputs {
    let signature = question.signature();
    let rows: Vec<_> = signature.rows().collect();
    let mut changed = inputs.clone();
    for _ in 0..rng.random_range(1..=3) {
        let row = rows[rng.random_range(0..rows.len())];
        let length = if row.operand == Operand::C {
            1
        } else {
            row.length
        };
        let at = rng.random_range(0..length);
        let from = rng.random_range(0..length);
        let mask = u64::MAX >> (64 - row.format.width());
        let bit = 1 << rng.random_range(0..row.format.width());
        let registers = changed.row_mut(row.operand);
        registers[at] = match rng.random_range(0..4) {
            0 => registers[from],
            1 => registers[at].wrapping_add(1) & mask,
            2 => registers[at].wrapping_sub(1) & mask,
            _ => registers[at] ^ bit,
        };
    }
    changed
}
