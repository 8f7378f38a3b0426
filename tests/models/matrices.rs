//! Products of matrices against the simulator, element by element, and arrays that NumPy would write.

use crate::batch::distinct_rows;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::matrices::{
    GemmError, Matrix, MatrixProduct, ProductStack, Stack, difference, distance_from_exact, gemm,
};
use mmasmt_questions::vectors::measure::{ExactSum, Measure};
use num_bigint::BigInt;
use num_rational::Ratio;
use rayon::prelude::*;

/// Random registers of every kind, infinities and NaNs among them, or finite ones.
pub(crate) fn drawn(format: Format, shape: [usize; 2], kind: Kind, seed: u64) -> Matrix {
    let name = format.name();
    let model = Model::parse(&format!("fda:K=1,in={name}")).unwrap();
    let mut draw = Draw::new(model.signature(), kind, seed);
    let registers = (0..shape[0] * shape[1]).map(|_| draw.draw().a[0]);
    Matrix::new(format, shape, registers.collect::<Vec<_>>()).unwrap()
}

/// The element as a chain of the simulator.
fn element(model: &Model, [a, b]: [&Matrix; 2], c: Option<&Matrix>, at: [usize; 2]) -> u64 {
    let signature = model.signature();
    let (products, depth) = (signature.products as usize, a.shape()[1]);
    let mut simulator = model.simulator();
    let mut d = c.map_or(0, |c| c.get(at[0], at[1]));
    for start in (0..depth.max(1)).step_by(products) {
        let mut inputs = Inputs::zero(&signature);
        inputs.c = d;
        for k in start..depth.min(start + products) {
            inputs.a[k - start] = a.get(at[0], k);
            inputs.b[k - start] = b.get(k, at[1]);
        }
        d = simulator.evaluate(&inputs).unwrap();
    }
    d
}

const UNITS: [&str; 24] = [
    "volta/HMMA.884.F32.F32",
    "volta/HMMA.884.F16.F16",
    "turing/HMMA.1688.F32",
    "ampere/HMMA.16816.F32",
    "ampere/HMMA.1688.F32.TF32",
    "ampere/DMMA.884",
    "ada/QMMA.16832.F32.E4M3.E4M3",
    "hopper/HMMA.16816.F32",
    "hopper/wgmma.m64nNk32.f32.e4m3.e4m3",
    "hopper/wgmma.m64nNk32.f32.e5m2.e4m3",
    "hopper/mma.m16n8k16.f32.bf16.bf16.f32",
    "blackwell/tcgen05.mma.mMnNk32.f32.e4m3.e4m3",
    "cdna1/v_mfma_f32_32x32x8f16",
    "cdna2/v_mfma_f32_32x32x8f16",
    "cdna2/v_mfma_f64_16x16x4f64",
    "cdna3/v_mfma_f32_32x32x8_f16",
    "cdna3/v_mfma_f32_32x32x8_bf16",
    "cdna3/v_mfma_f32_32x32x4_xf32",
    "cdna3/v_mfma_f32_16x16x32_fp8_fp8",
    "cdna3/v_mfma_f32_16x16x4_f32",
    "fda:K=3,F=12",
    "ieee:K=4,order=fma",
    "fda:K=8,F=9,in=i2f6",
    "fda:K=4,F=5,in=e1m2",
];

/// Formats that `exact` sums in f32 draw for; others have no specials of their own.
fn matrices(model: &Model, [m, k, n]: [usize; 3], kind: Kind) -> [Matrix; 3] {
    let signature = model.signature();
    [
        drawn(signature.a, [m, k], kind, 1),
        drawn(signature.b, [k, n], kind, 2),
        drawn(signature.c, [m, n], kind, 3),
    ]
}

#[test]
fn products_are_chains_of_the_simulator() {
    for (index, name) in UNITS.iter().enumerate() {
        let Ok(model) = Model::parse(name) else {
            panic!("{name}")
        };
        // No multiples of anything, and one product more than some instructions take.
        let shape = [[7, 37, 5], [1, 33, 90], [29, 4, 23]][index % 3];
        for kind in [Kind::Finite, Kind::Random] {
            let [a, b, c] = matrices(&model, shape, kind);
            for c in [None, Some(&c)] {
                let d = gemm(
                    &model,
                    &MatrixProduct::new(&a, &b).plus(c),
                    &Limits::default(),
                )
                .unwrap();
                assert_eq!(d.shape(), [shape[0], shape[2]]);
                for row in 0..shape[0] {
                    for column in 0..shape[2] {
                        let at = [row, column];
                        let expected = element(&model, [&a, &b], c, at);
                        assert_eq!(d.get(row, column), expected, "{name} at {at:?}");
                    }
                }
            }
        }
    }
}

