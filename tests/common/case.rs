//! Numbers to round, and what exact rounding by search among the codes makes of them.

use super::exact::{self, Datum, decode, locate};
use mmasmt_numbers::bits::Concrete;
use mmasmt_numbers::float::{Format, Overflow, Rounding, Stochastic, UnroundedNumber, round};
use num_bigint::BigUint;

/// The modes of operations of IEEE 754, and those with other ties.
pub const MODES: [Rounding; 10] = [
    Rounding::Rz,
    Rounding::Rne,
    Rounding::Rd,
    Rounding::Ru,
    Rounding::Ra,
    Rounding::Rna,
    Rounding::Rnz,
    Rounding::Rnu,
    Rounding::Rnd,
    Rounding::Rno,
];
/// Some stochastic modes: none up, all up, and between.
pub const STOCHASTIC: [Rounding; 5] = [
    stochastic(1, 1),
    stochastic(3, 5),
    stochastic(8, 0),
    stochastic(8, 0x5a),
    stochastic(8, 0xff),
];

const fn stochastic(bits: u32, random: u64) -> Rounding {
    Rounding::Sr(Stochastic { bits, random })
}

pub const OVERFLOWS: [Overflow; 2] = [Overflow::Infinity, Overflow::Ieee];

/// A number to round, as [`UnroundedNumber`] has it, and the widths of its parts.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub exponent: u64,
    pub exponent_width: u32,
    pub exponent_offset: i32,
    pub significand: u128,
    pub width: u32,
    pub fraction_bits: u32,
}

impl Case {
    pub fn unit(&self) -> i64 {
        self.exponent as i64 + i64::from(self.exponent_offset) - i64::from(self.fraction_bits)
    }

    /// The register that the crate rounds it to, on the instance `B`.
    pub fn rounded<B: Concrete>(
        &self,
        format: &Format,
        sign: bool,
        how: (Rounding, Overflow),
    ) -> u64 {
        let (high, low) = ((self.significand >> 64) as u64, self.significand as u64);
        let significand = match self.width.checked_sub(64) {
            None | Some(0) => B::lit(self.width, low),
            Some(more) => B::lit(more, high).concat(&B::lit(64, low)),
        };
        let value = UnroundedNumber {
            random: None,
            sign: &sign,
            exponent: &B::lit(self.exponent_width, self.exponent),
            exponent_offset: self.exponent_offset,
            significand: &significand,
            fraction_bits: self.fraction_bits,
        };
        format
            .assemble(&sign, &round(&value, format, how.0, how.1))
            .to_u64()
    }

    /// Checks both signs, all modes and both treatments of overflow on the instance `B`.
    pub fn check<B: Concrete>(&self, format: &Format) {
        let position = locate(format, &BigUint::from(self.significand), self.unit());
        for (mode, overflow) in MODES
            .into_iter()
            .chain(STOCHASTIC)
            .flat_map(|mode| OVERFLOWS.map(|o| (mode, o)))
        {
            for sign in [false, true] {
                let found = self.rounded::<B>(format, sign, (mode, overflow));
                let code = position.round(format, sign, mode, overflow);
                let expected = exact::register(format, sign, code);
                assert_eq!(
                    found, expected,
                    "{self:?} to {format}, {mode:?} {overflow:?} {sign}"
                );
            }
        }
    }
}

/// The number of a code and `quarters` of the way to the next one.
pub fn quarters(format: &Format, code: u64, quarters: u64) -> Case {
    let register = exact::register(format, false, code);
    let Datum::Finite(x) = decode(format, register) else {
        panic!("{register:x} is no number")
    };
    Case {
        exponent: (x.exponent + exact::bias(format)) as u64,
        exponent_width: format.exponent_bits,
        exponent_offset: -format.bias(),
        significand: u128::from(4 * x.significand + quarters),
        width: format.precision() + 2,
        fraction_bits: format.fraction_bits + 2,
    }
}
