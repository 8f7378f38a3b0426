//! Fixed-point elements that share an exponent: MXINT8, AMD's bfp16ebs8, Tenstorrent's BFP8, BFP4 and BFP2.

use super::instances::check;
use crate::common::arithmetic::{Number, Target, Value};
use crate::common::inputs;
use crate::common::reference::evaluate;
use crate::common::setting::part_of;
use crate::common::unit::Unit;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, Format, NanCode, Rounding, parse_value, show};
use num_bigint::BigInt;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The name of a block format, its elements, the bits of one, and the last place of these.
const BLOCKS: [(&str, Format, u32, i64); 4] = [
    ("mxint8", Format::I2F6, 8, -6),
    ("bfp8", Format::E1M6, 8, -6),
    ("bfp4", Format::E1M2, 4, -2),
    ("bfp2", Format::E1M0, 2, 0),
];

fn model(text: &str) -> Model {
    Model::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// An element as an integer in units of the last place, and whether it has a minus sign.
fn element(name: &str, width: u32, code: u64) -> (i64, bool) {
    if name == "mxint8" {
        let value = i64::from(code as u8 as i8);
        return (value, value < 0);
    }
    let magnitude = (code & ((1 << (width - 1)) - 1)) as i64;
    let negative = code >> (width - 1) == 1;
    (if negative { -magnitude } else { magnitude }, negative)
}

/// The values of all codes, by integers; each is shown and read back.
#[test]
fn elements_are_integers_in_units_of_their_last_place() {
    for (name, format, width, unit) in BLOCKS {
        assert_eq!(format.width(), width, "{name}");
        for code in 0..1 << width {
            let (whole, negative) = element(name, width, code);
            let found = Dyadic::of(&format, code).unwrap();
            assert_eq!(
                found,
                Dyadic::new(BigInt::from(whole), unit),
                "{name}: {code:x}"
            );
            assert_eq!(format.is_negative(code), negative, "{name}: {code:x}");
            let shown = show(&format, code);
            let number = shown.split(' ').next().unwrap();
            assert_eq!(parse_value(&format, number), Ok(code), "{name}: {shown}");
        }
    }
    for (text, code) in [
        ("-2", 0x80),
        ("~-1.999", 0x80),
        ("~1.99", 0x7f),
        ("-0x1p-6", 0xff),
    ] {
        assert_eq!(parse_value(&Format::I2F6, text), Ok(code), "{text}");
    }
    assert!(parse_value(&Format::I2F6, "2").is_err());
}

/// Every code of an element times every scale, rounded once to f32.
#[test]
fn every_element_with_every_scale_is_exact() {
    let to = Target {
        format: Format::F32,
        rounding: Rounding::Rne,
        nan: NanCode::Quiet,
    };
    for (name, format, width, unit) in BLOCKS {
        let text = format!(
            "unit:{{unit u {{ a: {format}[1]  b: {format}[1]  sa, sb: ue8m0 of 1  c, d: f32  d = round(sum(a[0] * b[0] * sa[0] * sb[0], c)) to f32 }}}}"
        );
        let model = model(&text);
        let mut simulator = model.simulator();
        for (code, scale) in (0..1u64 << width).flat_map(|code| (0..256).map(move |s| (code, s))) {
            let inputs = Inputs {
                a_scales: vec![scale],
                b_scales: vec![127],
                ..Inputs::new(vec![code], vec![format.one()], 0)
            };
            let (whole, negative) = element(name, width, code);
            let expected = match scale {
                255 => Value::Nan,
                _ => Value::Number(Number {
                    negative,
                    magnitude: whole.unsigned_abs().into(),
                    unit: unit + scale as i64 - 127,
                }),
            };
            let zero = Value::Number(Number {
                negative: false,
                magnitude: 0u32.into(),
                unit: 0,
            });
            let expected = to.sum(&[expected, zero]);
            let found = simulator.evaluate(&inputs).unwrap();
            assert_eq!(found, expected, "{name}: {code:x} with scale {scale}");
            if scale % 32 == 31 {
                check(&model, &inputs, found);
            }
        }
    }
}

/// Drawn fused sums of blocks against the reference over integers of any size.
fn compare(seed: u64, units: usize, each: usize, checked: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for (_, a, ..) in BLOCKS {
        for number in 0..units {
            let others = [a, Format::I2F6, Format::E1M2, Format::E4M3];
            let b = others[rng.random_range(0..others.len())];
            let unit = match number % 4 {
                0 => Unit::draw(&mut rng, a, b),
                _ => Unit::draw_scaled(&mut rng, a, b),
            };
            let model = unit.model();
            let mut simulator = model.simulator();
            for number in 0..each {
                let inputs = inputs::draw(&mut rng, &model.signature());
                let found = simulator.evaluate(&inputs).unwrap();
                let expected = evaluate(&unit, &inputs);
                let line = inputs.to_line(&model.signature());
                assert_eq!(found, expected, "{model} on {line}");
                if number < checked {
                    check(&model, &inputs, found);
                }
            }
        }
    }
}

#[test]
fn blocks_agree_with_the_reference_on_all_instances() {
    compare(1, 60, 20, 4);
}

#[test]
#[ignore = "250,000 blocks: a minute"]
fn many_blocks_agree_with_the_reference() {
    compare(2, part_of(1250), 50, 1);
}

/// What the unpackers of Tenstorrent make of an element of BFP8 and its exponent: a register of bf16, whose
/// exponent wraps.
fn unpacked(datum: u8, exponent: u8) -> u64 {
    let (sign, mut magnitude) = (u64::from(datum >> 7), datum << 1);
    if magnitude == 0 {
        return if sign == 1 { 0xff80 } else { 0 };
    }
    let zeros = magnitude.leading_zeros() as u8;
    magnitude <<= zeros;
    let exponent = exponent.wrapping_sub(zeros);
    sign << 15 | u64::from(exponent) << 7 | u64::from(magnitude & 0x7e)
}

/// The adapter is the unpacker but for three kinds of codes: zero with a minus sign, which the unpacker
/// makes -2^128; exponents that wrap or give subnormal numbers; and the scale 255, which is no number.
#[test]
fn bfp_on_tenstorrent_is_what_the_unpacker_makes() {
    for (name, format, width, _) in &BLOCKS[1..] {
        let unit = model("wormhole/mvmul.f32.bf16.phase0");
        let text = format!("adapt(wormhole/mvmul.f32.bf16.phase0):in={name},scales=elements");
        let adapted = model(&text);
        let (mut unit, mut adapted) = (unit.simulator(), adapted.simulator());
        let (mut same, mut other) = (0, 0);
        for (code, scale) in (0..1u64 << width).flat_map(|code| (0..256).map(move |s| (code, s))) {
            let row = |first: u64, rest: u64| -> Vec<u64> {
                std::iter::once(first).chain([rest; 15]).collect()
            };
            let one = Inputs {
                a_scales: vec![127],
                b_scales: vec![scale],
                ..Inputs::new(row(format.one(), 0), row(code, 0), 0)
            };
            let datum = (code << (8 - width)) as u8;
            let bf16 = unpacked(datum, scale as u8);
            let plain = Inputs::new(row(0x3f80, 0), row(bf16, 0), 0);
            let found = adapted.evaluate(&one).unwrap() == unit.evaluate(&plain).unwrap();
            let zeros = u64::from((datum << 1).leading_zeros());
            let is_minus_zero = datum == 0x80;
            let is_unlike = is_minus_zero || datum != 0 && scale < zeros || scale == 255;
            assert!(found || is_unlike, "{name}: {code:x} with exponent {scale}");
            (same, other) = (same + usize::from(found), other + usize::from(!found));
        }
        // Of 65,536, 4,096 and 1,024 codes.
        let expected = [687, 275, 258][[8, 4, 2].iter().position(|bits| bits == width).unwrap()];
        assert_eq!(other, expected, "{name}: of {}", same + other);
    }
}