/// Large enough for programs that do the work on A and on B once: blocks of lanes of several rows, of one, and of more
/// columns than lanes; infinities that come up in the middle of a chain.
#[test]
fn large_products_are_chains_of_the_simulator() {
    for (index, name) in UNITS.iter().enumerate() {
        let model = Model::parse(name).unwrap();
        let kinds = [Kind::Finite, Kind::Random, Kind::Close];
        for (number, kind) in kinds.into_iter().enumerate() {
            // Each shape for each unit.
            let shapes = [[67, 83, 101], [13, 75, 530], [530, 1100, 1]];
            let [m, k, n] = shapes[(index + number) % 3];
            let [a, b, c] = matrices(&model, [m, k, n], kind);
            let product = MatrixProduct::new(&a, &b).plus(Some(&c));
            let d = gemm(&model, &product, &Limits::default()).unwrap();
            for number in 0..97 {
                let at = [number * 31 % m, number * 67 % n];
                let expected = element(&model, [&a, &b], Some(&c), at);
                assert_eq!(d.get(at[0], at[1]), expected, "{name} {kind:?} at {at:?}");
            }
        }
    }
}

/// Of every row and variant of the tables, in products so large that the work on A and on B is done once.
#[test]
#[ignore = "minutes"]
fn products_of_every_row_are_chains_of_the_simulator() {
    let models = distinct_rows().into_iter().collect::<Vec<_>>();
    let compared: usize = models
        .par_iter()
        .enumerate()
        .map(|(index, name)| {
            let model = Model::parse(name).unwrap();
            let signature = model.signature();
            if signature.scales.is_some() || signature.is_integer() {
                return 0;
            }
            let chains = signature.c == signature.d;
            let k = signature.products as usize * if chains { 2 } else { 1 } + usize::from(chains);
            // No fewer products than those of which programs are made.
            let n = 523;
            let m = 500_000 / (k * n) + 2;
            let kind = [Kind::Finite, Kind::Random, Kind::Close, Kind::Edge][index % 4];
            let [a, b, c] = matrices(&model, [m, k, n], kind);
            let product = MatrixProduct::new(&a, &b).plus(Some(&c));
            let d = gemm(&model, &product, &Limits::default()).unwrap();
            for number in 0..211 {
                let at = [number * 31 % m, number * 67 % n];
                let expected = element(&model, [&a, &b], Some(&c), at);
                assert_eq!(d.get(at[0], at[1]), expected, "{name} {kind:?} at {at:?}");
            }
            211
        })
        .sum();
    println!("{compared} elements of {} rows", compared / 211);
    assert!(compared / 211 > 300);
}

/// An infinity that a chain comes to from finite numbers.
#[test]
fn overflow_in_the_middle_of_a_chain_is_seen() {
    let model = Model::parse("fda:K=4,F=25,in=bf16").unwrap();
    let format = Format::BF16;
    let number = |exponent, negative| format.register(exponent, 0, negative);
    let [m, k, n] = [32, 1024, 32];
    let a = vec![number(120, false); m * k];
    let b = (0..k * n).map(|index| match index % n {
        0 => number(7, index / n % 2 == 1),
        1 => number(7, index / n > 500),
        column => number(-100, column % 2 == 0),
    });
    let a = Matrix::new(format, [m, k], a).unwrap();
    let b = Matrix::new(format, [k, n], b.collect::<Vec<_>>()).unwrap();
    let d = gemm(&model, &MatrixProduct::new(&a, &b), &Limits::default()).unwrap();
    for row in [0, 17, 31] {
        for column in 0..n {
            let at = [row, column];
            assert_eq!(d.get(row, column), element(&model, [&a, &b], None, at));
        }
    }
    // Once there, it stays, whatever is subtracted.
    assert_eq!(d.get(5, 1), 0x7f80_0000);
}

