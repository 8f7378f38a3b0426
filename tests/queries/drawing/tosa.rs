//! The sets of inputs of TOSA's specification.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;
use mmasmt_questions::inputs::reals::value;
use mmasmt_questions::inputs::tosa::{exponential, greatest, inputs, pseudo_random};

/// The table of B in the specification.
#[test]
fn the_greatest_factor_is_that_of_the_table() {
    let two = |power: i32| 2.0f64.powi(power);
    let [e4m3, e5m2] = [Format::E4M3, Format::E5M2];
    let [f16, bf16, f32] = [Format::F16, Format::BF16, Format::F32];
    for (factors, result, expected) in [
        ([e4m3; 2], f16, 240.0),
        ([e4m3; 2], f32, 448.0),
        ([e5m2; 2], f16, 224.0),
        ([e5m2; 2], f32, 57344.0),
        ([e4m3, e5m2], f16, 224.0),
        ([e5m2, e4m3], f32, 448.0),
        ([e4m3; 2], e4m3, 20.0),
        ([e5m2; 2], e5m2, 224.0),
        ([f16; 2], f16, 255.875),
        ([f16; 2], f32, 65504.0),
        ([bf16; 2], bf16, two(64) - two(56)),
        ([bf16; 2], f32, two(64) - two(56)),
        ([f32; 2], f32, two(64) - two(40)),
    ] {
        assert_eq!(greatest(factors, &result), expected, "{factors:?} {result}");
    }
}

#[test]
fn the_sequence_is_stepped_or_jumped_through_alike() {
    for set in 0..18 {
        let multiplier = (8 * set as u32 + 1).wrapping_mul(0x705A_5E75);
        let mut state = multiplier.wrapping_add(1);
        for index in 0..200 {
            let sign = if state >= 1 << 31 { -1.0f32 } else { 1.0 };
            let expected = sign * (state & 0x7fff_ffff) as f32 / 0x7fff_ffff as f32;
            assert_eq!(pseudo_random(set, index), f64::from(expected));
            state = state.wrapping_mul(multiplier).wrapping_add(1);
        }
    }
}

#[test]
fn powers_of_e_are_those_of_the_system() {
    for step in -200..=200 {
        let x = f64::from(step) / 100.0;
        assert!((exponential(x) / x.exp() - 1.0).abs() < 1e-14, "{x}");
    }
}

/// Each set has its purpose: zeros among numbers up to 1; large numbers, whose sums do not overflow; 1, and small numbers; 16, and others;
/// one product of 1/4 among numbers with zeros; numbers up to the bound.
#[test]
fn sets_are_what_they_are_for() {
    for text in [
        "fda:K=16",
        "fda:K=16,in=e4m3",
        "exact:K=8,in=bf16",
        "ieee:K=4,in=f32,acc=f32",
    ] {
        let model = Model::parse(text).unwrap();
        let signature = model.signature();
        let count = f64::from(signature.products);
        let mut seen = 0;
        for number in 0..600u64 {
            let inputs = inputs(&signature, number);
            let of = |format: &Format, row: &[u64]| -> Vec<f64> {
                row.iter().map(|x| value(format, *x)).collect()
            };
            let (a, b) = (of(&signature.a, &inputs.a), of(&signature.b, &inputs.b));
            let products: Vec<f64> = a.iter().zip(&b).map(|(x, y)| x * y).collect();
            let line = inputs.to_line(&signature);
            let result = value(&signature.d, model.evaluate_big(&inputs).unwrap());
            match number % 6 {
                0 => {
                    let zeros = a.iter().chain(&b).filter(|x| **x == 0.0).count();
                    assert!(a.iter().chain(&b).all(|x| x.abs() <= 1.0), "{line}");
                    seen += zeros;
                }
                1 => {
                    let large = |x: &f64| x.abs() > 0.0 && result.is_finite();
                    assert!(a.iter().chain(&b).all(large), "{line}");
                }
                2 => {
                    let bound = 1.1 / count.sqrt();
                    assert_eq!((a[0], b[0]), (1.0, 1.0), "{line}");
                    assert!(a[1..].iter().all(|x| x.abs() <= bound), "{line}");
                }
                3 => assert_eq!(products[0].abs(), 256.0, "{line}"),
                4 => assert_eq!(products[products.len() / 2].abs(), 0.25, "{line}"),
                _ => assert!(result.is_finite(), "{line}"),
            }
        }
        // Set 0 has 100 vectors; half of its numbers are zeros.
        let share = seen as f64 / (200.0 * count);
        assert!((0.3..0.7).contains(&share), "{text}: {share}");
    }
}

#[test]
fn blocks_have_the_scales_of_mx() {
    let model = Model::parse("gdfs:in=mxfp4,K=64").unwrap();
    let signature = model.signature();
    for number in 0..300 {
        let inputs = inputs(&signature, number);
        for (block, scale) in inputs.a.chunks(32).zip(&inputs.a_scales) {
            let most = block.iter().map(|x| value(&Format::E2M1, *x).abs());
            let most = most.fold(0.0, f64::max);
            // 4 to 6 in magnitude, but for a block of zeros.
            assert!(
                most >= 4.0 || most == 0.0 && *scale == 0,
                "{number}: {most}"
            );
        }
    }
}
