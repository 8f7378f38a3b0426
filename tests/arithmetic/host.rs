//! IEEE 754 operations of this processor against the text of `float`: as programs that use the processor, and as
//! programs of integers and the simulator, which do not.

use crate::common::setting::{part_of, setting};
use mmasmt_columns::tape::Features;
use mmasmt_core::batch::{Batch, Columns};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::HostOperations;
use mmasmt_numbers::float::Format;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Programs of the model by the processor's operations, for every set of its features.
fn on_host(model: &Model) -> Vec<(Features, Batch<'_>)> {
    let all = Features::available().into_iter().map(|features| {
        let mut batch = model.batch();
        assert!(batch.prepare_for(features, features.host_operations()));
        (features, batch)
    });
    all.collect()
}

fn in_integers(model: &Model) -> Batch<'_> {
    let mut batch = model.batch();
    assert!(batch.prepare_for(Features::detected(), HostOperations::None));
    batch
}

/// The results of all programs and, of every `step`th row, of the simulator.
fn compare(model: &Model, columns: &Columns, step: usize) {
    let expected = in_integers(model).evaluate(columns).unwrap();
    for (features, mut batch) in on_host(model) {
        let found = batch.evaluate(columns).unwrap();
        for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let line = || columns.row(row).to_line(columns.signature());
            assert_eq!(found, expected, "{model}, {features:?}: {}", line());
        }
    }
    let mut simulator = model.simulator();
    for row in (0..columns.len()).step_by(step) {
        let inputs = columns.row(row);
        assert_eq!(simulator.evaluate(&inputs).unwrap(), expected[row]);
    }
}

/// -0 leaves a product as it is, +0 all but -0; the others carry, cancel and overflow.
const ADDENDS: [u64; 6] = [
    0x8000_0000,
    0,
    0x7f80_0000,
    0xff80_0000,
    0x0000_0001,
    0xbf80_0000,
];

#[test]
fn every_product_of_two_small_numbers() {
    let formats = ["e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz", "e2m1", "e3m2"];
    for (index, a) in formats.into_iter().enumerate() {
        for b in &formats[index..] {
            for order in ["seq", "fma"] {
                let spec = format!("ieee:K=1,a={a},b={b},order={order}");
                let model = Model::parse(&spec).unwrap();
                let signature = model.signature();
                let mut columns = Columns::new(&signature);
                let codes = |format: Format| 0..1u64 << format.width();
                for (x, c) in codes(signature.a).flat_map(|x| ADDENDS.map(|c| (x, c))) {
                    for y in codes(signature.b) {
                        columns.push(&Inputs::new(vec![x], vec![y], c)).unwrap();
                    }
                }
                compare(&model, &columns, 97);
            }
        }
    }
}

#[test]
fn every_half_widened_and_multiplied() {
    for format in ["f16", "bf16", "tf32"] {
        let model = Model::parse(&format!("ieee:K=1,in={format}")).unwrap();
        let signature = model.signature();
        let one = signature.a.register(0, 0, false);
        let mut columns = Columns::new(&signature);
        for x in 0..1u64 << 16 {
            // Of tf32 every sign, exponent and fraction bit but the last ones, and dropped bits.
            let register = x << (signature.a.width() - 16) | x & 7;
            let x = if format == "tf32" { register } else { x };
            for y in [one, x] {
                columns
                    .push(&Inputs::new(vec![x], vec![y], 1 << 31))
                    .unwrap();
            }
        }
        compare(&model, &columns, 61);
    }
}

