//! Every algorithm against its reference over integers, on drawn models and inputs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

mod common;

use common::drawn::{Draw, FAMILIES};
use common::inputs;
use mmasmt::model::Model;
use mmasmt::vectors::Inputs;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// `models` drawn models, `each` inputs for each of them.
fn compare(draw: Draw, seed: u64, models: usize, each: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..models {
        let drawn = draw(&mut rng);
        let model = drawn.model();
        let signature = model.signature();
        let mut simulator = model.simulator();
        for _ in 0..each {
            let inputs = inputs::draw(&mut rng, &signature);
            let (found, expected) = (simulator.run(&inputs), drawn.evaluate(&inputs));
            let line = inputs.to_line(&signature);
            assert_eq!(
                found, expected,
                "{model} on {line}: {found:x}, expected {expected:x}"
            );
        }
    }
}

#[test]
fn drawn_models_of_every_algorithm_agree_with_their_references() {
    for (name, draw) in FAMILIES {
        println!("{name}");
        compare(draw, 1, 300, 25);
    }
}

#[test]
#[ignore = "LATER"]
fn many_drawn_models_of_every_algorithm_agree_with_their_references() {
    for (name, draw) in FAMILIES {
        println!("{name}");
        compare(draw, 2, 5000, 50);
    }
}

// 2^1 and 2^2 scale the first two and the last two factors, whatever the links are.
#[test]
fn blocks_of_scales_are_counted_through_a_chain() {
    let one = 0x3c00;
    let mut inputs = Inputs::new(vec![one; 4], vec![one; 4], 0);
    (inputs.a_scales, inputs.b_scales) = (vec![128, 129], vec![127, 127]);
    for links in ["K=1,chain=4", "K=2,chain=2", "K=4"] {
        let model = Model::parse(&format!("fda:{links},scale=ue8m0,block=2")).unwrap();
        let inputs = inputs.clone().padded(&model.signature()).unwrap();
        assert_eq!(model.simulator().run(&inputs), 0x4140_0000, "{links}");
    }
    let error = Model::parse("fda:K=3,chain=2,scale=ue8m0,block=2").unwrap_err();
    let message = "`block=2`: expected in a chain, a multiple or a divisor of K=3";
    assert_eq!(error.to_string(), message);
}
