//! Exact sums, rounded once, as operations of `f64`: against the simulator, which adds in big integers.

use crate::batch::check;
use crate::common::setting::by_day;
use crate::matrices::drawn;
use mmasmt_columns::tape::Features;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::inputs::Kind;
use mmasmt_questions::matrices::{Matrix, MatrixProduct, gemm};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Few and many products, of formats with and without infinities, with every width of a result.
const UNITS: [&str; 16] = [
    "exact:K=1",
    "exact:K=4,nan=any",
    "exact:K=2,in=bf16,nan=ones",
    "exact:K=4,in=tf32",
    "exact:K=3,in=f32",
    "exact:K=8,a=e4m3,b=e5m2",
    "exact:K=9,in=f16",
    "exact:K=16,in=f32",
    "exact:K=33,in=bf16",
    "exact:K=40,in=e4m3fnuz",
    "exact:K=5,out=f16",
    "exact:K=12,in=bf16,out=bf16",
    "exact:K=12,in=f32,out=bf16",
    "exact:K=7,in=e2m1,out=e5m2,c=f32",
    "exact:K=10,in=e3m2,out=f16,c=f16",
    "cdna1/v_mfma_f32_32x32x4bf16",
];

#[test]
fn batches_are_exact_on_all_processor_features() {
    let features = Features::available();
    for (seed, unit) in UNITS.iter().enumerate() {
        let model = Model::parse(unit).unwrap();
        let programs = check(&model, 900, seed as u64, &features);
        assert_eq!(programs, features.len(), "{unit}");
    }
}

/// The register in `f32` of `±2^exponent`.
fn power(exponent: i32, is_negative: bool) -> u64 {
    let bits = f32::to_bits(2f32.powi(exponent));
    u64::from(bits) | u64::from(is_negative) << 31
}

/// A number `c`, half of its last place with either sign, something far below that decides, and two products far above
/// that leave nothing.
fn halfway(rng: &mut ChaCha8Rng, products: usize) -> Inputs {
    let exponent = rng.random_range(-60..60);
    let c = power(exponent, rng.random()) | rng.random_range(0..1u64 << 23);
    let half = exponent - 24;
    let mut terms = vec![[half, 0]];
    if rng.random() {
        terms.push([rng.random_range(-120..-80), rng.random_range(-100..-20)]);
    }
    let mut pairs: Vec<[u64; 2]> = terms
        .iter()
        .map(|[x, y]| [power(*x, rng.random()), power(*y, false)])
        .collect();
    if rng.random() {
        let [x, y] = [rng.random_range(60..120), rng.random_range(0..90)];
        pairs.extend([false, true].map(|negative| [power(x, negative), power(y, false)]));
    }
    let first = rng.random_range(0..products);
    pairs.resize(products, [0, 0]);
    pairs.rotate_right(first);
    let [a, b] = [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect());
    Inputs {
        c,
        ..Inputs::new(a, b, 0)
    }
}

#[test]
fn halfway_cases_are_decided_by_what_is_far_below() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for products in [4, 13] {
        let model = Model::parse(&format!("exact:K={products},in=f32")).unwrap();
        let inputs: Vec<_> = (0..5000).map(|_| halfway(&mut rng, products)).collect();
        for features in Features::available() {
            let mut batch = model.batch();
            assert!(batch.prepare_for(features, features.host_operations()));
            let found = batch.results(&inputs);
            let mut simulator = model.simulator();
            for (inputs, found) in inputs.iter().zip(found) {
                let line = inputs.to_line(&model.signature());
                assert_eq!(found, simulator.run(inputs), "{features:?}: {line}");
            }
        }
    }
}

/// Integers below 2^11 whose sums are exact and often zero, and numbers of all exponents.
#[test]
fn products_of_matrices_are_exact_along_all_of_k() {
    let [m, k, n] = [9, 1300, 270];
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut small = |shape: [usize; 2]| {
        let mut integer = || {
            let bits = [0, 0x3c00, 0xbc00, 0x4000, 0xc200][rng.random_range(0..5)];
            bits as u64
        };
        let registers: Vec<u64> = (0..shape[0] * shape[1]).map(|_| integer()).collect();
        Matrix::new(Format::F16, shape, registers).unwrap()
    };
    let mut pairs = vec![("f16", [small([m, k]), small([k, n])])];
    for (format, name) in [(Format::F16, "f16"), (Format::BF16, "bf16")] {
        for kind in [Kind::Finite, Kind::Random, Kind::Edge] {
            let [a, b] =
                [([m, k], 1), ([k, n], 2)].map(|(shape, seed)| drawn(format, shape, kind, seed));
            pairs.push((name, [a, b]));
        }
    }
    for (name, [a, b]) in by_day(&pairs, 4) {
        let model = Model::parse(&format!("exact:in={name},K={k}")).unwrap();
        let d = gemm(&model, &MatrixProduct::new(a, b), &Limits::default()).unwrap();
        let mut simulator = model.simulator();
        for number in 0..40 {
            let at = [number * 5 % m, number * 67 % n];
            let row: Vec<u64> = (0..k).map(|place| a.get(at[0], place)).collect();
            let column: Vec<u64> = (0..k).map(|place| b.get(place, at[1])).collect();
            let expected = simulator.run(&Inputs::new(row, column, 0));
            assert_eq!(d.get(at[0], at[1]), expected, "{name} at {at:?}");
        }
    }
}