/// Numbers whose sums and products are close to each other: random, at the ends of the format, of few bits, and
/// such that they nearly cancel.
fn drawn(rng: &mut ChaCha8Rng, format: Format) -> [u64; 3] {
    let mask = u64::MAX >> (64 - format.width());
    let sign = format.sign_mask();
    let low_bits = |count: u32| (1u64 << count) - 1;
    let one = |rng: &mut ChaCha8Rng| {
        let random: u64 = rng.random::<u64>() & mask;
        let below = format.fraction_bits;
        match rng.random_range(0..8) {
            0 | 1 => random,
            2 => random & (sign | low_bits(rng.random_range(1..=below))),
            3 => random & !(mask >> rng.random_range(1..format.width())),
            4 => (random & sign) | (format.max_finite() - (random & 3)),
            5 => (random & sign) | ((1 << below) ^ (random & 3)),
            6 => random | low_bits(rng.random_range(1..=below)),
            _ => {
                let exponent = rng.random_range(-30..30);
                format.register(exponent, random & format.max_fraction(), random >> 63 == 1)
            }
        }
    };
    let [x, y, mut z] = [(); 3].map(|()| one(rng));
    match (format.width(), rng.random_range(0..4)) {
        // Near the negated product, so that bits beyond the format decide.
        (32, 0) => {
            let product = -(f32::from_bits(x as u32) * f32::from_bits(y as u32));
            z = u64::from(product.to_bits()) ^ rng.random_range(0..4);
        }
        (64, 0) => {
            let product = -(f64::from_bits(x) * f64::from_bits(y));
            z = product.to_bits() ^ rng.random_range(0..4);
        }
        // A power of two as large as a factor: ties and nearly ties.
        (_, 1) => z = (z & sign) | (x & !sign & !format.max_fraction()),
        _ => {}
    }
    [x, y, z]
}

fn compare_drawn(count: usize) {
    for format in ["f32", "f64"] {
        let specs = [
            format!("ieee:K=1,in={format},acc={format}"),
            format!("ieee:K=1,in={format},acc={format},order=fma"),
        ];
        for (seed, spec) in specs.into_iter().enumerate() {
            let model = Model::parse(&spec).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
            let mut columns = Columns::new(&model.signature());
            let mut left = count;
            while left > 0 {
                columns.clear();
                for _ in 0..left.min(1 << 16) {
                    let [x, y, z] = drawn(&mut rng, model.signature().a);
                    columns.push(&Inputs::new(vec![x], vec![y], z)).unwrap();
                }
                left -= columns.len();
                compare(&model, &columns, 199);
            }
        }
    }
}

#[test]
fn drawn_sums_products_and_fused_ones() {
    compare_drawn(200_000);
}

#[test]
fn sums_that_are_rounded_to_odd() {
    let model = Model::parse("cpu:K=2,in=bf16,order=pairwise,round=odd,results=before,nan=default")
        .unwrap();
    let signature = model.signature();
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut columns = Columns::new(&signature);
    for _ in 0..40_000 {
        let [x, y, _] = drawn(&mut rng, signature.a);
        let [v, w, z] = drawn(&mut rng, signature.c);
        let c = match rng.random_range(0..3) {
            // Near the product, or as great as a sum can be.
            0 => f32::from_bits(v as u32) * f32::from_bits((x as u32) << 16),
            1 => f32::from_bits(Format::F32.max_finite() as u32 - (w & 3) as u32),
            _ => f32::from_bits(z as u32),
        };
        let [other, factor] = [v, w].map(|register| register >> 16);
        let inputs = Inputs::new(vec![x, other], vec![y, factor], c.to_bits().into());
        columns.push(&inputs).unwrap();
    }
    compare(&model, &columns, 199);
}

