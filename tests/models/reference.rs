//! The simulator against an exact reference, on drawn models and inputs, and on published results.

use crate::common::inputs;
use crate::common::reference::evaluate;
use crate::common::setting::part_of;
use crate::common::unit::{Unit, units};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// `count` drawn models for each pair of formats, `each` inputs for each of them.
fn compare(seed: u64, count: usize, each: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for unit in units(seed, count) {
        compare_unit(&mut rng, &unit, each);
    }
}

fn compare_unit(rng: &mut ChaCha8Rng, unit: &Unit, each: usize) {
    let model = unit.model();
    let signature = model.signature();
    let mut simulator = model.simulator();
    for _ in 0..each {
        let inputs = inputs::draw(rng, &signature);
        let (found, expected) = (
            simulator.evaluate(&inputs).unwrap(),
            evaluate(unit, &inputs),
        );
        let line = inputs.to_line(&signature);
        assert_eq!(
            found, expected,
            "{model} on {line}: {found:x}, expected {expected:x}"
        );
    }
}

#[test]
fn drawn_models_agree_with_the_exact_reference() {
    compare(1, 120, 50);
}

#[test]
#[ignore = "half a minute in release: two million inputs"]
fn many_drawn_models_agree_with_the_exact_reference() {
    compare(2, part_of(5000), 50);
}

/// Asserts that `spec` gives `d` for these inputs, factors in pairs.
fn gives(spec: &str, c: u64, factors: &[(u64, u64)], d: u64) {
    let model = Model::parse(spec).unwrap();
    let (a, b) = factors.iter().copied().unzip();
    let inputs = Inputs::new(a, b, c).padded(&model.signature()).unwrap();
    let found = model.simulator().evaluate(&inputs).unwrap();
    assert_eq!(found, d, "{spec}: {found:x}, expected {d:x}");
}

// The witnesses of FACTS.md.
#[test]
fn published_witnesses_give_the_published_results() {
    let one_and_half = (0x3e00, 0x3e00);
    let factors = [one_and_half, (0x1000, 0x0c00)];
    gives("fda:F=23", 0x3400_0000, &factors, 0x4010_0001);
    gives(
        "fda:F=23,products=normalised",
        0x3400_0000,
        &factors,
        0x4010_0000,
    );

    let factors = [(0x0c00, 0x0800), (0x0001, 0x0002)];
    gives("fda:out=f16", 0, &factors, 0x0001);
}

#[test]
fn f16_results_overflow_from_65520_on() {
    // 65504 + 16, and 65504 + 15.99.
    let one = 0x3c00;
    gives("fda:out=f16", 0x7bff, &[(one, 0x4c00)], 0x7c00);
    gives("fda:out=f16", 0x7bff, &[(one, 0x4bff)], 0x7bff);
}

// 1.5 and 0.75 times the least subnormal number, in a sum of fewer bits than an f32 keeps.
#[test]
fn halves_of_the_least_subnormal_number_are_told_from_less() {
    let spec = "fda:K=1,F=1,in=bf16,round=rne";
    gives(spec, 0, &[(0x1a40, 0x1a80)], 2);
    gives(spec, 0, &[(0x1a40, 0x1a00)], 1);
}

// 3 * 2^-149 is subnormal in f32 as well: its exponent is -126, and F=1 leaves nothing of it.
#[test]
fn an_f32_accumulator_is_not_normalised_by_widening_it_to_f32() {
    gives("fda:K=1,F=1,in=bf16,csub=own", 3, &[], 0);
    gives("fda:K=1,F=1,in=bf16,csub=f32", 3, &[], 0);
    gives("fda:K=1,F=1,in=bf16,c=f16,csub=own", 3, &[], 0);
    gives("fda:K=1,F=1,in=bf16,c=f16,csub=f32", 3, &[], 0x3440_0000);
}

// 2 + 2^-10 + 2^-23: beyond the half between 2 and 2 + 2^-9 by what f32 does not hold. And -2^-30,
// which f32 holds and f16 does not: there is no -0.
#[test]
fn f16_results_by_way_of_f32_lose_what_decides_a_tie() {
    let one = 0x3c00;
    let factors = [(one, one), (one, one), (one, 0x1400), (0x1000, 0x0c00)];
    gives("fda:F=23,out=f16", 0, &factors, 0x4001);
    gives("fda:F=23,out=f16,via=f32", 0, &factors, 0x4000);
    for via in ["none", "f32"] {
        let spec = format!("fda:F=23,out=f16,negzero=minus,via={via}");
        gives(&spec, 0, &[(0x8200, 0x0002)], 0);
        gives(&spec, 0x8000, &[(0x8000, one); 4], 0x8000);
        gives(&spec, 0xfc00, &[(one, one)], 0xfc00);
    }
}
