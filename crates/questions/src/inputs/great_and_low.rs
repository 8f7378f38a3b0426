//! Inputs with a few great and a few low products (from the ends of a domain) at random places. A
//! unit that rounds after summing some of these products loses bits that another unit keeps.

use super::ends::{ADDENDS, End, Ends};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
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

/// The greatest number of great products in one input, and the greatest number of low products.
const MOST: usize = 4;

/// At most `tries` inputs of this kind; the same seed gives the same inputs.
pub(super) fn great_and_low(
    signature: Signature,
    ends: Ends,
    seed: u64,
    tries: u32,
) -> impl Iterator<Item = Inputs> {
    let count = signature.products as usize;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..tries).filter_map(move |_| {
        let mut inputs = Inputs::zero(&signature);
        // The products lie near each other, since units sum groups of neighbouring products.
        let size = (1usize << rng.random_range(0..=count.checked_ilog2()?)).max(2);
        let start = rng.random_range(0..count);
        for kinds in [&GREAT[..], &LOW] {
            for _ in 0..rng.random_range(1..=MOST) {
                let k = (start + rng.random_range(0..size)) % count;
                let product = [*kinds.choose(&mut rng)?, *kinds.choose(&mut rng)?];
                ends.set_product(&mut inputs, k, product)?;
            }
        }
        inputs.c = ends.addend(*ADDENDS.choose(&mut rng)?)?;
        Some(inputs)
    })
}
