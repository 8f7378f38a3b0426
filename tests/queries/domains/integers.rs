//! Registers that hold an integer between two others.

use mmasmt_core::numbers::bits::{Bv, W128};
use mmasmt_core::numbers::float::{Dyadic, Format};
use mmasmt_questions::claims::property::{is_number_between, is_register_between};
use num_bigint::BigInt;
use num_traits::Zero;

/// Compares both tests with the exact value of every register of every format of at most 8
/// bits.
#[test]
fn integers_are_those_whose_exact_value_is_one() {
    let limits = [
        -300, -17, -16, -15, -3, -1, 0, 1, 2, 9, 15, 17, 100, 448, 500,
    ];
    let formats = Format::ALL
        .into_iter()
        .chain(Format::ELEMENTS)
        .filter(|format| format.width() <= 8 && format.has_zero() && !format.is_integer());
    for format in formats {
        for register in (0..1 << format.width()).filter(|&bits| format.is_finite(bits)) {
            let Some(value) = Dyadic::of(&format, register) else {
                continue;
            };
            let whole = value.mantissa().is_zero() || value.exponent() >= 0;
            let number: BigInt = if whole {
                value.mantissa() << value.exponent().max(0)
            } else {
                BigInt::zero()
            };
            for (low, high) in limits.iter().flat_map(|x| limits.map(|y| (*x, y))) {
                let expected = whole && number >= low.into() && number <= high.into();
                let word = W128::lit(format.width(), register);
                let found = is_number_between(&format, &word, [low, high]);
                let name = format.name();
                assert_eq!(found, expected, "{name}: {register:x} {low}..{high}");
                let told = is_register_between(&format, register, [low, high]);
                assert_eq!(told, expected, "{name}: {register:x} {low}..{high}");
            }
        }
    }
}
