//! Operands whose sum is aimed at.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Dyadic;
use mmasmt_questions::inputs::targets::{draw, product, value};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Sums cancel down to their last places, and most of them are numbers of few bits.
#[test]
fn sums_are_what_is_aimed_at() {
    for text in ["fda:K=4,in=bf16", "fda:K=8,in=e4m3", "fda:K=1,in=f16"] {
        let signature = Model::parse(text).unwrap().signature();
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut simple = 0;
        for _ in 0..400 {
            let inputs = draw(&signature, &[24], true, &mut rng);
            assert!(inputs.is_finite(&signature), "{text}");
            let products = (0..inputs.a.len()).map(|k| product(&signature, &inputs, k));
            let sum = products.fold(value(&signature.c, inputs.c), |x, y| x.plus(&y));
            let ones = |sum: &Dyadic| sum.mantissa().magnitude().count_ones();
            simple += usize::from(ones(&sum) < 4);
        }
        assert!(simple > 100, "{text}: {simple}");
    }
}
