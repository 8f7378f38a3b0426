//! `tolerance`: what is proved is exceeded by no operands, random or climbed, by rationals that share
//! nothing with the bounds; and shares of wrong kernels against kernels written here.

use crate::common::setting::by_day;
use crate::oracle::number::{BigRational, value};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Dyadic, Format, NanCode};
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::errors::tolerance::{
    MatrixTolerance, OutsideCounts, OutsideElements, OwnTolerance, Range, ToleranceBounds,
    Tolerances, drawn, wrong_kernels,
};
use mmasmt_questions::errors::worst::{Judge, Search, worst};
use mmasmt_questions::inputs::{Source, Sources};
use mmasmt_questions::matrices::{Matrix, MatrixProduct};
use mmasmt_questions::vectors::measure::Measure;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

fn rational(x: &Dyadic) -> BigRational {
    let power = |exponent: i64| BigRational::from_integer(BigInt::from(1) << exponent);
    let mantissa = BigRational::from_integer(x.mantissa().clone());
    match x.exponent() {
        up @ 0.. => mantissa * power(up),
        down => mantissa / power(-down),
    }
}

/// The exact sum and the sum of magnitudes.
fn sums(signature: &Signature, inputs: &Inputs) -> [BigRational; 2] {
    let c = value(&signature.c, inputs.c).unwrap();
    let mut both = [c.clone(), c.abs()];
    for (a, b) in inputs.a.iter().zip(&inputs.b) {
        let product = value(&signature.a, *a).unwrap() * value(&signature.b, *b).unwrap();
        both[1] += product.abs();
        both[0] += product;
    }
    both
}

/// The models of the tests, each for this many products.
const MODELS: [(&str, u32); 9] = [
    ("V100/HMMA.884.F32.F32", 16),
    ("A100/HMMA.16816.F32", 32),
    ("H100/HMMA.16816.F32", 48),
    ("cdna3/v_mfma_f32_32x32x8_f16", 24),
    ("promote(fda:K=8,F=13,in=e4m3):every=2", 64),
    ("splitk(fda:K=4,F=24):S=4", 64),
    ("fda:K=4,F=20,out=f16,c=f16", 16),
    ("ieee:K=1,in=f32", 12),
    ("markidis(fda:K=8,F=24)", 16),
];

/// Random operands, and those with the largest errors that a search finds: the error is at most what is
/// proved for all operands, and for those within the range at most the atol.
#[test]
fn no_operands_exceed_what_is_proved() {
    for (text, k) in by_day(MODELS, 2) {
        let model = Model::parse(text).unwrap().of_length(k).unwrap();
        let signature = model.signature();
        let range = Range {
            factors: 2.0,
            c: 1.0,
        };
        let own = ToleranceBounds::of(&model, Some(range)).unwrap();
        let all = ToleranceBounds::of(&model, None).unwrap();
        let (mut near, mut seen) = (BigRational::zero(), 0);
        let mut check = |inputs: &Inputs, within: bool| {
            let [sum, size] = sums(&signature, inputs);
            let d = value(&signature.d, model.evaluate_big(inputs).unwrap()).unwrap();
            let error = (d - sum).abs();
            let bound = rational(&all.relative) * &size + rational(&all.absolute);
            assert!(error <= bound, "{text}: {}", inputs.to_line(&signature));
            if within {
                let bound = rational(&own.relative) * &size + rational(&own.absolute);
                assert!(error <= bound, "{text}: {}", inputs.to_line(&signature));
                let atol = rational(own.within.as_ref().unwrap());
                assert!(error <= atol, "{text}: {}", inputs.to_line(&signature));
                near = near.clone().max(error / atol);
                seen += 1;
            }
        };
        for (at, source) in [
            Source::Normal(1.0),
            Source::Uniform(2.0),
            Source::Normal(1e-5),
        ]
        .iter()
        .enumerate()
        {
            let sources = Sources {
                factors: [source.clone(), source.clone()],
                c: source.clone(),
                within: [Some(2.0), Some(1.0)],
                seed: at as u64,
            };
            let drawn = sources.drawn(&signature, 100, &Limits::default());
            for inputs in drawn.unwrap() {
                check(&inputs, true);
            }
        }
        for (assume, within) in [
            ("finite", false),
            ("finite, factors exp -14..0, c exp -20..0", true),
        ] {
            let Ok(domain) = Domain::parse(assume, &signature) else {
                continue;
            };
            let search = Search {
                measure: if within {
                    Measure::Absolute
                } else {
                    Measure::RelativeToSum
                },
                seed: 3,
                excuses_underflow: true,
            };
            let mut judge = Judge::new(&model, search, &domain);
            let limits = Limits::default().within(Duration::from_secs(1));
            if let (Some(found), _) = worst(&mut judge, &limits) {
                check(&found.inputs, within);
            }
        }
        assert!(seen >= 300, "{text}");
        // How near they come is for `error_bounds`; some have an error at all.
        assert!(near > BigRational::zero(), "{text}");
    }
}

