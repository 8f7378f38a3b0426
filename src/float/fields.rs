//! A register as fields: what the rest of the crate asks of a format in place of its bits, so that
//! another kind of format answers here.

use super::format::{Format, LeastField, SignBit};

impl Format {
    /// Whether a register has a sign.
    pub fn is_signed(&self) -> bool {
        self.sign == SignBit::Signed
    }

    /// Whether the format has subnormal numbers.
    pub fn has_subnormals(&self) -> bool {
        self.least == LeastField::Subnormal
    }

    /// Bits of the exponent field.
    pub fn field_width(&self) -> u32 {
        self.exponent_bits
    }

    /// Bits of the register below the exponent field: fraction and dropped bits.
    pub fn bits_below_field(&self) -> u32 {
        self.dropped_bits + self.fraction_bits
    }

    /// The fraction that is all ones.
    pub fn fraction_ones(&self) -> u64 {
        (1 << self.fraction_bits) - 1
    }

    /// The exponent field that is all ones.
    pub fn field_ones(&self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    /// The exponent field of the greatest finite number.
    pub fn greatest_field(&self) -> u64 {
        self.max_finite() >> self.fraction_bits
    }

    /// The exponent of the greatest finite number.
    pub fn max_exponent(&self) -> i32 {
        self.greatest_field() as i32 - self.bias()
    }

    /// The exponent field of the register.
    pub fn field(&self, register: u64) -> u64 {
        register >> self.bits_below_field() & self.field_ones()
    }

    /// The field that means `exponent`, if there is such a field.
    pub fn field_of(&self, exponent: i64) -> i64 {
        exponent + i64::from(self.bias())
    }

    /// The magnitude of an exponent field and a fraction.
    pub fn code(&self, field: u64, fraction: u64) -> u64 {
        field << self.fraction_bits | fraction
    }

    /// The register of a magnitude, without a sign.
    pub fn register_of(&self, magnitude: u64) -> u64 {
        magnitude << self.dropped_bits
    }

    /// Low bits of the register that are dropped when it is read.
    pub fn unread_bits(&self) -> u32 {
        self.dropped_bits
    }

    /// The register without the bits that are dropped when it is read.
    pub fn read_bits(&self, register: u64) -> u64 {
        register >> self.dropped_bits
    }

    /// The greatest finite number.
    pub fn greatest(&self) -> u64 {
        self.register_of(self.max_finite())
    }

    /// Positive infinity, in a format that has one.
    pub fn infinity(&self) -> u64 {
        self.register_of(self.beyond_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_is_its_fields() {
        for format in Format::ALL.into_iter().chain(Format::SCALES) {
            let one = format.one();
            assert_eq!(format.field(one) as i64, format.field_of(0), "{format}");
            let code = format.code(format.field(one), 0);
            assert_eq!(format.register_of(code), one, "{format}");
            assert_eq!(format.magnitude(format.greatest()), format.max_finite());
            let greatest = format.register(format.max_exponent(), format.fraction_ones(), false);
            assert_eq!(greatest, format.greatest(), "{format}");
            let is_beyond = !format.is_finite(format.infinity());
            assert!(is_beyond || !format.has_infinity(), "{format}");
        }
    }
}
