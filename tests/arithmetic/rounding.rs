//! Rounding and widening: all modes, both treatments of overflow, three instances, against exact
//! rounding by search among the codes, and against `rustc_apfloat`.

use crate::common::case::{Case, quarters};
use crate::common::exact::{self, Datum, Finite, decode, greatest_code};
use crate::common::setting::is_full;
use mmasmt_numbers::bits::{Big, Bv, Concrete, W64, W128};
use mmasmt_numbers::float::{Format, NanCode, Overflow, Rounding, widen};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half};
use rustc_apfloat::{Float, FloatConvert, Round};

const SMALL: [Format; 4] = [Format::F16, Format::BF16, Format::E4M3, Format::E5M2];

/// Every code of the small formats and the three points between it and the next one.
fn check_small_formats<B: Concrete>(step: usize) {
    for format in SMALL {
        let step = if format.width() == 8 { 1 } else { step };
        for code in (0..=greatest_code(&format)).step_by(step) {
            (0..4).for_each(|k| quarters(&format, code, k).check::<B>(&format));
        }
    }
}

#[test]
fn every_number_and_midpoint_of_small_formats_rounds_right() {
    check_small_formats::<W64>(if is_full() { 1 } else { 5 });
}

// A prime step visits every fraction and every exponent.
#[test]
fn numbers_and_midpoints_round_right_on_the_wider_instances() {
    check_small_formats::<W128>(11);
    check_small_formats::<Big>(61);
}

/// Numbers of random widths around the range of `format`; some have a simple tail, so that they
/// are ties or next to ties.
fn random_case(rng: &mut ChaCha8Rng, format: &Format, widest: u32) -> Case {
    let width = rng.random_range(1..=widest);
    let exponent_width = rng.random_range(1..=12);
    let exponent = rng.random::<u64>() & exact::ones(exponent_width);
    let fraction_bits = rng.random_range(0..=width + 8);
    let tail = rng.random_range(0..width);
    let mut significand = rng.random::<u128>() >> (128 - width);
    match rng.random_range(0..4) {
        0 => significand = significand >> tail << tail,
        1 => significand |= (1 << tail) - 1,
        2 => significand >>= tail,
        _ => {}
    }
    // The exponent of the highest bit: from the smallest numbers to beyond the greatest one.
    let bias = exact::bias(format) as i32;
    let top = rng.random_range(-bias - format.precision() as i32 - 4..=bias + 6);
    let near = top - exponent as i32 + fraction_bits as i32 - width as i32 + 1;
    let far = rng.random_range(-5000..=5000);
    let exponent_offset = if rng.random_ratio(1, 8) { far } else { near };
    Case {
        exponent,
        exponent_width,
        exponent_offset,
        significand,
        width,
        fraction_bits,
    }
}

#[test]
fn random_numbers_round_right_on_every_instance() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let wide = [Format::F32, Format::TF32, Format::F32.with_fraction(13)];
    for format in SMALL.into_iter().chain(wide) {
        for _ in 0..5000 {
            // Exponent and fraction together must fit the word as well: at most 14 and 23 bits.
            random_case(&mut rng, &format, 64).check::<W64>(&format);
            random_case(&mut rng, &format, 128).check::<W128>(&format);
        }
        (0..1000).for_each(|_| random_case(&mut rng, &format, 128).check::<Big>(&format));
    }
    (0..2000).for_each(|_| {
        random_case(&mut rng, &Format::F64, 128).check::<W128>(&Format::F64);
    });
}

/// All quarters of `format` against `F`, in the modes that `rustc_apfloat` has.
fn check_apfloat<F: Float>(format: &Format)
where
    Double: FloatConvert<F>,
{
    // The mode for a number and that for its negative: `rustc_apfloat` 0.2.3 takes the wrong one
    // for negative numbers that overflow in E4M3.
    let modes = [
        (Rounding::Rz, [Round::TowardZero; 2]),
        (Rounding::Rne, [Round::NearestTiesToEven; 2]),
        (Rounding::Rd, [Round::TowardNegative, Round::TowardPositive]),
        (Rounding::Ru, [Round::TowardPositive, Round::TowardNegative]),
    ];
    for (code, k) in (0..=greatest_code(format)).flat_map(|code| (0..4).map(move |k| (code, k))) {
        let case = quarters(format, code, k);
        let (significand, unit) = (case.significand as u64, case.unit());
        let exact = Finite {
            negative: false,
            significand,
            unit,
            exponent: 0,
        };
        let double = Double::from_bits(exact.to_f64().to_bits().into());
        for (mode, rounds) in modes {
            for (negative, round) in [false, true].into_iter().zip(rounds) {
                let magnitude: F = double.convert_r(round, &mut false).value;
                let code = magnitude.to_bits() as u64;
                let expected = exact::register(format, negative, code);
                let found = case.rounded::<W64>(format, negative, (mode, Overflow::Ieee));
                assert_eq!(found, expected, "{case:?} to {format}, {mode:?} {negative}");
            }
        }
    }
}

#[test]
fn numbers_and_midpoints_round_as_rustc_apfloat_rounds_them() {
    check_apfloat::<Half>(&Format::F16);
    check_apfloat::<BFloat>(&Format::BF16);
    check_apfloat::<Float8E5M2>(&Format::E5M2);
    check_apfloat::<Float8E4M3FN>(&Format::E4M3);
}

#[test]
fn what_is_beyond_all_numbers_overflows_as_the_policy_says() {
    let huge = Case {
        exponent_offset: 4000,
        ..quarters(&Format::F32, 1 << 23, 0)
    };
    for (overflow, rz) in [
        (Overflow::Infinity, 0x7f80_0000),
        (Overflow::Ieee, 0x7f7f_ffff),
    ] {
        let found = huge.rounded::<W64>(&Format::F32, false, (Rounding::Rz, overflow));
        assert_eq!(found, rz);
    }
}

/// Every register of `from` as f16, on two instances.
fn check_widening(from: &Format) {
    for register in 0..1 << from.width() {
        let wide = widen(from, &Format::F16, &W64::lit(from.width(), register)).to_u64();
        let big = widen(from, &Format::F16, &Big::lit(from.width(), register)).to_u64();
        assert_eq!(wide, big, "{from} {register:x}");
        match (decode(from, register), decode(&Format::F16, wide)) {
            (Datum::Finite(x), Datum::Finite(y)) => {
                assert_eq!(
                    x.to_f64().to_bits(),
                    y.to_f64().to_bits(),
                    "{from} {register:x}"
                );
            }
            (Datum::Nan, _) => assert_eq!(wide, Format::F16.nan(NanCode::Ones)),
            (x, y) => assert_eq!(x, y, "{from} {register:x}"),
        }
    }
}

#[test]
fn every_fp8_register_widens_to_the_same_number_in_f16() {
    check_widening(&Format::E4M3);
    check_widening(&Format::E5M2);
}