/// Scales of blocks along k, K no multiple of the instruction's.
#[test]
fn scales_belong_to_blocks_along_k() {
    for (name, [m, k, n]) in [
        (
            "blackwell/tcgen05.mma.block_scale.mMnNk32.block32.f32.e4m3.e4m3.ue8m0",
            [9usize, 100, 7usize],
        ),
        (
            "blackwell/tcgen05.mma.block_scale.mMnNk64.block16.f32.e2m1.e2m1.ue4m3",
            [40, 160, 96],
        ),
    ] {
        let model = Model::parse(name).unwrap();
        let signature = model.signature();
        let scales = signature.scales.unwrap();
        let block = scales.block as usize;
        let blocks = usize::div_ceil(k, block);
        for kind in [Kind::Finite, Kind::Random] {
            let a = drawn(signature.a, [m, k], kind, 1);
            let b = drawn(signature.b, [k, n], kind, 2);
            let scale = |index: usize| (scales.format.one() + index as u64 % 5).wrapping_sub(2);
            let [sa, sb] = [[m, blocks], [blocks, n]].map(|shape| {
                let registers = (0..shape[0] * shape[1]).map(scale);
                Matrix::new(scales.format, shape, registers).unwrap()
            });
            let product = MatrixProduct::new(&a, &b).scaled(Some([&sa, &sb]));
            let d = gemm(&model, &product, &Limits::default()).unwrap();
            let mut simulator = model.simulator();
            let products = signature.products as usize;
            for number in 0..60 {
                let [row, column] = [number * 7 % m, number * 11 % n];
                let mut inputs = Inputs::zero(&signature);
                for start in (0..k).step_by(products) {
                    let c = inputs.c;
                    inputs = Inputs::zero(&signature);
                    inputs.c = c;
                    for at in start..k.min(start + products) {
                        inputs.a[at - start] = a.get(row, at);
                        inputs.b[at - start] = b.get(at, column);
                        let (place, at) = ((at - start) / block, at / block);
                        inputs.a_scales[place] = sa.get(row, at);
                        inputs.b_scales[place] = sb.get(at, column);
                    }
                    inputs.c = simulator.evaluate(&inputs).unwrap();
                }
                assert_eq!(d.get(row, column), inputs.c, "{name}");
            }
            let without = gemm(&model, &MatrixProduct::new(&a, &b), &Limits::default());
            assert!(matches!(without, Err(GemmError::NoScales { .. })));
        }
    }
}

/// Large enough for programs, and for more tiles than threads.
#[test]
fn products_do_not_depend_on_threads() {
    let model = Model::parse("hopper/HMMA.16816.F32").unwrap();
    let [a, b, _] = matrices(&model, [61, 50, 67], Kind::Finite);
    let of = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| gemm(&model, &MatrixProduct::new(&a, &b), &Limits::default()).unwrap())
    };
    let one = of(1);
    assert_eq!(one, of(3));
    for at in [[0, 0], [60, 66], [13, 31]] {
        assert_eq!(one.get(at[0], at[1]), element(&model, [&a, &b], None, at));
    }
}