/// The same draws, with kernels and tolerances that are written out here over rationals.
#[test]
fn shares_are_those_of_kernels_written_out() {
    let unit = Model::parse("fda:K=8,F=25").unwrap();
    let model = unit.of_length(32).unwrap();
    let signature = model.signature();
    let sources = Sources {
        factors: [Source::Normal(1.0), Source::Normal(2.0)],
        c: Source::Uniform(4.0),
        within: [Some(4.0), Some(4.0)],
        seed: 9,
    };
    let range = Range {
        factors: 4.0,
        c: 4.0,
    };
    let proved = ToleranceBounds::of(&model, Some(range)).unwrap();
    let wrong = wrong_kernels(&model, true).unwrap();
    let [own_atol, own_rtol] =
        [20, 24].map(|places| BigRational::new(1.into(), BigInt::from(1u32 << places)));
    let own = OwnTolerance::new(2f64.powi(-20), 2f64.powi(-24));
    // More than are drawn from one stream.
    let samples = 300;
    let found = drawn(
        &model,
        &sources,
        Tolerances {
            proved: Some(&proved),
            own: Some(&own),
        },
        &wrong,
        samples,
        &Limits::default(),
    )
    .unwrap();

    let inputs = sources.drawn(&signature, samples, &Limits::default());
    let inputs = inputs.unwrap();
    let run = |model: &Model, inputs: &Inputs| model.evaluate_big(inputs).unwrap();
    let right: Vec<u64> = inputs.iter().map(|inputs| run(&model, inputs)).collect();
    let errors = |results: &[u64]| -> Vec<[BigRational; 3]> {
        let each = inputs.iter().zip(results);
        each.map(|(inputs, d)| {
            let [sum, size] = sums(&signature, inputs);
            let error = (value(&signature.d, *d).unwrap() - &sum).abs();
            [error, size, sum.abs()]
        })
        .collect()
    };
    let of_right = errors(&right);
    let largest = of_right
        .iter()
        .map(|[error, size, _]| error / size)
        .max()
        .unwrap();
    let outside = |results: &[u64]| {
        let errors = errors(results);
        let count = |is_out: &dyn Fn(&[BigRational; 3]) -> bool| {
            errors.iter().filter(|one| is_out(one)).count() as u64
        };
        let (r, t) = (rational(&proved.relative), rational(&proved.absolute));
        let atol = rational(proved.within.as_ref().unwrap());
        OutsideCounts {
            proved: Some(count(&|[error, size, _]| *error > &r * size + &t)),
            within: Some(count(&|[error, ..]| *error > atol)),
            own: Some(count(&|[error, _, exact]| {
                *error > &own_atol + &own_rtol * exact
            })),
            largest: count(&|[error, size, _]| error / size > largest),
            bits: results.iter().zip(&right).filter(|(x, y)| x != y).count() as u64,
        }
    };
    assert_eq!(found.right, outside(&right));
    assert_eq!([found.right.proved, found.right.within], [Some(0); 2]);
    // The right kernel fails so narrow a test on some operands, and these are told.
    let (place, failing) = found.failing.as_ref().unwrap();
    assert_eq!(inputs[*place], *failing);
    let [error, _, exact] = &of_right[*place];
    assert!(*error > &own_atol + &own_rtol * exact);
    assert!(
        found
            .right
            .own
            .is_some_and(|count| (1..samples).contains(&count))
    );
    assert!(!own.is_proved(&proved));
    let wide = OwnTolerance::new(1.0, 0.0);
    assert!(wide.is_proved(&proved));
    let [f16, bf16] = [Format::F16, Format::BF16].map(|format| numbers(&format));
    let mut checked = 0;
    for (wrong, told) in wrong.iter().zip(&found.wrong) {
        let results: Vec<u64> = inputs
            .iter()
            .map(|inputs| match wrong.name.as_str() {
                "sum stored in f16 after each 8 products" => stored(&unit, inputs, &f16),
                "sum stored in bf16 after each 8 products" => stored(&unit, inputs, &bf16),
                "last 8 products lost" => run(&model, &lost(inputs, 8)),
                "last product lost" => run(&model, &lost(inputs, 1)),
                "c left out" => run(
                    &model,
                    &Inputs {
                        c: 0,
                        ..inputs.clone()
                    },
                ),
                other => {
                    let fewer = other.strip_prefix("F = ").unwrap();
                    let changed = format!("repeat(fda:K=8,F={fewer}):K=32");
                    run(&Model::parse(&changed).unwrap(), inputs)
                }
            })
            .collect();
        assert_eq!(*told, outside(&results), "{}", wrong.name);
        assert!(told.bits > 0, "{}", wrong.name);
        checked += 1;
    }
    assert_eq!(checked, 10);
    assert!(
        found
            .wrong
            .iter()
            .any(|of| of.proved > Some(0) && of.proved < Some(samples))
    );
}

