//! Unpacking one register on several instances, and the f64 that it stands for.

use super::exact::{self, Datum, Finite, bias};
use mmasmt_numbers::bits::{Big, Bv, Concrete, W64};
use mmasmt_numbers::float::{Dyadic, Format, SignBit, UnpackedRegister, unpack};
use num_bigint::BigInt;
use rustc_apfloat::ieee::Double;
use rustc_apfloat::{Float, FloatConvert};

/// What an unpacked register holds, its parts put together again.
fn datum<B: Concrete>(format: &Format, x: &UnpackedRegister<B>) -> Datum {
    assert_eq!(x.exponent.width(), format.exponent_bits);
    assert_eq!(x.significand.width(), format.precision());
    assert_eq!(x.finite(), !x.nan && !x.infinite);
    assert!(!(x.nan && x.infinite));
    if x.nan {
        return Datum::Nan;
    }
    if x.infinite {
        return Datum::Infinite { negative: x.sign };
    }
    let significand = x.significand.to_u64();
    assert_eq!(x.zero, significand == 0);
    let exponent = x.exponent.to_u64() as i64 - bias(format);
    let unit = exponent - i64::from(format.fraction_bits);
    Datum::Finite(Finite {
        negative: x.sign,
        significand,
        unit,
        exponent,
    })
}

/// Checks one register on two instances, and the questions that a format answers about it.
pub fn check(format: &Format, register: u64) -> Datum {
    let expected = exact::decode(format, register);
    let word = unpack(format, &W64::lit(format.width(), register));
    let big = unpack(format, &Big::lit(format.width(), register));
    assert_eq!(datum(format, &word), expected, "{format} {register:x}");
    assert_eq!(datum(format, &big), expected, "{format} {register:x}");

    assert_eq!(
        format.is_nan(register),
        expected == Datum::Nan,
        "{format} {register:x}"
    );
    let negative = format.sign == SignBit::Signed && register >> (format.width() - 1) == 1;
    assert_eq!(
        format.is_negative(register),
        negative,
        "{format} {register:x}"
    );
    let dyadic = match expected {
        Datum::Finite(x) => {
            let mantissa = BigInt::from(x.significand);
            Some(Dyadic::new(
                if x.negative { -mantissa } else { mantissa },
                x.unit,
            ))
        }
        _ => None,
    };
    assert_eq!(
        format.is_finite(register),
        dyadic.is_some(),
        "{format} {register:x}"
    );
    assert_eq!(
        Dyadic::of(format, register),
        dyadic,
        "{format} {register:x}"
    );
    expected
}

/// The same as an f64, which holds every number of the formats here; any NaN for a NaN.
pub fn as_f64(datum: Datum) -> f64 {
    match datum {
        Datum::Nan => f64::NAN,
        Datum::Infinite { negative: false } => f64::INFINITY,
        Datum::Infinite { negative: true } => f64::NEG_INFINITY,
        Datum::Finite(x) => x.to_f64(),
    }
}

/// The same f64: one zero is not the other, one NaN is as good as another.
pub fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// What `rustc_apfloat` reads in a register.
pub fn apfloat<F: FloatConvert<Double>>(register: u64) -> f64 {
    let double: Double = F::from_bits(register.into()).convert(&mut false).value;
    f64::from_bits(double.to_bits() as u64)
}

/// Checks every register of a format, whose numbers another decoding tells.
pub fn check_all(format: &Format, value: impl Fn(u64) -> f64) {
    for register in 0..1 << format.width() {
        let (found, expected) = (as_f64(check(format, register)), value(register));
        assert!(
            same(found, expected),
            "{format} {register:x}: {found}, expected {expected}"
        );
    }
}