#[test]
fn compositions_take_all_of_k() {
    for name in [
        "promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3, every=1):K=96",
        "markidis(volta/HMMA.884.F32.F32):K=12",
    ] {
        let model = Model::parse(name).unwrap();
        let k = model.signature().products as usize;
        let [a, b, _] = matrices(&model, [3, k, 4], Kind::Close);
        let d = gemm(&model, &MatrixProduct::new(&a, &b), &Limits::default()).unwrap();
        assert_eq!(
            d.get(2, 3),
            element(&model, [&a, &b], None, [2, 3]),
            "{name}"
        );
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let model = Model::parse("fda:K=4,out=f16").unwrap();
    let [a, b, c] = matrices(&model, [2, 4, 3], Kind::Finite);
    let ask = |a, b, c| {
        gemm(
            &model,
            &MatrixProduct::new(a, b).plus(c),
            &Limits::default(),
        )
    };
    assert!(ask(&a, &b, Some(&c)).is_ok());
    assert!(matches!(ask(&a, &a, None), Err(GemmError::Shape { .. })));
    let other = drawn(Format::BF16, [4, 3], Kind::Finite, 1);
    assert!(matches!(
        ask(&a, &other, None),
        Err(GemmError::Format { .. })
    ));
    let [a, b, _] = matrices(&model, [2, 5, 3], Kind::Finite);
    let model = Model::parse("fda:K=4,c=f32,out=f16").unwrap();
    let chain = gemm(&model, &MatrixProduct::new(&a, &b), &Limits::default());
    assert!(
        matches!(chain, Err(GemmError::Chain { depth: 5, .. })),
        "{chain:?}"
    );
}

#[test]
fn the_distance_from_the_exact_product_is_that_of_each_element() {
    let model = Model::parse("fda:K=4,F=12").unwrap();
    let [a, b, _] = matrices(&model, [5, 9, 6], Kind::Close);
    let d = gemm(&model, &MatrixProduct::new(&a, &b), &Limits::default()).unwrap();
    let [stack_a, stack_b, d_stack] = [&a, &b, &d].map(|matrix| Stack::from(matrix.clone()));
    let products = ProductStack::new(&stack_a, &stack_b, None, None).unwrap();
    let found = distance_from_exact(&model, &products, &d_stack);
    let exact = Model::parse("exact:K=9").unwrap();
    let whole = exact.signature();
    let (mut largest, mut sum) = (0.0f64, 0.0);
    let (mut signed, mut low_and_high) = (0.0, [0; 2]);
    for row in 0..5 {
        for column in 0..6 {
            let inputs = Inputs::new(
                (0..9).map(|k| a.get(row, k)).collect(),
                (0..9).map(|k| b.get(k, column)).collect(),
                0,
            );
            let exact = ExactSum::of(&exact, &inputs).unwrap();
            let error = Measure::Ulp.error(&whole.d, d.get(row, column), &exact);
            let error = error.unwrap().approximate();
            largest = largest.max(error);
            sum += error;
            let own = rational(&whole.d, d.get(row, column));
            let of = |a: u64, b: u64| rational(&whole.a, a) * rational(&whole.b, b);
            let pairs = inputs.a.iter().zip(&inputs.b);
            let exact: Ratio<BigInt> = pairs.map(|(a, b)| of(*a, *b)).sum();
            signed += if own < exact { -error } else { error };
            low_and_high[0] += usize::from(own < exact);
            low_and_high[1] += usize::from(own > exact);
        }
    }
    assert!((found.signed_mean - signed / 30.0).abs() <= 1e-9 * found.mean);
    assert_eq!(found.low_and_high, low_and_high);
    assert_eq!(found.low_and_high.iter().sum::<usize>(), found.unlike);
    assert_eq!(found.largest.unwrap().0.approximate(), largest);
    assert!((found.mean - sum / 30.0).abs() <= 1e-9 * found.mean);
    assert_eq!(difference(&d_stack, &d_stack).unwrap().unlike, 0);
}

/// The number in a register, by its fields.
fn rational(format: &Format, register: u64) -> Ratio<BigInt> {
    let (fraction_bits, fields) = (format.fraction_bits, format.exponent_bits);
    let fraction = register & ((1 << fraction_bits) - 1);
    let field = register >> fraction_bits & ((1 << fields) - 1);
    let hidden = u64::from(field > 0) << fraction_bits;
    let exponent = field.max(1) as i32 - ((1 << (fields - 1)) - 1) - fraction_bits as i32;
    let significand = BigInt::from(fraction | hidden);
    let power = BigInt::from(1) << exponent.unsigned_abs();
    let magnitude = match exponent {
        0.. => Ratio::from(significand * power),
        _ => Ratio::new(significand, power),
    };
    match register >> (fraction_bits + fields) {
        0 => magnitude,
        _ => -magnitude,
    }
}

/// The other way round, what was too low is too high; an infinity is beyond every number.
#[test]
fn signed_differences_of_two_products_change_sign_with_their_order() {
    let format = Format::F32;
    let of = |registers: [u64; 6]| {
        let matrix = Matrix::new(format, [2, 3], registers).unwrap();
        Stack::from(matrix)
    };
    let (one, next, infinity) = (0x3f80_0000, 0x3f80_0001, 0x7f80_0000);
    let minus = 1 << 31;
    let left = of([one, next, one | minus, infinity, one, infinity | minus]);
    let right = of([
        next,
        one,
        next | minus,
        one,
        infinity | minus,
        infinity | minus,
    ]);
    let pairs = [difference(&left, &right), difference(&right, &left)];
    let [found, back] = pairs.map(Option::unwrap);
    assert_eq!(found.low_and_high, [1, 4]);
    assert_eq!(back.low_and_high, [4, 1]);
    assert_eq!(found.signed_mean, -back.signed_mean);
}

/// Factors far from the middle of a wide range of exponents, alone and among others: programs for
/// ordinary factors leave rows and columns with such factors to others.
#[test]
fn factors_far_from_the_middle_are_seen() {
    for (name, format) in [
        ("fda:K=8,F=25,in=bf16", Format::BF16),
        ("fda:K=4,F=25,in=tf32", Format::TF32),
        ("fda:K=8,F=25,in=bf16,zero=raw", Format::BF16),
        ("fdrda:K=8,in=bf16", Format::BF16),
    ] {
        let model = Model::parse(name).unwrap();
        let [m, k, n] = [96, 24, 300];
        let far = |row: usize, place: usize| match row % 8 {
            0 if place == 3 => -119,
            1 if place == 5 => 127,
            2 => -62,
            3 => 60,
            4 if place.is_multiple_of(2) => 53,
            _ => (row * 7 + place * 5) as i32 % 9 - 4,
        };
        let number = |row: usize, place: usize, stretch: i32| {
            let exponent = (far(row, place) / stretch).max(format.min_exponent());
            if (row + place).is_multiple_of(11) {
                0
            } else {
                let fraction = (row * 13 + place) as u64 % (1 << format.fraction_bits);
                format.register(exponent, fraction, (row ^ place) & 1 == 1)
            }
        };
        for stretch in [1, 20] {
            let a = (0..m * k).map(|index| number(index / k, index % k, 1));
            let b = (0..k * n).map(|index| number(index % n, index / n, stretch));
            let a = Matrix::new(format, [m, k], a.collect::<Vec<_>>()).unwrap();
            let b = Matrix::new(format, [k, n], b.collect::<Vec<_>>()).unwrap();
            let d = gemm(&model, &MatrixProduct::new(&a, &b), &Limits::default()).unwrap();
            for index in 0..m * n / 7 {
                let at = [index * 7 / n, index * 7 % n];
                let expected = element(&model, [&a, &b], None, at);
                assert_eq!(d.get(at[0], at[1]), expected, "{name} at {at:?}");
            }
        }
    }
}

/// Infinities and NaNs in few rows of A, in few columns of B, and in both.
#[test]
fn infinities_concern_their_rows_and_columns() {
    for (name, format) in [
        ("fda:K=8,F=25", Format::F16),
        ("fda:K=8,F=25,in=bf16", Format::BF16),
        ("fdrda:K=8", Format::F16),
    ] {
        let model = Model::parse(name).unwrap();
        let [m, k, n] = [70, 40, 300];
        let infinity = format.register(0, 0, false) | format.beyond_finite() << format.dropped_bits;
        for specials in [[true, false], [false, true], [true, true]] {
            let number = |index: usize, place: usize, special: bool| {
                let exponent = (index * 5 + place * 3) as i32 % 7 - 3;
                match (special && index.is_multiple_of(23), place) {
                    (true, 9) => infinity,
                    (true, 30) => infinity + 1,
                    _ => format.register(exponent, (index + place) as u64 % 8, index & 2 == 0),
                }
            };
            let a = (0..m * k).map(|index| number(index / k, index % k, specials[0]));
            let b = (0..k * n).map(|index| number(index % n, index / n, specials[1]));
            let a = Matrix::new(format, [m, k], a.collect::<Vec<_>>()).unwrap();
            let b = Matrix::new(format, [k, n], b.collect::<Vec<_>>()).unwrap();
            let d = gemm(&model, &MatrixProduct::new(&a, &b), &Limits::default()).unwrap();
            for index in 0..m * n / 3 {
                let at = [index * 3 / n, index * 3 % n];
                let expected = element(&model, [&a, &b], None, at);
                assert_eq!(d.get(at[0], at[1]), expected, "{name} at {at:?}");
            }
        }
    }
}
