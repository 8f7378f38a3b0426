//! Adapters: the operands that the unit gets, and the sums of blocks, from exact rationals and IEEE 754's text.

use crate::common::arithmetic::{Number, Target, Value, product, value};
use crate::common::exact::greatest_code;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, NanCode, Rounding};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn nearest(format: Format) -> Target {
    Target {
        format,
        rounding: Rounding::Rne,
        nan: NanCode::Quiet,
    }
}

fn is_greater(x: &Number, y: &Number) -> bool {
    let unit = x.unit.min(y.unit);
    x.in_units(unit).magnitude() > y.in_units(unit).magnitude()
}

/// The register of a finite number in the format, to nearest even and saturated.
fn saturated(format: Format, x: &Value) -> u64 {
    let Value::Number(number) = x else {
        panic!("a finite number, found {x:?}")
    };
    let greatest = greatest_code(&format);
    let Value::Number(most) = value(&format, greatest) else {
        panic!("{format}: {greatest:x}")
    };
    match is_greater(number, &most) {
        true => greatest | u64::from(number.negative) << (format.width() - 1),
        false => nearest(format).sum(std::slice::from_ref(x)),
    }
}

fn model(text: &str) -> Model {
    Model::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A register that is a finite number.
fn finite(rng: &mut ChaCha8Rng, format: Format) -> u64 {
    loop {
        let bits = rng.random::<u64>() >> (64 - format.width());
        if matches!(value(&format, bits), Value::Number(_)) {
            return bits;
        }
    }
}

/// A scale: mostly one that is close to 1.
fn scale(rng: &mut ChaCha8Rng, format: Format) -> u64 {
    match (format, rng.random_ratio(3, 4)) {
        (Format::UE8M0, true) => rng.random_range(117..137),
        _ => finite(rng, format),
    }
}

fn drawn(rng: &mut ChaCha8Rng, adapted: &Model) -> Inputs {
    let signature = adapted.signature();
    let scales = signature.scales;
    let used = rng.random_range(1..=signature.products);
    let row = |rng: &mut ChaCha8Rng, format: Format| -> Vec<u64> {
        let one = |k| match k < used {
            true => finite(rng, format),
            false => 0,
        };
        (0..signature.products).map(one).collect()
    };
    let (a, b) = (row(rng, signature.a), row(rng, signature.b));
    let scale_row = |rng: &mut ChaCha8Rng| -> Vec<u64> {
        let format = scales.map(|scales| scales.format);
        let each = (0..signature.scale_count()).filter_map(|_| Some(scale(rng, format?)));
        each.collect()
    };
    let (a_scales, b_scales) = (scale_row(rng), scale_row(rng));
    let field = rng.random_range(100..150u64) << 23;
    let c = match rng.random_range(0..3) {
        0 => 0,
        _ => field | rng.random::<u64>() & 0x807f_ffff,
    };
    Inputs {
        a_scales,
        b_scales,
        ..Inputs::new(a, b, c)
    }
}

/// Compares an adapter with what `expected` makes of the inputs and its unit.
fn compare(text: &str, unit: &str, seed: u64, expected: impl Fn(&Inputs, &Model, &Model) -> u64) {
    let (adapted, unit) = (model(text), model(unit));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut simulator = adapted.simulator();
    for number in 0..1500 {
        let inputs = drawn(&mut rng, &adapted);
        let found = simulator.evaluate(&inputs).unwrap();
        let expected = expected(&inputs, &adapted, &unit);
        let line = inputs.to_line(&adapted.signature());
        assert_eq!(found, expected, "{text}: {line}");
        if number % 50 == 0 {
            assert_eq!(adapted.evaluate_big(&inputs).unwrap(), expected, "{line}");
        }
    }
}

/// The value of a row's scale for an element.
fn scale_of(adapted: &Model, scales: &[u64], k: usize) -> Value {
    let own = adapted.signature().scales.unwrap();
    value(&own.format, scales[k / own.block as usize])
}

#[test]
fn scales_are_repeated_for_shorter_blocks() {
    for (text, unit) in [
        ("adapt(gdfs:in=nvfp4,K=64):in=mxfp4", "gdfs:in=nvfp4,K=64"),
        (
            "adapt(gdfs:in=mxfp4,block=16,K=64):in=mxfp4",
            "gdfs:in=mxfp4,block=16,K=64",
        ),
        (
            "adapt(fda:in=mxfp8,K=64):in=mxfp4,block=64",
            "fda:in=mxfp8,K=64",
        ),
    ] {
        compare(text, unit, 1, |inputs, adapted, unit| {
            let (from, to) = (adapted.signature(), unit.signature());
            let (own, target) = (from.scales.unwrap(), to.scales.unwrap());
            let elements = |row: &[u64]| -> Vec<u64> {
                let each = row.iter();
                each.map(|x| saturated(to.a, &value(&from.a, *x))).collect()
            };
            let scales = |row: &[u64]| -> Vec<u64> {
                let places = (0..to.scale_count()).map(|n| n * target.block / own.block);
                let kept = |place: u32| row[place as usize];
                let register = |x| match own.format == target.format {
                    true => x,
                    false => saturated(target.format, &value(&own.format, x)),
                };
                places.map(kept).map(register).collect()
            };
            let mapped = Inputs {
                a_scales: scales(&inputs.a_scales),
                b_scales: scales(&inputs.b_scales),
                ..Inputs::new(elements(&inputs.a), elements(&inputs.b), inputs.c)
            };
            unit.evaluate_big(&mapped).unwrap()
        });
    }
}

#[test]
fn scales_are_multiplied_into_elements() {
    for unit in [
        "exact:in=e4m3,K=32",
        "exact:in=f16,K=32",
        "exact:in=bf16,K=32",
    ] {
        for format in ["nvfp4", "mxfp4", "e5m2,scale=ue4m3,block=8"] {
            let text = format!("adapt({unit}):in={format},scales=elements");
            compare(&text, unit, 2, |inputs, adapted, unit| {
                let (from, to) = (adapted.signature(), unit.signature());
                let folded = |row: &[u64], scales: &[u64], k: usize| {
                    let exact = product(&value(&from.a, row[k]), &scale_of(adapted, scales, k));
                    value(&to.a, saturated(to.a, &exact))
                };
                let terms = (0..inputs.a.len()).map(|k| {
                    let a = folded(&inputs.a, &inputs.a_scales, k);
                    product(&a, &folded(&inputs.b, &inputs.b_scales, k))
                });
                let mut terms: Vec<Value> = terms.collect();
                terms.push(value(&to.c, inputs.c));
                nearest(to.d).sum(&terms)
            });
        }
    }
}

#[test]
fn scales_are_applied_to_sums() {
    for (format, unit) in [
        ("nvfp4", "exact:in=e4m3,K=32"),
        ("mxfp4", "exact:in=e4m3,K=32"),
        ("e2m1,scale=f32,block=16", "exact:in=f16,K=32"),
    ] {
        let text = format!("adapt({unit}):in={format},scales=sums,K=64");
        compare(&text, unit, 3, |inputs, adapted, unit| {
            let from = adapted.signature();
            let block = from.scales.unwrap().block as usize;
            let f32 = nearest(Format::F32);
            let mut d = inputs.c;
            for start in (0..inputs.a.len()).step_by(block) {
                let terms = (start..start + block)
                    .map(|k| product(&value(&from.a, inputs.a[k]), &value(&from.b, inputs.b[k])));
                let mut terms: Vec<Value> = terms.collect();
                // The sum begins at +0.
                terms.push(value(&Format::F32, 0));
                let sum = f32.sum(&terms);
                let both = product(
                    &scale_of(adapted, &inputs.a_scales, start),
                    &scale_of(adapted, &inputs.b_scales, start),
                );
                let both = f32.sum(&[both]);
                d = f32.fma([&Format::F32, &Format::F32], &Format::F32, [sum, both, d]);
            }
            assert_eq!(unit.signature().d, Format::F32);
            d
        });
    }
}

/// Two bf16 hold every f16 that is not below 2^-14: all four products of the parts are one product.
#[test]
fn f16_is_two_numbers_of_bf16() {
    let (adapted, unit) = (
        model("adapt(words(exact:in=bf16,K=4):p=2,low=kept):in=f16,K=1"),
        model("exact:in=f16,K=1"),
    );
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut simulator = adapted.simulator();
    for _ in 0..3000 {
        let [a, b] = [0; 2].map(|_| finite(&mut rng, Format::F16));
        let inputs = Inputs::new(vec![a], vec![b], 0);
        let exact = product(&value(&Format::F16, a), &value(&Format::F16, b));
        let found = simulator.evaluate(&inputs).unwrap();
        assert_eq!(
            found & 0x7fff_ffff,
            nearest(Format::F32).sum(&[exact]) & 0x7fff_ffff
        );
        assert_eq!(
            unit.evaluate_big(&inputs).unwrap() & 0x7fff_ffff,
            found & 0x7fff_ffff
        );
    }
}

/// Scales of MXFP4 beyond 448 saturate on a unit of NVFP4, and scales below 2^-6 are subnormal there: they align
/// elsewhere.
#[test]
fn mxfp4_on_a_unit_of_nvfp4_is_not_mxfp4() {
    let adapted = model("adapt(gdfs:in=nvfp4,K=64,F=25):in=mxfp4");
    let own = model("gdfs:in=mxfp4,K=64,F=25");
    let run = |a: u64, b: u64, scales: [u64; 2], c: u64| {
        let (mut left, mut right) = (vec![0; 64], vec![0; 64]);
        (left[0], right[0]) = (a, b);
        let inputs = Inputs {
            a_scales: vec![scales[0], 127],
            b_scales: vec![scales[1], 127],
            ..Inputs::new(left, right, c)
        };
        [&adapted, &own].map(|model| model.evaluate_big(&inputs).unwrap())
    };
    assert_eq!(run(1, 1, [127, 136], 0), [0x42e0_0000, 0x4300_0000]);
    assert_eq!(
        run(2, 2, [120, 135], 0xbf00_0001),
        [0x3fc0_0000, 0x3fbf_ffff]
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    for (text, part) in [
        ("adapt(fda:in=e4m3):in=mxfp4", "a unit with scales"),
        (
            "adapt(gdfs:in=mxfp4):in=nvfp4",
            "a unit whose blocks of scales divide 16",
        ),
        (
            "adapt(gdfs:in=mxfp4):in=e2m1,scale=ue4m3,block=32",
            "a unit with scales in ue4m3",
        ),
        (
            "adapt(fda:in=e4m3):in=e2m1,scales=sums",
            "a format of scales",
        ),
        ("adapt(int):in=e2m1", "a unit of floating-point numbers"),
    ] {
        let error = Model::parse(text).err().map(|error| error.to_string());
        assert!(
            error.as_ref().is_some_and(|error| error.contains(part)),
            "{text}: {error:?}"
        );
    }
}