/// No atol is told that f64 does not have, and a range beyond the format is that of the format.
#[test]
fn great_ranges_are_those_of_the_format() {
    let within = |text: &str, factors: f64| {
        let model = Model::parse(text).unwrap();
        let proved = ToleranceBounds::of(&model, Some(Range { factors, c: 0.0 }));
        proved.unwrap().within
    };
    let all = within("fda:K=4", 1e300).unwrap();
    assert_eq!(Some(all.clone()), within("fda:K=4", 65504.0));
    let least = BigRational::from_integer(1000.into());
    assert!(rational(&all) > least);
    assert!(within("ieee:K=1,in=f64,acc=f64", 1e300).is_none());
}

fn lost(inputs: &Inputs, count: usize) -> Inputs {
    let mut fewer = inputs.clone();
    for k in inputs.a.len() - count..inputs.a.len() {
        (fewer.a[k], fewer.b[k]) = (0, 0);
    }
    fewer
}

/// A chain whose sum is stored in 16 bits after each instruction, to the nearest number, ties to even: the
/// nearest is looked for among all registers.
fn stored(unit: &Model, inputs: &Inputs, all: &[(BigRational, u64)]) -> u64 {
    let mut c = inputs.c;
    for (a, b) in inputs.a.chunks(8).zip(inputs.b.chunks(8)) {
        let d = unit
            .evaluate_big(&Inputs::new(a.to_vec(), b.to_vec(), c))
            .unwrap();
        let exact = value(&Format::F32, d).unwrap();
        let size = exact.abs();
        let above = all.partition_point(|(number, _)| *number < size);
        let [below, above] = [&all[above.saturating_sub(1)], &all[above]];
        let [down, up] = [&size - &below.0, &above.0 - &size];
        let (number, _) = match down.cmp(&up) {
            std::cmp::Ordering::Less => below,
            std::cmp::Ordering::Greater => above,
            std::cmp::Ordering::Equal if below.1 % 2 == 0 => below,
            std::cmp::Ordering::Equal => above,
        };
        let exactly = Dyadic::new(number.numer().clone(), 1 - number.denom().bits() as i64);
        let register = exactly.register(&Format::F32).unwrap();
        let sign = if exact.is_negative() { 1 << 31 } else { 0 };
        c = register | sign;
    }
    c
}

