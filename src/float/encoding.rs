//! Encodings: registers taken apart into sign, exponent field, fraction and dropped bits.

use super::Format;

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
    /// The register of `format` with these fields, each of which fits its bits.
    pub fn register(&self, format: &Format) -> u64 {
        let sign = match self.negative {
            true => format.sign_mask(),
            false => 0,
        };
        let magnitude = self.exponent << format.fraction_bits | self.fraction;
        sign | magnitude << format.dropped_bits | self.dropped
    }
}

impl Format {
    /// The fields of `register`, which has the width of the format.
    pub fn fields(&self, register: u64) -> Encoding {
        let magnitude = self.magnitude(register);
        Encoding {
            negative: self.is_negative(register),
            exponent: magnitude >> self.fraction_bits,
            fraction: magnitude & self.max_fraction(),
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

    /// The exponent of the greatest finite number.
    pub fn max_exponent(&self) -> i32 {
        self.max_exponent_field() as i32 - self.bias()
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoding, Format};

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
}
