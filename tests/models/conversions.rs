//! Conversions against the definition of rounding: every code of short formats, drawn numbers of long ones; on the
//! simulator and on columns.

use crate::common::exact::{Datum, decode, greatest_code, locate, register};
use crate::common::setting::{by_day, part_of};
use mmasmt_core::batch::Columns;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, NanCode, Overflow, Rounding, SpecialCodes};
use mmasmt_questions::inputs::{Draw, Kind};
use num_bigint::BigUint;

/// The drawn numbers of a format of more than 16 bits.
const DRAWN: usize = 4000;

const OVERFLOWS: [(&str, Overflow); 4] = [
    ("ieee", Overflow::Ieee),
    ("infinity", Overflow::Infinity),
    ("saturate", Overflow::Greatest),
    ("clamp", Overflow::Clamp),
];

/// The numbers of a format that are converted.
fn numbers(format: &Format) -> Vec<u64> {
    if format.width() <= 16 {
        return (0..1 << format.width()).collect();
    }
    let signature = Model::parse(&format!("{format} -> e4m3"))
        .unwrap()
        .signature();
    let kinds = [Kind::Feature, Kind::Random, Kind::Finite, Kind::Edge];
    let draws = kinds.map(|kind| Draw::new(signature, kind, 7));
    let drawn = draws.into_iter().flat_map(|mut draw| {
        let one = move |_| draw.draw().a[0];
        (0..DRAWN / kinds.len()).map(one)
    });
    drawn.collect()
}

/// The register that a number becomes by the definitions alone.
fn expected([from, to]: [&Format; 2], rounding: Rounding, overflow: Overflow, bits: u64) -> u64 {
    let greatest = greatest_code(to);
    let beyond = match (to.specials, overflow) {
        (SpecialCodes::None, _) | (_, Overflow::Greatest) => greatest,
        _ => greatest + 1,
    };
    match decode(from, bits) {
        Datum::Nan => to.nan(NanCode::Ones),
        Datum::Infinite { negative } => register(to, negative, beyond),
        Datum::Finite(number) => {
            let magnitude = BigUint::from(number.significand);
            let overflow = match overflow {
                Overflow::Clamp => Overflow::Greatest,
                other => other,
            };
            let place = locate(to, &magnitude, number.unit);
            let code = place.round(to, number.negative, rounding, overflow);
            register(to, number.negative, code)
        }
    }
}

/// Results on the simulator, after those on columns were compared with them.
fn converted(model: &Model, numbers: &[u64]) -> Vec<u64> {
    let signature = model.signature();
    let mut columns = Columns::new(&signature);
    let mut simulator = model.simulator();
    let inputs = numbers
        .iter()
        .map(|bits| Inputs::new(vec![*bits], Vec::new(), 0));
    let results: Vec<u64> = inputs
        .map(|inputs| {
            columns.push(&inputs).unwrap();
            simulator.run(&inputs)
        })
        .collect();
    let mut on_columns = Vec::new();
    model.batch().run(&columns, &mut on_columns);
    assert_eq!(results, on_columns, "{model} on columns");
    results
}

/// Checks the conversion with these words against `expected` of every number.
fn check(text: &str, expected: impl Fn(u64) -> u64) {
    let model = Model::parse(text).unwrap();
    let numbers = numbers(&model.signature().a);
    for (bits, found) in numbers.iter().zip(converted(&model, &numbers)) {
        let expected = expected(*bits);
        assert_eq!(
            found, expected,
            "{text}: {bits:x} gives {found:x}, not {expected:x}"
        );
    }
}

#[test]
fn floats_become_the_number_that_the_rounding_selects() {
    let formats: Vec<Format> = Format::ALL
        .into_iter()
        .chain([Format::UE4M3, Format::UE5M3])
        .collect();
    let mut cases = Vec::new();
    for from in formats.iter().filter(|from| from.is_signed()) {
        for to in &formats {
            for (_, rounding) in Rounding::NAMES {
                cases.extend(OVERFLOWS.map(|overflow| (*from, *to, rounding, overflow)));
            }
        }
    }
    let count = part_of(cases.len()).min(240);
    for (from, to, rounding, (word, overflow)) in by_day(cases, count) {
        // The fields of TF32 lie above bits that it drops.
        let text = format!("{from} -> {to} by {rounding} overflow {word} nan ones");
        check(&text, |bits| {
            expected([&from, &to], rounding, overflow, bits)
        });
    }
}

#[test]
fn two_roundings_are_two_conversions() {
    for text in [
        "f64 -> f32 -> bf16",
        "f32 -> f16 -> e4m3",
        "bf16 -> e5m2 -> e2m1",
    ] {
        let formats: Vec<&str> = text.split(" -> ").collect();
        let [first, second] = [0, 1].map(|step| {
            Model::parse(&format!("{} -> {}", formats[step], formats[step + 1])).unwrap()
        });
        let both = Model::parse(text).unwrap();
        let numbers = numbers(&both.signature().a);
        let between = converted(&first, &numbers);
        assert_eq!(
            converted(&both, &numbers),
            converted(&second, &between),
            "{text}"
        );
    }
}

/// The value of a finite number or an infinity as a double.
fn value(format: &Format, bits: u64) -> f64 {
    match decode(format, bits) {
        Datum::Finite(number) => number.to_f64(),
        Datum::Infinite { negative: true } => f64::NEG_INFINITY,
        Datum::Infinite { negative: false } => f64::INFINITY,
        Datum::Nan => f64::NAN,
    }
}

