//! Inputs that a verdict is attacked with: all of a domain where they are few, else many at random.

use super::domain::{Domain, places};
use super::equal;
use crate::common::inputs::draw;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_questions::inputs::Sampler;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Inputs of a domain.
pub struct Attack {
    /// Whether these are all there are.
    pub complete: bool,
    pub inputs: Vec<Inputs>,
}

/// All inputs of the domain if they are at most `most`, else `count` of many kinds, or fewer where
/// it is hard to find any.
pub fn attack(
    signature: &Signature,
    domain: &Domain,
    seed: u64,
    [most, count]: [usize; 2],
) -> Attack {
    if let Some(inputs) = all(signature, domain, most) {
        return Attack {
            complete: true,
            inputs,
        };
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut sampler = Sampler::new(*signature, seed);
    let drawn = (0..count).filter_map(|index| {
        let drawn = match index % 4 {
            0 => sampler.sample(),
            1 => Inputs::zero(signature).map(signature, |format, _| {
                rng.random::<u64>() >> (64 - format.width())
            }),
            _ => draw(&mut rng, signature),
        };
        domain.placed(&mut rng, signature, &drawn)
    });
    Attack {
        complete: false,
        inputs: drawn.collect(),
    }
}

/// Every input of the domain, if they are at most `most`.
fn all(signature: &Signature, domain: &Domain, most: usize) -> Option<Vec<Inputs>> {
    let places = places(signature).into_iter();
    let rows =
        places.map(
            |(place, format)| match equal::follows(&domain.equalities, signature, place) {
                true => Some(vec![0]),
                false => domain.all_of(place, &format),
            },
        );
    let rows: Vec<Vec<u64>> = rows.collect::<Option<_>>()?;
    let count = rows
        .iter()
        .try_fold(1usize, |count, row| count.checked_mul(row.len()))?;
    if count > most {
        return None;
    }
    let one = |mut number: usize| -> Inputs {
        let mut values = rows.iter().map(|row| {
            let value = row[number % row.len()];
            number /= row.len();
            value
        });
        let registers: Registers<u64> = Inputs::zero(signature);
        registers.map(signature, |_, _| values.next().unwrap())
    };
    let put = |inputs: Inputs| match domain.equalities.is_empty() {
        true => Some(inputs),
        false => {
            let inputs = equal::put(&domain.equalities, signature, &inputs);
            domain.contains(signature, &inputs).then_some(inputs)
        }
    };
    Some((0..count).map(one).filter_map(put).collect())
}
