//! The formats of 8 bits and fewer, block scales among them: every register against the numbers of
//! its definition, every number written and read again, every gap between two numbers rounded.

use crate::common::case::{Case, MODES, OVERFLOWS};
use crate::common::exact::{self, Datum, greatest_code, locate, ones};
use crate::common::unpacked::{apfloat, as_f64, check, check_all};
use mmasmt_numbers::bits::{Big, Concrete, W64};
use mmasmt_numbers::float::{Format, SignBit, SpecialCodes, hex_float, parse_value};
use num_bigint::BigUint;
use rustc_apfloat::ieee::{Float8E4M3FN, Float8E5M2};

const SMALL: [Format; 11] = [
    Format::E4M3,
    Format::E5M2,
    Format::E4M3FNUZ,
    Format::E5M2FNUZ,
    Format::E2M3,
    Format::E3M2,
    Format::E2M1,
    Format::UE8M0,
    Format::UE4M3,
    Format::E3M4,
    Format::UE5M3,
];

/// The magnitudes of a table, in the order of their codes; the highest bit of a register is a sign.
fn check_table(format: &Format, magnitudes: &[f64]) {
    let codes = 1 << (format.width() - 1);
    assert_eq!(magnitudes.len(), codes);
    check_all(format, |register| {
        let magnitude = magnitudes[register as usize % codes];
        if register as usize >= codes {
            -magnitude
        } else {
            magnitude
        }
    });
}

