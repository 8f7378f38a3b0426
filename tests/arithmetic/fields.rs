//! The fields of a register, and registers of fields.

use mmasmt_numbers::float::{Encoding, Format};

#[test]
fn fields_are_those_of_the_standards() {
    let fields = |negative, exponent, fraction, dropped| Encoding {
        negative,
        exponent,
        fraction,
        dropped,
    };
    for (format, register, expected) in [
        (Format::F16, 0xbc01, fields(true, 15, 1, 0)),
        (Format::TF32, 0x3f80_3fff, fields(false, 127, 1, 0x1fff)),
        (Format::UE8M0, 0x80, fields(false, 128, 0, 0)),
        (Format::F64, 1 << 63, fields(true, 0, 0, 0)),
    ] {
        let found = format.fields(register);
        assert_eq!(found, expected, "{format}");
        assert_eq!(found.register(&format), register, "{format}");
    }
    // The sign bit of UE4M3 is not read.
    assert_eq!(Format::UE4M3.fields(0xb8), fields(false, 7, 0, 0));
}

/// Compares the integer formats with the integers of Rust.
#[test]
fn integers_are_in_twos_complement() {
    let value = |format: &Format, register| {
        let number = format.number(register).unwrap();
        assert_eq!(number.exponent, 0);
        let magnitude = i128::from(number.mantissa);
        if number.negative {
            -magnitude
        } else {
            magnitude
        }
    };
    for register in 0..256u64 {
        assert_eq!(
            value(&Format::S8, register),
            i128::from(register as u8 as i8)
        );
        assert_eq!(value(&Format::U8, register), i128::from(register));
        for format in [Format::S8, Format::U8] {
            assert_eq!(format.fields(register).register(&format), register);
        }
        let nibble = (register as u8 as i8) << 4 >> 4;
        assert_eq!(value(&Format::S4, register & 15), i128::from(nibble));
    }
    assert_eq!(value(&Format::S64, 1 << 63), -(1i128 << 63));
    assert_eq!(value(&Format::S32, 0xffff_ffff), -1);
    assert_eq!(value(&Format::B1, 1), 1);
    assert_eq!(
        Format::S8.register(3, 1, true),
        0xf8,
        "-1.0000001b * 8, cut"
    );
    assert_eq!(
        Format::S8.register(40, 0, true),
        0x81,
        "the greatest magnitude of both signs"
    );
    assert_eq!(Format::U8.register(40, 0, true), 0xff);
    assert_eq!(Format::S8.register(-1, 0, false), 0);
}

#[test]
fn a_register_is_its_fields() {
    let all = Format::ALL.into_iter().chain(Format::SCALES);
    for format in all.chain(Format::INTEGERS).chain(Format::ELEMENTS) {
        let one = format.one();
        if format.is_integer() {
            assert_eq!(format.register(0, 0, false), one, "{format}");
            assert_eq!(format.least_exponent(), 0, "{format}");
        } else {
            assert_eq!(format.field(one) as i64, format.field_of(0), "{format}");
        }
        let code = format.magnitude(one);
        assert_eq!(format.register_of(code), one, "{format}");
        assert_eq!(format.magnitude(format.greatest()), format.max_finite());
        let greatest = format.register(format.max_exponent(), format.max_fraction(), false);
        assert_eq!(greatest, format.greatest(), "{format}");
        let is_beyond = !format.is_finite(format.infinity());
        assert!(is_beyond || !format.has_infinity(), "{format}");
    }
}
