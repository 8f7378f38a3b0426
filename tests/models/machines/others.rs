//! The VFPU of the PSP, AMX-FP8, the matrix extension of RISC-V, MXDOTP and the TPU.

use super::draw::{Fields, near, rows};
use super::{compare, seeded, unit};
use crate::common::arithmetic::{Target, Value, product, value};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::float::{Format, NanCode, Rounding};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

fn fields(format: &Format) -> Fields {
    Fields::new(
        format.exponent_bits,
        format.fraction_bits,
        format.dropped_bits,
    )
}

/// What draws rows of these formats.
fn drawn(formats: [Format; 3], count: usize) -> impl Fn(&mut ChaCha8Rng) -> Inputs {
    let fields = formats.map(|format| fields(&format));
    move |rng| {
        let (a, b, c) = rows(rng, fields, count);
        Inputs::new(a, b, c)
    }
}

/// One rounded sum, with the quiet NaN.
fn to(format: Format, rounding: Rounding) -> Target {
    Target {
        format,
        rounding,
        nan: NanCode::Quiet,
    }
}

fn products(inputs: &Inputs, [a, b]: [Format; 2]) -> Vec<Value> {
    let pairs = inputs.a.iter().zip(&inputs.b);
    pairs
        .map(|(x, y)| product(&value(&a, *x), &value(&b, *y)))
        .collect()
}

/// The dot product of the PSP over plain integers.
fn psp(inputs: &Inputs) -> u64 {
    const NAN: u64 = 0x7f80_0001;
    let (mut infinite, mut terms) = ([false; 2], Vec::new());
    for (a, b) in inputs.a.iter().zip(&inputs.b) {
        let [(sx, ex, fx), (sy, ey, fy)] = [Fields::F32.of(*a), Fields::F32.of(*b)];
        let is_special = |field: i64| field == 255;
        let is_nan = |field: i64, fraction: i64| field == 255 && fraction != 0;
        if is_nan(ex, fx) || is_nan(ey, fy) {
            return NAN;
        }
        if is_special(ex) || is_special(ey) {
            if ex == 0 || ey == 0 {
                return NAN;
            }
            infinite[usize::from(sx != sy)] = true;
            continue;
        }
        if ex == 0 || ey == 0 {
            continue;
        }
        let exact = i128::from(1 << 23 | fx) * i128::from(1 << 23 | fy);
        let odd = exact >> 21 | i128::from(exact % (1 << 21) != 0);
        terms.push((sx != sy, odd, ex + ey - 127));
    }
    match infinite {
        [true, true] => return NAN,
        [true, false] => return 0x7f80_0000,
        [false, true] => return 0xff80_0000,
        [false, false] => {}
    }
    let Some(top) = terms.iter().map(|term| term.2).max() else {
        return 0;
    };
    let aligned = terms.iter().map(|(negative, magnitude, exponent)| {
        let kept = magnitude >> (top - exponent).min(28);
        if *negative { -kept } else { kept }
    });
    let sum: i128 = aligned.sum();
    let magnitude = (sum.unsigned_abs() >> 2) as u64;
    if magnitude == 0 {
        return 0;
    }
    // 2^23 is 1: the significand is rounded to 24 bits.
    let length = 64 - i64::from(magnitude.leading_zeros());
    let mut exponent = top + length - 24;
    let left = magnitude << (60 - length);
    let (kept, half, rest) = (left >> 36, left >> 35 & 1, left & ((1 << 35) - 1));
    let mut rounded = kept + u64::from(half == 1 && (rest != 0 || kept % 2 == 1));
    if rounded == 1 << 24 {
        rounded >>= 1;
        exponent += 1;
    }
    match exponent {
        ..=0 => Fields::F32.register(sum < 0, 0, 0),
        255.. => Fields::F32.register(sum < 0, 255, 0),
        _ => Fields::F32.register(sum < 0, exponent, (rounded % (1 << 23)) as i64),
    }
}

fn compare_psp(seed: u64, count: usize) {
    let formats = [Format::F32; 3];
    compare(
        &unit("psp-vfpu-dot", ""),
        count,
        &mut seeded(seed),
        drawn(formats, 4),
        psp,
    );
}

fn compare_fp8(seed: u64, each: usize) {
    let mut rng = seeded(seed);
    let formats = [Format::E5M2, Format::E4M3];
    for (a, b) in formats.iter().flat_map(|a| formats.map(|b| (*a, b))) {
        let nearest = to(Format::F32, Rounding::Rne);
        let expected = |inputs: &Inputs| {
            let sum = nearest.sum(&products(inputs, [a, b]));
            let (negative, field, _) = Fields::F32.of(inputs.c);
            let c = match field {
                0 => Fields::F32.register(negative, 0, 0),
                _ => inputs.c,
            };
            let register = |bits| value(&Format::F32, bits);
            match nearest.sum(&[register(sum), register(c)]) {
                0x7fc0_0000 => 0xffc0_0000,
                sum => sum,
            }
        };
        let model = unit("amx-fp8", &format!("A={a},B={b}"));
        compare(
            &model,
            each,
            &mut rng,
            drawn([a, b, Format::F32], 64),
            expected,
        );
    }
}

