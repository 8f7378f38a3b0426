//! How often the results of two models differ on ordinary operands, and by how much.

use super::ordinary::ordinary_operands;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::ulp_distance;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The differences of the results of two models on ordinary operands drawn at random.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// The number of draws for which the two results differ.
    pub different: u64,
    /// The greatest distance of the two results, in ulps of the result.
    pub farthest: u64,
    /// The first operands with the greatest distance; `None` if all results are the same.
    pub example: Option<Inputs>,
}

/// Runs two models, which take the same operands, on this many draws of ordinary operands. `look`
/// gets the operands and results of each draw, and says whether there is to be another one; it is `None` where
/// they have no errors. Returns `None` then, and for formats without ordinary numbers.
pub fn differences(
    models: &[Model; 2],
    samples: u64,
    seed: u64,
    mut look: impl FnMut(&Inputs, [u64; 2]) -> Option<bool>,
) -> Option<Differences> {
    let signature = models[0].signature();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut simulators = models.each_ref().map(|model| model.simulator());
    let mut found = Differences::default();
    let reads_c = models.iter().any(Model::reads_c);
    for _ in 0..samples {
        let mut inputs = ordinary_operands(&signature, &mut rng)?;
        if !reads_c {
            inputs.c = 0;
        }
        let results = simulators
            .each_mut()
            .map(|simulator| simulator.run(&inputs));
        let goes_on = look(&inputs, results)?;
        let [left, right] = results;
        if left != right {
            found.different += 1;
            let apart = ulp_distance(&signature.d, left, right).unwrap_or(u64::MAX);
            if found.example.is_none() || apart > found.farthest {
                found.farthest = apart;
                found.example = Some(inputs);
            }
        }
        if !goes_on {
            break;
        }
    }
    Some(found)
}
