//! Encodings: registers split into sign, exponent field, fraction and dropped bits. Code that needs
//! the fields of a register asks a format for them here, so that another kind of format is added
//! in this file.

use super::format::{Format, LeastField, SignBit};

/// The encoding of a number in a [`Format`]: the fields of its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// Whether the sign bit is set; false in a format without sign.
    pub negative: bool,
    /// The exponent field, of `exponent_bits` bits.
    pub exponent: u64,
    /// The fraction, of `fraction_bits` bits.
    pub fraction: u64,
    /// The ignored low bits, `dropped_bits` of them.
    pub dropped: u64,
}

impl Encoding {
    /// The register of `format` with these fields; each field fits its width.
    pub fn register(&self, format: &Format) -> u64 {
        let magnitude = self.exponent << format.fraction_bits | self.fraction;
        format.signed(self.negative, magnitude) | self.dropped
    }
}

/// A finite number: `mantissa * 2^exponent`, with a minus sign if `negative`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Whether the sign bit is set.
    pub negative: bool,
    /// The significand as an integer, leading one included.
    pub mantissa: u64,
    /// The exponent of the last place of `mantissa`.
    pub exponent: i64,
}

impl Format {
    /// The number in `register`; `None` for infinities and NaNs.
    pub fn number(&self, register: u64) -> Option<Number> {
        if !self.is_finite(register) {
            return None;
        }
        let fields = self.fields(register);
        let subnormal = fields.exponent == 0 && self.has_zero();
        let hidden = u64::from(!subnormal) << self.fraction_bits;
        Some(Number {
            negative: fields.negative,
            mantissa: fields.fraction | hidden,
            exponent: fields.exponent as i64 + i64::from(subnormal)
                - i64::from(self.bias() + self.fraction_bits as i32),
        })
    }

    /// The fields of `register`, which has the width of the format.
    pub fn fields(&self, register: u64) -> Encoding {
        let magnitude = self.magnitude(register);
        let (exponent, fraction) = match self.is_integer() {
            // The magnitude of the least integer has one bit more than the fraction: do not mask
            // it.
            true => (0, magnitude),
            false => (
                magnitude >> self.fraction_bits,
                magnitude & self.max_fraction(),
            ),
        };
        Encoding {
            negative: self.is_negative(register),
            exponent,
            fraction,
            dropped: register & ((1 << self.dropped_bits) - 1),
        }
    }

    /// The greatest fraction: all bits one.
    pub fn max_fraction(&self) -> u64 {
        (1 << self.fraction_bits) - 1
    }

    /// The greatest exponent field of a finite number.
    pub fn max_exponent_field(&self) -> u64 {
        self.max_finite() >> self.fraction_bits
    }

    /// The exponent of the finite number with the greatest magnitude.
    pub fn max_exponent(&self) -> i32 {
        let least = self.is_complement();
        (self.max_finite_of(least) >> self.fraction_bits) as i32 - self.bias()
    }

    /// Whether registers have a sign bit that is read.
    pub fn is_signed(&self) -> bool {
        matches!(self.sign, SignBit::Signed | SignBit::TwosComplement)
    }

    /// Whether the format has subnormal numbers.
    pub fn has_subnormals(&self) -> bool {
        self.least == LeastField::Subnormal
    }

    /// The number of bits of the exponent field.
    pub fn field_width(&self) -> u32 {
        self.exponent_bits
    }

    /// The number of bits of the register below the exponent field: fraction and dropped bits.
    pub fn bits_below_field(&self) -> u32 {
        self.dropped_bits + self.fraction_bits
    }

    /// The exponent field with all bits one.
    pub fn field_ones(&self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    /// The exponent field of the register.
    pub fn field(&self, register: u64) -> u64 {
        let code = match self.is_complement() {
            true => self.magnitude(register),
            false => register,
        };
        code.unbounded_shr(self.bits_below_field()) & self.field_ones()
    }

    /// The exponent field that means `exponent`. If the format has no such field, the result is
    /// negative or greater than every field.
    pub fn field_of(&self, exponent: i64) -> i64 {
        exponent + i64::from(self.bias())
    }

    /// The magnitude: an exponent field and a fraction as one number.
    pub fn code(&self, field: u64, fraction: u64) -> u64 {
        field << self.fraction_bits | fraction
    }

    /// The register with this magnitude and without a sign.
    pub fn register_of(&self, magnitude: u64) -> u64 {
        magnitude << self.dropped_bits
    }

    /// The number of low bits of the register that are dropped when it is read.
    pub fn unread_bits(&self) -> u32 {
        self.dropped_bits
    }

    /// The register without the low bits that are dropped when it is read.
    pub fn read_bits(&self, register: u64) -> u64 {
        register >> self.dropped_bits
    }

    /// The register of the greatest finite number.
    pub fn greatest(&self) -> u64 {
        self.register_of(self.max_finite())
    }

    /// The register of positive infinity, in a format that has infinities.
    pub fn infinity(&self) -> u64 {
        self.register_of(self.beyond_finite())
    }
}