/// The numbers of a format of 16 bits that are not negative, with their registers.
fn numbers(format: &Format) -> Vec<(BigRational, u64)> {
    let all = 0..1u64 << 15;
    all.filter_map(|register| Some((value(format, register)?, register)))
        .collect()
}

/// The value of a product with its scales, over rationals that share nothing with the bounds.
fn scaled_sums(signature: &Signature, inputs: &Inputs) -> [BigRational; 3] {
    let scales = signature.scales.unwrap();
    let c = value(&signature.c, inputs.c).unwrap();
    let mut all = [c.clone(), c.abs(), BigRational::zero()];
    for (k, (a, b)) in inputs.a.iter().zip(&inputs.b).enumerate() {
        let block = k / scales.block as usize;
        let of_block = [inputs.a_scales[block], inputs.b_scales[block]];
        let [x, y] = of_block.map(|code| value(&scales.format, code).unwrap());
        let scale = x * y;
        let product = value(&signature.a, *a).unwrap() * value(&signature.b, *b).unwrap() * &scale;
        all[1] += product.abs();
        all[0] += product;
        all[2] = all[2].clone().max(scale);
    }
    all
}

/// Models with block scales: each with elements that may be subnormal, runs that are filled up, and scales on sums.
const SCALED: [&str; 8] = [
    "fda:K=4,F=6,in=e2m1,scale=ue8m0,block=2",
    "fda:K=4,F=8,in=e4m3,scale=ue8m0,block=4,zero=raw",
    "fda:K=4,F=7,in=e5m2,scale=ue8m0,block=2,products=normalised",
    "repeat(adapt(fda:K=4,F=6,in=mxfp8,block=2,zero=raw):in=mxfp8,block=2,K=4):K=6",
    "gdfs:K=32,F=8,in=nvfp4",
    "gdfs:K=32,F=8,in=nvfp4,zero=raw",
    "adapt(fda:K=4,F=6,in=mxfp8,block=2,zero=raw):in=mxfp8,block=2,K=6",
    "adapt(fda:in=e4m3,K=4,F=6):in=nvfp4,block=4,scales=sums,K=8",
];

/// The error is at most r S, a share of the greatest product of scales, and a constant; and some errors are so near that
/// share that it says something.
#[test]
fn no_scales_exceed_what_is_proved_of_them() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut told = 0;
    let mut near = BigRational::zero();
    for text in SCALED {
        let model = Model::parse(text).unwrap();
        let signature = model.signature();
        let proved = ToleranceBounds::of(&model, None).unwrap();
        told += u32::from(proved.of_scales.is_some());
        let format = signature.scales.unwrap().format;
        let middle = format.register(0, 0, false);
        let mut nearest = BigRational::zero();
        for round in 0..600 {
            let mut inputs = Inputs::zero(&signature);
            let near = rng.random_range(1..6u64);
            let code = |of: &Format, rng: &mut ChaCha8Rng| loop {
                // Small elements in half of the rounds, any in the others.
                let width = if round % 2 == 0 { 3 } else { of.width() };
                let sign = of.sign_mask() * rng.random_range(0..2u64);
                let code = rng.random_range(0..1u64 << width) & !of.sign_mask() | sign;
                if value(of, code).is_some() {
                    return code;
                }
            };
            for k in 0..inputs.a.len() {
                inputs.a[k] = code(&signature.a, &mut rng);
                inputs.b[k] = code(&signature.b, &mut rng);
            }
            let shift = rng.random_range(0..2u64) * rng.random_range(0..60u64);
            for block in 0..inputs.a_scales.len() {
                let of = |rng: &mut ChaCha8Rng| {
                    let code = middle + rng.random_range(0..near) - shift.min(middle);
                    if value(&format, code).is_some() {
                        code
                    } else {
                        middle
                    }
                };
                inputs.a_scales[block] = of(&mut rng);
                inputs.b_scales[block] = of(&mut rng);
            }
            let [sum, size, scale] = scaled_sums(&signature, &inputs);
            let d = value(&signature.d, model.evaluate_big(&inputs).unwrap()).unwrap();
            let error = (d - sum).abs();
            let line = inputs.to_line(&signature);
            let relative = rational(&proved.relative) * &size;
            let bound = &relative + rational(&proved.absolute);
            assert!(error <= bound, "{text}: {line}");
            if let Some(of_scales) = &proved.of_scales {
                let share = rational(&of_scales.relative) * &scale;
                let bound = &relative + &share + rational(&of_scales.constant);
                assert!(error <= bound, "{text}: {line}");
                if error > relative && !share.is_zero() {
                    nearest = nearest.max((error - &relative) / share);
                }
            }
        }
        near = near.max(nearest);
    }
    assert!(told >= 4, "{told}");
    assert!(near > BigRational::new(1.into(), 64.into()), "{near}");
}

