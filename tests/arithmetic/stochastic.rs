//! Stochastic rounding over all random bits, against exact rationals: how many of them round up, the
//! mean, and the least and the greatest result; and the names of roundings.

use crate::common::case::{Case, quarters};
use crate::common::exact::{Datum, decode, greatest_code};
use mmasmt_numbers::bits::W64;
use mmasmt_numbers::float::{Format, Overflow, Rounding, Stochastic};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;

type BigRational = Ratio<BigInt>;

/// The number of a register.
fn value(format: &Format, register: u64) -> BigRational {
    let Datum::Finite(x) = decode(format, register) else {
        panic!("{format}: {register:x} is no number")
    };
    scaled(x.significand.into(), x.unit)
}

fn scaled(significand: u128, unit: i64) -> BigRational {
    let power = BigRational::from_integer(BigInt::from(1) << unit.unsigned_abs());
    let significand = BigRational::from_integer(significand.into());
    if unit < 0 {
        significand / power
    } else {
        significand * power
    }
}

fn results(case: &Case, format: &Format, bits: u32, negative: bool) -> Vec<u64> {
    let all = (0..1 << bits).map(|random| Rounding::Sr(Stochastic { bits, random }));
    let how = all.map(|rounding| (rounding, Overflow::Ieee));
    how.map(|how| case.rounded::<W64>(format, negative, how))
        .collect()
}

/// A number between a code and the next one: `part` of `2^8` of the way.
fn between(format: &Format, code: u64, part: u64) -> Case {
    let case = quarters(format, code, 0);
    Case {
        significand: (case.significand << 6) + u128::from(part),
        width: case.width + 6,
        fraction_bits: case.fraction_bits + 6,
        ..case
    }
}

#[test]
fn the_share_of_bits_that_round_up_is_how_far_a_number_is_from_the_one_below() {
    for format in [
        Format::E4M3,
        Format::E5M2,
        Format::E2M3,
        Format::E3M2,
        Format::E2M1,
    ] {
        for code in 0..greatest_code(&format) {
            let parts = [0, 1, 31, 64, 100, 127, 128, 129, 200, 255];
            for (part, bits) in parts
                .into_iter()
                .flat_map(|part| [1, 3, 5].map(|bits| (part, bits)))
            {
                let case = between(&format, code, part);
                let exact = scaled(case.significand, case.unit());
                let found = results(&case, &format, bits, false);
                let [low, high] = [code, code + 1].map(|code| code << format.dropped_bits);
                let text = format!("{format} {code:x} + {part}/256, {bits} bits");
                assert!(
                    found.iter().all(|one| *one == low || *one == high),
                    "{text}"
                );
                // What is left in units of 2^-bits, cut.
                let ups = found.iter().filter(|one| **one == high).count() as u64;
                let step = value(&format, high) - value(&format, low);
                let left = (&exact - value(&format, low)) / &step;
                let patterns = BigRational::from_integer((1u64 << bits).into());
                let expected = (&left * &patterns).floor();
                assert_eq!(BigRational::from_integer(ups.into()), expected, "{text}");
                // The mean is below the exact number, by less than 2^-bits of the last place.
                let sum: BigRational = found.iter().map(|one| value(&format, *one)).sum();
                let bias = exact - sum / &patterns;
                assert!(
                    bias >= BigRational::zero() && bias < step / patterns,
                    "{text}"
                );
                // The least is that of no bits, the greatest that of all.
                assert_eq!(found.iter().min(), found.first(), "{text}");
                assert_eq!(found.iter().max(), found.last(), "{text}");
                assert!(found.is_sorted(), "{text}");
                // Magnitudes are rounded: a negative number has the same one.
                let negative = results(&case, &format, bits, true);
                let sign = 1 << (format.width() - 1);
                let same = negative.iter().zip(&found).all(|(x, y)| *x == *y | sign);
                assert!(same, "{text}");
            }
        }
    }
}

#[test]
fn what_the_format_has_is_not_changed_and_what_is_beyond_is_as_in_rounding_to_nearest() {
    let format = Format::E5M2;
    for code in 0..=greatest_code(&format) {
        let found = results(&quarters(&format, code, 0), &format, 4, false);
        assert!(found.iter().all(|one| *one == code), "{code:x}");
    }
    let infinity = greatest_code(&format) + 1;
    // Half of the way from the greatest number to the next power of two: half of all bits.
    let found = results(
        &quarters(&format, greatest_code(&format), 2),
        &format,
        4,
        false,
    );
    assert_eq!(found.iter().filter(|one| **one == infinity).count(), 8);
}

/// Bits of the number below the random ones do not count, however many there are.
#[test]
fn what_lies_below_the_random_bits_is_cut() {
    let format = Format::E4M3;
    let case = between(&format, 0x38, 0x3f);
    // 0x3f / 256 is a bit less than a quarter, of which two bits see nothing.
    assert!(
        results(&case, &format, 2, false)
            .iter()
            .all(|one| *one == 0x38)
    );
    let quarter = between(&format, 0x38, 0x40);
    let ups = results(&quarter, &format, 2, false)
        .into_iter()
        .filter(|one| *one == 0x39);
    assert_eq!(ups.count(), 1);
}

#[test]
fn roundings_are_read_as_they_are_written() {
    for name in [
        "rz",
        "rne",
        "rd",
        "ru",
        "ra",
        "odd",
        "rna",
        "rnz",
        "rnu",
        "rnd",
        "rno",
        "sr8+0x5a",
        "sr1+0x0",
        "sr32+0xffffffff",
    ] {
        assert_eq!(name.parse::<Rounding>().unwrap().to_string(), name);
    }
    let decimal: Rounding = "sr8+90".parse().unwrap();
    assert_eq!(decimal.to_string(), "sr8+0x5a");
    for wrong in [
        "",
        "sr",
        "sr8",
        "sr+1",
        "sr0+0",
        "sr33+0",
        "sr8+256",
        "sr8+0x100",
        "sr8+-1",
        "sr8++1",
        "sr8+0x+1",
        "sr+8+1",
        "SR8+1",
        "rn",
        "sr8+1 ",
    ] {
        assert!(wrong.parse::<Rounding>().is_err(), "{wrong}");
    }
}