/// A rounding to integers, and its word.
type Named = (&'static str, fn(f64) -> f64);

#[test]
fn integers_and_fixed_point_saturate_at_their_ends() {
    let roundings: [Named; 5] = [
        ("rne", f64::round_ties_even),
        ("rz", f64::trunc),
        ("rd", f64::floor),
        ("ru", f64::ceil),
        ("rna", f64::round),
    ];
    // The format, its ends, and the numbers in 1.
    let formats = [
        ("s8", -128.0, 127.0, 1.0),
        ("u8", 0.0, 255.0, 1.0),
        ("s4", -8.0, 7.0, 1.0),
        ("u4", 0.0, 15.0, 1.0),
        ("s16", -32768.0, 32767.0, 1.0),
        ("s32", -2147483648.0, 2147483647.0, 1.0),
        ("u32", 0.0, 4294967295.0, 1.0),
        ("i2f6", -128.0, 127.0, 64.0),
    ];
    for from in [Format::F16, Format::BF16, Format::F32, Format::E5M2] {
        for (to, least, greatest, scale) in formats {
            let width = Format::named(to).unwrap().width();
            for (word, round) in roundings {
                let nan = if to == "i2f6" { "" } else { " nan 3" };
                let text = format!("{from} -> {to} by {word} overflow saturate{nan}");
                check(&text, |bits| {
                    let x = value(&from, bits);
                    if x.is_nan() {
                        return if to == "i2f6" { 0x7f } else { 3 };
                    }
                    let integer = round(x * scale).clamp(least, greatest);
                    integer as i64 as u64 & u64::MAX >> (64 - width)
                });
            }
        }
    }
    check("f16 -> s8 overflow symmetric nan 0", |bits| {
        let x = value(&Format::F16, bits);
        let integer = if x.is_nan() {
            0.0
        } else {
            x.round_ties_even().clamp(-127.0, 127.0)
        };
        integer as i64 as u64 & 0xff
    });
}

#[test]
fn powers_of_two_are_scales() {
    for (word, up) in [
        ("rz", None),
        ("ra", Some(0)),
        ("rne", Some(1 << 22)),
        ("rnz", Some((1 << 22) + 1)),
    ] {
        check(&format!("f32 -> ue8m0 by {word}"), |bits| {
            let magnitude = bits & 0x7fff_ffff;
            if magnitude >= 0x7f80_0000 {
                return 0xff;
            }
            let (field, fraction) = (magnitude >> 23, magnitude & 0x7f_ffff);
            if field == 0 {
                // Subnormal numbers lie at and below 2^-127, which code 0 is, and between it and 2^-126.
                let rest = fraction.saturating_sub(1 << 22) << 1;
                let rounds = up.is_some_and(|least| rest >= least.max(1));
                return u64::from(fraction > 1 << 22 && rounds);
            }
            let rounds = up.is_some_and(|least| fraction >= least.max(1));
            field + u64::from(rounds)
        });
    }
}

#[test]
fn random_bits_are_an_operand() {
    let text = "unit:{unit u { a: f32  c: u32  d: e5m2  r = part(c) low 8 bits 12  d = round(a) to e5m2 by sr bits 12 random r }}";
    let model = Model::parse(text).unwrap();
    for (number, a) in numbers(&Format::F32).into_iter().enumerate().take(600) {
        let random = (number as u64 * 0x9e37_79b9) & 0xffff_ffff;
        let found = model
            .simulator()
            .run(&Inputs::new(vec![a], Vec::new(), random));
        let given = random >> 8 & 0xfff;
        let other = Model::parse(&format!("f32 -> e5m2 by sr bits 12 random {given}")).unwrap();
        let expected = other.simulator().run(&Inputs::new(vec![a], Vec::new(), 0));
        assert_eq!(found, expected, "{a:x} with {given:x}");
    }
}

#[test]
fn a_nan_keeps_its_sign_and_payload_where_a_word_says_so() {
    let of = |text: &str, bits| {
        let model = Model::parse(text).unwrap();
        model
            .simulator()
            .run(&Inputs::new(vec![bits], Vec::new(), 0))
    };
    for (text, bits, expected) in [
        ("f32 -> bf16 nan kept", 0xff81_0000, 0xffc1),
        ("f32 -> bf16 nan kept", 0x7f80_0001, 0x7fc0),
        ("f32 -> bf16 nan signed", 0xff81_0000, 0xffc0),
        ("f32 -> bf16", 0xff81_0000, 0x7fc0),
        ("f32 -> e5m2 nan signed_ones", 0xff81_0000, 0xff),
        ("f32 -> e4m3 nan signed", 0xff81_0000, 0xff),
        ("f32 -> e4m3", 0xff81_0000, 0x7f),
        // An overflow is no NaN that is kept, and has its own sign.
        ("f32 -> e4m3 nan signed", 0xc47a_0000, 0xff),
        ("f32 -> e4m3fnuz", 0xc47a_0000, 0x80),
        ("f32 -> e4m3 overflow saturate relu", 0xc47a_0000, 0x00),
        ("f32 -> e4m3 relu", 0xffc0_0000, 0x7f),
    ] {
        assert_eq!(of(text, bits), expected, "{text} of {bits:x}");
    }
}