/// Bounds of elements are those of sums over rationals, and hold for products in another order; what is beyond is told.
#[test]
fn elements_of_matrices_are_within_their_bounds() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for (text, depth) in by_day(
        [
            ("fda:K=4,F=12", 12),
            ("H100/HMMA.16816.F32", 20),
            ("promote(fda:K=4,F=10,in=e4m3):every=1", 8),
        ],
        2,
    ) {
        let model = Model::parse(text).unwrap().of_length(depth as u32).unwrap();
        let signature = model.signature();
        let (rows, columns) = (3, 2);
        let mut drawn = |format: Format, count: usize| -> Vec<u64> {
            let finite = |register: &u64| format.is_finite(*register);
            let mut one = || {
                rng.random_range(0..1u64 << format.width().min(63)) & !(1 << (format.width() - 2))
            };
            (0..count)
                .map(|_| std::iter::repeat_with(&mut one).find(finite).unwrap())
                .collect()
        };
        let a = Matrix::new(signature.a, [rows, depth], drawn(signature.a, rows * depth)).unwrap();
        let b = Matrix::new(
            signature.b,
            [depth, columns],
            drawn(signature.b, depth * columns),
        )
        .unwrap();
        let found =
            MatrixTolerance::of(&model, &MatrixProduct::new(&a, &b), &Limits::default()).unwrap();
        let all = ToleranceBounds::of(&model, None).unwrap();
        let mut registers = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let element = &found.elements[row * columns + column];
                let mut places: Vec<usize> = (0..depth).collect();
                for turn in 0..4 {
                    let inputs = Inputs::new(
                        places.iter().map(|k| a.get(row, *k)).collect(),
                        places.iter().map(|k| b.get(*k, column)).collect(),
                        0,
                    );
                    let [sum, size] = sums(&signature, &inputs);
                    assert_eq!(rational(&element.exact.value), sum);
                    let bound = rational(element.bound.as_ref().unwrap());
                    let general = rational(&all.relative) * size + rational(&all.absolute);
                    assert!(bound <= general, "{text}");
                    let d = model.evaluate_big(&inputs).unwrap();
                    if turn == 0 {
                        assert_eq!(d, element.right);
                    }
                    let d = value(&signature.d, d).unwrap();
                    assert!((d - sum).abs() <= bound, "{text}");
                    places.shuffle(&mut rng);
                }
                registers.push(element.right);
            }
        }
        let right = Matrix::new(signature.d, [rows, columns], registers.clone()).unwrap();
        assert_eq!(found.outside(&right, None), OutsideElements::default());
        registers[3] ^= 1 << (signature.d.width() - 2);
        registers[4] = signature.d.nan(NanCode::Quiet);
        let wrong = Matrix::new(signature.d, [rows, columns], registers).unwrap();
        let own = OwnTolerance::new(0.0, 0.25);
        let outside = found.outside(&wrong, Some(&own));
        assert_eq!(outside.proved, [3, 4], "{text}");
        assert_eq!(outside.own, [3, 4], "{text}");
        assert_eq!(outside.bits, [3, 4], "{text}");
    }
}
