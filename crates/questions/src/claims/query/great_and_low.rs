//! A few great products and a few low ones at drawn places: whoever rounds between them loses what another keeps.

use super::ends::{ADDENDS, End, registers};
use super::question::Question;
use mmasmt_core::machines::algorithms::Inputs;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const GREAT: [End; 2] = [End::Great, End::MinusGreat];
const LOW: [End; 6] = [
    End::Least,
    End::Odd,
    End::Odd,
    End::Two,
    End::Three,
    End::MinusOdd,
];

/// The most great products, and the most low ones.
const MOST: usize = 4;

/// Of so many that are drawn, the same for each seed, those in the question's domain.
pub(super) fn great_and_low(
    question: &Question,
    seed: u64,
    tries: u32,
) -> impl Iterator<Item = Inputs> {
    let (signature, domain) = (question.signature(), question.domain());
    let count = signature.products as usize;
    let registers = registers(question);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let drawn = (0..tries).filter_map(move |_| {
        let mut inputs = Inputs::zero(&signature);
        // They stand together, as units sum groups of products.
        let size = (1usize << rng.random_range(0..=count.checked_ilog2()?)).max(2);
        let start = rng.random_range(0..count);
        for ends in [&GREAT[..], &LOW] {
            for _ in 0..rng.random_range(1..=MOST) {
                let k = (start + rng.random_range(0..size)) % count;
                let [a, b] = [k, count + k].map(|operand| registers[operand]);
                inputs.a[k] = a?[*ends.choose(&mut rng)? as usize];
                inputs.b[k] = b?[*ends.choose(&mut rng)? as usize];
            }
        }
        inputs.c = registers[2 * count]?[*ADDENDS.choose(&mut rng)? as usize];
        Some(domain.fixed_bits(&inputs))
    });
    drawn.filter(move |inputs| domain.contains(inputs))
}