fn modes() -> [(&'static str, Rounding); 4] {
    [
        ("rne", Rounding::Rne),
        ("rz", Rounding::Rz),
        ("rd", Rounding::Rd),
        ("ru", Rounding::Ru),
    ]
}

fn compare_ime(seed: u64, rounds: usize, each: usize) {
    let mut rng = seeded(seed);
    let narrow = [Format::F16, Format::BF16, Format::E4M3, Format::E5M2];
    for _ in 0..rounds {
        let [a, b] = [0, 1].map(|_| *narrow.choose(&mut rng).unwrap());
        let d = *[Format::F16, Format::BF16, Format::F32]
            .choose(&mut rng)
            .unwrap();
        let group = *[1usize, 2, 4, 8].choose(&mut rng).unwrap();
        let (name, mode) = *modes().choose(&mut rng).unwrap();
        let rounded: bool = rng.random();
        let target = to(d, mode);
        let expected = |inputs: &Inputs| {
            let all = products(inputs, [a, b]);
            all.chunks(group).fold(inputs.c, |acc, group| {
                let mut terms = match rounded {
                    true => vec![value(&d, target.sum(group))],
                    false => group.to_vec(),
                };
                terms.push(value(&d, acc));
                target.sum(&terms)
            })
        };
        let file = if rounded {
            "riscv-ime-rounded"
        } else {
            "riscv-ime"
        };
        let model = unit(file, &format!("A={a},B={b},D={d},G={group},M={name}"));
        compare(&model, each, &mut rng, drawn([a, b, d], 8), expected);
    }
}

fn compare_mxdotp(seed: u64, rounds: usize, each: usize) {
    let mut rng = seeded(seed);
    let elements = [
        Format::E4M3,
        Format::E5M2,
        Format::E3M2,
        Format::E2M3,
        Format::E2M1,
        Format::I2F6,
    ];
    for _ in 0..rounds {
        let [a, b] = [0, 1].map(|_| *elements.choose(&mut rng).unwrap());
        let d = *[Format::F32, Format::BF16].choose(&mut rng).unwrap();
        let (name, mode) = *modes().choose(&mut rng).unwrap();
        let target = to(d, mode);
        let expected = |inputs: &Inputs| {
            let scale = |bits: &[u64]| value(&Format::UE8M0, bits[0]);
            let scales = product(&scale(&inputs.a_scales), &scale(&inputs.b_scales));
            let mut terms: Vec<Value> = products(inputs, [a, b])
                .iter()
                .map(|one| product(one, &scales))
                .collect();
            terms.push(value(&d, inputs.c));
            target.sum(&terms)
        };
        let draw = |rng: &mut ChaCha8Rng| {
            let mut plain = drawn([a, b, d], 8)(rng);
            // In two's complement the fields have one bit more than the register.
            for (row, format) in [(&mut plain.a, a), (&mut plain.b, b)] {
                row.iter_mut()
                    .for_each(|bits| *bits &= (1 << format.width()) - 1);
            }
            let (total, own) = (rng.random_range(-160..130i64), rng.random_range(0..255i64));
            let other = (total - (own - 127) + 127).clamp(0, 255);
            let field = total + Fields::bias(fields(&d)) + rng.random_range(-12..12);
            let c = match rng.random_range(0..3) {
                0 => plain.c,
                _ => near(rng, fields(&d), field, 2),
            };
            Inputs {
                a_scales: vec![own as u64],
                b_scales: vec![other as u64],
                c,
                ..plain
            }
        };
        let model = unit("cvfpu-mxdotp", &format!("A={a},B={b},D={d},M={name}"));
        compare(&model, each, &mut rng, draw, expected);
    }
}

fn compare_tpu(seed: u64, count: usize) {
    let expected = |inputs: &Inputs| {
        let narrow = to(Format::BF16, Rounding::Rne);
        let bf16 = |bits: &u64| narrow.sum(&[value(&Format::F32, *bits)]);
        let row = |row: &[u64]| row.iter().map(bf16).collect();
        let narrowed = Inputs::new(row(&inputs.a), row(&inputs.b), 0);
        to(Format::F32, Rounding::Rne).sum(&products(&narrowed, [Format::BF16; 2]))
    };
    let draw = |rng: &mut ChaCha8Rng| Inputs {
        c: 0,
        ..drawn([Format::F32; 3], 2)(rng)
    };
    compare(
        &unit("tpu-dot", ""),
        count,
        &mut seeded(seed),
        draw,
        expected,
    );
}

#[test]
fn the_vfpu_agrees_with_the_reference() {
    compare_psp(1, 4000);
}

#[test]
fn amx_fp8_agrees_with_the_reference() {
    compare_fp8(1, 250);
}

#[test]
fn the_matrix_extension_of_riscv_agrees_with_the_reference() {
    compare_ime(1, 30, 60);
}

#[test]
fn mxdotp_agrees_with_the_reference() {
    compare_mxdotp(1, 30, 60);
}

#[test]
fn the_tpu_agrees_with_the_reference() {
    compare_tpu(1, 2000);
}

#[test]
#[ignore = "250,000 inputs of each: a minute"]
fn many_inputs_agree_with_the_references() {
    compare_psp(2, 250_000);
    compare_fp8(2, 62_500);
    compare_ime(2, 1000, 250);
    compare_mxdotp(2, 1000, 250);
    compare_tpu(2, 250_000);
}