/// A sum near the least normal number: of a product alone, of a product and a small number, or of two that nearly cancel.
fn barely_normal(rng: &mut ChaCha8Rng, factor: Format) -> [f32; 3] {
    let fraction = 23 - factor.fraction_bits;
    let factor = |number: f32| f32::from_bits(number.to_bits() >> fraction << fraction);
    let random = |rng: &mut ChaCha8Rng, exponents: std::ops::Range<u32>| {
        let exponent = rng.random_range(exponents);
        f32::from_bits(rng.random::<u32>() & 0x807f_ffff | exponent << 23)
    };
    let few = |rng: &mut ChaCha8Rng| {
        f32::from_bits(rng.random_range(0..4) | rng.random::<u32>() & 1 << 31)
    };
    let x = factor(random(rng, 60..190));
    let near = |product: f32, rng: &mut ChaCha8Rng| {
        let y = factor((f64::from(product) / f64::from(x)) as f32);
        let step = rng.random_range(0..3) << fraction;
        f32::from_bits(y.to_bits().wrapping_add(step).wrapping_sub(1 << fraction))
    };
    match rng.random_range(0..3) {
        0 => [x, near(f32::MIN_POSITIVE, rng), few(rng)],
        1 => {
            let half = f32::MIN_POSITIVE * 2f32.powi(-23 + rng.random_range(-1..2));
            let y = near(half, rng) * if rng.random() { 0.5 } else { 0.25 };
            let z = f32::MIN_POSITIVE.to_bits() + rng.random_range(0..3) - 1;
            [x, y, -f32::from_bits(z)]
        }
        _ => {
            let y = factor(random(rng, 20..66));
            let z = (-f64::from(x) * f64::from(y)) as f32;
            [
                x,
                y,
                z + few(rng) + if rng.random() { f32::MIN_POSITIVE } else { 0.0 },
            ]
        }
    }
}

#[test]
fn sums_that_are_tiny_after_rounding() {
    for (format, count) in [("f32", 60_000), ("tf32", 20_000), ("bf16", 20_000)] {
        let model = Model::parse(&format!("cpu:K=1,in={format}")).unwrap();
        let signature = model.signature();
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut columns = Columns::new(&signature);
        let mut near = 0;
        for _ in 0..count {
            let numbers = barely_normal(&mut rng, signature.a);
            let sum = f64::from(numbers[0]).mul_add(numbers[1].into(), numbers[2].into());
            near += u32::from((sum.abs() as f32) == f32::MIN_POSITIVE);
            let above = 32 - signature.a.width();
            let [x, y, z] = numbers.map(|number| u64::from(number.to_bits()));
            let inputs = Inputs::new(vec![x >> above], vec![y >> above], z);
            columns.push(&inputs).unwrap();
        }
        assert!(near > count / 20, "{format}: {near}");
        compare(&model, &columns, 199);
    }
}

/// `MMASMT_HOST=1000000000 cargo test --release --test arithmetic -- --ignored host::`
#[test]
#[ignore = "as many inputs as MMASMT_HOST says"]
fn drawn_ones_as_many_as_are_asked_for() {
    let count = setting("MMASMT_HOST", part_of(3_000_000));
    compare_drawn(count);
}

/// A caller may have changed how the processor rounds, or have it drop subnormal numbers: results stay the same.
#[test]
#[cfg(target_arch = "x86_64")]
fn modes_of_the_processor_change_no_result() {
    use mmasmt_columns::tape::host_is_ieee;
    let model = Model::parse("ieee:K=1,in=f32,order=fma").unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut columns = Columns::new(&model.signature());
    for _ in 0..4096 {
        let [x, y, z] = drawn(&mut rng, Format::F32);
        columns.push(&Inputs::new(vec![x], vec![y], z)).unwrap();
    }
    let mut batch = model.batch();
    assert!(batch.prepare());
    let expected = batch.evaluate(&columns).unwrap();
    let usual = 0x1f80;
    // Rounding down, up and towards zero; results and operands that are subnormal taken for zero.
    for mode in [0x2000, 0x4000, 0x6000, 0x8000, 0x0040] {
        set_mode(usual | mode);
        let is_ieee = host_is_ieee();
        let found = batch.evaluate(&columns);
        set_mode(usual);
        assert!(!is_ieee, "mode {mode:x} is not seen");
        assert!(found.unwrap() == expected, "mode {mode:x}");
    }
    assert!(host_is_ieee());
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "the mode of the processor is a register")]
fn set_mode(mode: u32) {
    // SAFETY: exceptions stay masked; whoever calls this puts the usual mode back before floats are computed.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const mode) }
}
