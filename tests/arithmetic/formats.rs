//! Unpacking against other decodings: every register of 16 bits and fewer, and the edges and random
//! bits of the wider ones.

use crate::common::exact::{self, Datum, bias, ones};
use crate::common::inputs::boundary;
use crate::common::unpacked::{apfloat, as_f64, check, check_all, same};
use half::{bf16, f16};
use mmasmt_numbers::float::{Format, SpecialCodes};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_apfloat::ieee::{BFloat, Float8E4M3FN, Float8E5M2, Half, Single};

/// Edges and random registers of a wide format, with the bits below it random too.
fn sample(format: &Format, count: usize) -> impl Iterator<Item = u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut low = ChaCha8Rng::seed_from_u64(2);
    let (width, dropped) = (format.width(), format.dropped_bits);
    let random = (0..count).map(move |_| rng.random::<u64>() & ones(width));
    let edges = boundary(format)
        .into_iter()
        .flat_map(|register| [register; 8]);
    random.chain(edges.map(move |register| register | low.random::<u64>() & !(u64::MAX << dropped)))
}

#[test]
fn every_f16_register_unpacks_to_its_number() {
    check_all(&Format::F16, apfloat::<Half>);
    check_all(&Format::F16, |register| {
        f16::from_bits(register as u16).to_f64()
    });
}

#[test]
fn every_bf16_register_unpacks_to_its_number() {
    check_all(&Format::BF16, apfloat::<BFloat>);
    check_all(&Format::BF16, |register| {
        bf16::from_bits(register as u16).to_f64()
    });
}

#[test]
fn every_fp8_register_unpacks_to_its_number() {
    check_all(&Format::E4M3, apfloat::<Float8E4M3FN>);
    check_all(&Format::E5M2, apfloat::<Float8E5M2>);
}

#[test]
fn f32_and_f64_registers_unpack_to_their_numbers() {
    for register in sample(&Format::F32, 100_000) {
        let found = as_f64(check(&Format::F32, register));
        assert!(
            same(found, f32::from_bits(register as u32).into()),
            "{register:x}"
        );
        assert!(same(found, apfloat::<Single>(register)), "{register:x}");
    }
    for register in sample(&Format::F64, 100_000) {
        let found = as_f64(check(&Format::F64, register));
        assert!(same(found, f64::from_bits(register)), "{register:x}");
    }
}

#[test]
fn tf32_registers_lose_their_13_low_bits() {
    for register in sample(&Format::TF32, 100_000) {
        let found = as_f64(check(&Format::TF32, register));
        let cut = f32::from_bits(register as u32 & !0x1fff);
        assert!(same(found, cut.into()), "{register:x}");
    }
}

#[test]
fn a_nan_whose_payload_is_dropped_becomes_an_infinity() {
    for payload in 1..1 << 13 {
        let negative = check(&Format::TF32, 0xff80_0000 | payload);
        assert_eq!(negative, Datum::Infinite { negative: true });
        let positive = check(&Format::TF32, 0x7f80_0000 | payload);
        assert_eq!(positive, Datum::Infinite { negative: false });
    }
    assert_eq!(check(&Format::TF32, 0x7f80_2000), Datum::Nan);
}

#[test]
fn formats_with_fewer_fraction_bits_drop_the_others() {
    let e8m13 = Format::F32.with_fraction(13);
    assert_eq!(
        (e8m13.width(), e8m13.precision(), e8m13.bias()),
        (32, 14, 127)
    );
    for register in sample(&e8m13, 100_000) {
        let cut = f32::from_bits(register as u32 & !0x3ff);
        assert!(
            same(as_f64(check(&e8m13, register)), cut.into()),
            "{register:x}"
        );
    }
}

#[test]
fn constants_of_the_formats_are_those_of_their_definitions() {
    for format in Format::ALL {
        let limits = [format.max_finite(), format.beyond_finite()];
        let greatest = exact::greatest_code(&format);
        let has_more = format.specials != SpecialCodes::None;
        let beyond = greatest + u64::from(has_more);
        assert_eq!(limits, [greatest, beyond], "{format}");
        assert_eq!(i64::from(format.bias()), bias(&format), "{format}");
        assert_eq!(
            i64::from(format.min_exponent()),
            1 - bias(&format),
            "{format}"
        );
        assert_eq!(Format::named(format.name()), Some(format));
        assert_eq!(Format::scale_named(format.name()), None);
    }
}

#[test]
fn names_of_formats_are_those_of_operands_or_of_scales() {
    assert_eq!(Format::named("xf32"), Some(Format::TF32));
    let scales = [Format::UE8M0, Format::UE4M3, Format::UE5M3];
    assert_eq!(Format::SCALES, scales);
    for format in Format::SCALES {
        assert_eq!(Format::scale_named(format.name()), Some(format));
        assert_eq!(Format::named(format.name()), None);
    }
}
