//! The rounding of numbers of `f64` to a narrower format with infinities, to nearest even.

use mmasmt_numbers::float::{Format, NanCode, SignBit, SpecialCodes};

/// A format of a result, of at most 32 bits, and the code of its NaNs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultFormat {
    exponent_bits: u32,
    fraction_bits: u32,
    nan: u32,
}

impl ResultFormat {
    /// The format, if it follows IEEE 754 and `f64` has all bits that its rounding needs.
    pub fn of(format: &Format, nan: NanCode) -> Option<ResultFormat> {
        let is_ieee = format.specials == SpecialCodes::Ieee && format.sign == SignBit::Signed;
        (is_ieee && format.has_fields() && format.dropped_bits == 0 && format.width() <= 32).then(
            || ResultFormat {
                exponent_bits: format.exponent_bits,
                fraction_bits: format.fraction_bits,
                nan: format.nan(nan) as u32,
            },
        )
    }

    /// The format as the constant of an instruction.
    pub(super) fn constant(self) -> u128 {
        let fields = self.exponent_bits | (self.fraction_bits << 8);
        u128::from(fields) | (u128::from(self.nan) << 32)
    }

    #[inline(always)]
    pub(super) fn of_constant(constant: u128) -> ResultFormat {
        ResultFormat {
            exponent_bits: constant as u32 & 0xff,
            fraction_bits: (constant as u32 >> 8) & 0xff,
            nan: (constant >> 32) as u32,
        }
    }

    /// The registers of the numbers whose registers in `f64` are given.
    #[inline(always)]
    pub(super) fn round<const N: usize>(self, numbers: &[u64; N]) -> [u32; N] {
        let mut registers = [0; N];
        if self.exponent_bits == 8 && self.fraction_bits == 23 {
            for lane in 0..N {
                let number = f64::from_bits(numbers[lane]);
                let register = (number as f32).to_bits();
                registers[lane] = if number.is_nan() { self.nan } else { register };
            }
        } else {
            for lane in 0..N {
                registers[lane] = self.round_by_integers(numbers[lane]);
            }
        }
        registers
    }

    #[inline(always)]
    fn round_by_integers(self, number: u64) -> u32 {
        let (sign, magnitude) = (number >> 63, number & (u64::MAX >> 1));
        let infinity = ((1 << self.exponent_bits) - 1) << self.fraction_bits;
        let bias = (1 << (self.exponent_bits - 1)) - 1;
        // A number below the normal ones of `f64` is zero here: no result is near.
        let field = (magnitude >> 52) as i32;
        let target = field - 1023 + bias;
        let subnormal = (1 - target).max(0) as u32;
        let cut = (52 - self.fraction_bits + subnormal).min(54);
        let significand = (magnitude & ((1 << 52) - 1)) | (u64::from(field > 0) << 52);
        let (whole, rest) = (significand >> cut, significand & ((1 << cut) - 1));
        let half = 1 << (cut - 1);
        let up = rest > half || rest == half && whole & 1 == 1;
        let low = ((target.max(1) - 1) as u64) << self.fraction_bits;
        let rounded = (low + whole + u64::from(up)).min(infinity);
        let register =
            rounded as u32 | ((sign as u32) << (self.exponent_bits + self.fraction_bits));
        if magnitude > 0x7ff << 52 {
            self.nan
        } else {
            register
        }
    }
}