// OCP Microscaling Formats (MX), tables of FP4 and FP6.
#[test]
fn every_fp4_and_fp6_register_unpacks_to_the_number_of_its_table() {
    check_table(&Format::E2M1, &[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
    let e2m3 = [
        0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, // subnormal
        1.0, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, //
        2.0, 2.25, 2.5, 2.75, 3.0, 3.25, 3.5, 3.75, //
        4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5,
    ];
    check_table(&Format::E2M3, &e2m3);
    let e3m2 = [
        0.0, 0.0625, 0.125, 0.1875, // subnormal
        0.25, 0.3125, 0.375, 0.4375, //
        0.5, 0.625, 0.75, 0.875, //
        1.0, 1.25, 1.5, 1.75, //
        2.0, 2.5, 3.0, 3.5, //
        4.0, 5.0, 6.0, 7.0, //
        8.0, 10.0, 12.0, 14.0, //
        16.0, 20.0, 24.0, 28.0,
    ];
    check_table(&Format::E3M2, &e3m2);
}

// The exponents are one less than in the OCP formats of the same fields; -0 is the NaN, and the
// codes that are infinities and NaNs there are numbers.
#[test]
fn every_fnuz_register_unpacks_to_half_of_its_ocp_number() {
    check_all(&Format::E4M3FNUZ, |register| match register {
        0x80 => f64::NAN,
        0x7f => 240.0,
        0xff => -240.0,
        _ => apfloat::<Float8E4M3FN>(register) / 2.0,
    });
    check_all(&Format::E5M2FNUZ, |register| match register {
        0x80 => f64::NAN,
        0x7c..=0x7f => [32768.0, 40960.0, 49152.0, 57344.0][register as usize - 0x7c],
        0xfc..=0xff => [-32768.0, -40960.0, -49152.0, -57344.0][register as usize - 0xfc],
        _ => apfloat::<Float8E5M2>(register) / 2.0,
    });
}

#[test]
fn every_e3m4_register_unpacks_to_its_number() {
    check_all(&Format::E3M4, |register| {
        let (field, fraction) = (register >> 4 & 7, register & 15);
        let magnitude = match (field, fraction) {
            (7, 0) => f64::INFINITY,
            (7, _) => f64::NAN,
            (0, _) => fraction as f64 / 64.0,
            _ => (16 + fraction) as f64 / 16.0 * 2f64.powi(field as i32 - 3),
        };
        if register >> 7 == 1 {
            -magnitude
        } else {
            magnitude
        }
    });
}

#[test]
fn every_block_scale_unpacks_to_its_number() {
    check_all(&Format::UE8M0, |register| match register {
        0xff => f64::NAN,
        _ => 2f64.powi(register as i32 - 127),
    });
    check_all(&Format::UE5M3, |register| match register {
        0xff => f64::NAN,
        0..8 => f64::from(register as u32) * 2f64.powi(-17),
        _ => f64::from(8 + register as u32 % 8) * 2f64.powi(register as i32 / 8 - 18),
    });
    // The highest bit is not read.
    check_all(&Format::UE4M3, |register| {
        apfloat::<Float8E4M3FN>(register & 0x7f)
    });
    for register in [0x7f, 0xff] {
        assert_eq!(check(&Format::UE4M3, register), Datum::Nan);
    }
    assert_eq!(as_f64(check(&Format::UE4M3, 0xb8)), 1.0);
}

#[test]
fn the_value_of_every_register_names_that_register() {
    for format in SMALL {
        let read_bits = match format.sign {
            SignBit::Ignored => format.width() - 1,
            SignBit::Signed | SignBit::TwosComplement | SignBit::Absent => format.width(),
        };
        for register in 0..1 << format.width() {
            let read = register & ones(read_bits);
            let datum = exact::decode(&format, register);
            // Only one NaN has the name of all.
            let (text, expected) = match datum {
                Datum::Nan => ("nan".to_owned(), None),
                Datum::Infinite { negative } => {
                    let text = if negative { "-inf" } else { "inf" };
                    (text.to_owned(), Some(read))
                }
                // As many decimals as 2^-127 has.
                Datum::Finite(x) => (format!("{:.127}", x.to_f64()), Some(read)),
            };
            let found = parse_value(&format, &text).unwrap();
            match expected {
                Some(expected) => assert_eq!(found, expected, "{format} {register:x}: {text}"),
                None => assert_eq!(exact::decode(&format, found), Datum::Nan),
            }
            if let Datum::Finite(_) = datum {
                let text = hex_float(&format, register);
                assert_eq!(parse_value(&format, &text), Ok(read), "{format}: {text}");
            }
        }
    }
}

#[test]
fn what_a_format_does_not_have_is_refused() {
    let refused = |format: &Format, text: &str| {
        assert!(parse_value(format, text).is_err(), "{format}: {text}");
    };
    for format in SMALL {
        let has_infinity = format.specials == SpecialCodes::Ieee;
        assert_eq!(
            parse_value(&format, "inf").is_ok(),
            has_infinity,
            "{format}"
        );
        let has_nan = format.specials != SpecialCodes::None;
        assert_eq!(parse_value(&format, "nan").is_ok(), has_nan, "{format}");
    }
    let unsigned = [Format::UE4M3, Format::UE5M3];
    for format in [Format::E4M3FNUZ, Format::E5M2FNUZ].iter().chain(&unsigned) {
        refused(format, "-0");
        assert_eq!(parse_value(format, "0"), Ok(0));
    }
    for text in ["-1", "0", "-0", "3", "0x1p-128", "0x1p128"] {
        refused(&Format::UE8M0, text);
    }
    refused(&Format::UE4M3, "-1");
    refused(&Format::UE4M3, "480");
    refused(&Format::E2M1, "2.5");
    refused(&Format::E2M1, "8");
}

/// Bits of a number behind the last place that its format keeps.
const TAIL: u32 = 8;

/// The number of a code and `tail` of the `2^TAIL` parts of the way to the next one.
fn between(format: &Format, code: u64, tail: u64) -> Case {
    let Datum::Finite(x) = exact::decode(format, code) else {
        panic!("{code:x} is no number")
    };
    Case {
        exponent: (x.exponent + exact::bias(format)) as u64,
        exponent_width: format.exponent_bits,
        exponent_offset: -format.bias(),
        significand: u128::from((x.significand << TAIL) + tail),
        width: format.precision() + TAIL,
        fraction_bits: format.fraction_bits + TAIL,
    }
}

/// Every number, the midpoint of every gap, and their neighbours, in every mode.
fn check_rounding<B: Concrete>(format: &Format) {
    let half = 1 << (TAIL - 1);
    let tails = [0, 1, half - 1, half, half + 1, (1 << TAIL) - 1];
    let ways = MODES
        .into_iter()
        .flat_map(|mode| OVERFLOWS.map(|o| (mode, o)));
    for (code, tail) in (0..=greatest_code(format)).flat_map(|code| tails.map(|tail| (code, tail)))
    {
        let case = between(format, code, tail);
        let position = locate(format, &BigUint::from(case.significand), case.unit());
        for ((mode, overflow), negative) in ways.clone().flat_map(|way| [(way, false), (way, true)])
        {
            let found = case.rounded::<B>(format, negative, (mode, overflow));
            let expected = position.round(format, negative, mode, overflow);
            assert_eq!(
                found,
                exact::register(format, negative && format.sign == SignBit::Signed, expected),
                "{case:?} to {format}, {mode:?} {overflow:?} {negative}"
            );
        }
    }
}

// A block scale without a zero is never rounded to.
#[test]
fn every_number_and_midpoint_and_their_neighbours_round_right() {
    for format in SMALL.into_iter().filter(|f| *f != Format::UE8M0) {
        check_rounding::<W64>(&format);
        check_rounding::<Big>(&format);
    }
}
