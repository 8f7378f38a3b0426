//! V_DOT2_BF16_BF16 as a product: a million pairs on gfx1200, reported in issue 11217 of triton-lang/triton, all cut, and
//! 52.58 % and 52.54 % of them as nearest.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PAIRS: u32 = 1 << 17;

#[test]
fn one_product_is_cut_as_on_silicon() {
    let model = Model::parse("rdna4/v_dot2_bf16_bf16").unwrap();
    let mut simulator = model.simulator();
    let mut rng = ChaCha8Rng::seed_from_u64(11217);
    let mut nearest = 0;
    for _ in 0..PAIRS {
        let [a, b] = [(); 2].map(|()| normal(&mut rng));
        let inputs = Inputs {
            a: vec![a.into(), 0],
            b: vec![b.into(), 0],
            ..Inputs::zero(&model.signature())
        };
        // The product of two numbers of bf16 is a number of f32.
        let product = (f32_of(a) * f32_of(b)).to_bits();
        let found = simulator.run(&inputs);
        assert_eq!(found, u64::from(product >> 16), "{a:04x} {b:04x}");
        let more = u64::from(product >> 16 & 1) + 0x7fff + u64::from(product);
        nearest += u32::from(more >> 16 == found);
    }
    let share = f64::from(nearest) / f64::from(PAIRS);
    assert!((share - 0.525_6).abs() < 0.005, "{share}");
}

/// A number of bf16 between 2^-8 and 2^8.
fn normal(rng: &mut ChaCha8Rng) -> u16 {
    let fields = rng.random_range(119..135) << 7 | rng.random_range(0..128);
    u16::from(rng.random::<bool>()) << 15 | fields
}

fn f32_of(bf16: u16) -> f32 {
    f32::from_bits(u32::from(bf16) << 16)
}
