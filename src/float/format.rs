//! Floating-point formats: how many bits, which bias, which codes are special.

use std::fmt;

/// Which codes of a format are not numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecialCodes {
    /// As in IEEE 754: the greatest exponent field holds infinity and the NaNs.
    Ieee,
    /// "FN": all ones is NaN, there is no infinity (OCP E4M3).
    NanOnly,
}

/// Which NaN a unit answers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NanCode {
    /// Positive, all other bits one: `7fffffff`, `7fff` (mma-sim.txt §IV-C step 1).
    Ones,
    /// Positive, quiet, no payload: `7fc00000`, `7e00`.
    Quiet,
}

/// A binary floating-point format in a register: sign, exponent field, fraction, and low bits of
/// the register that are dropped when it is read and zero when it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    name: &'static str,
    /// Bits of the exponent field.
    pub exponent_bits: u32,
    /// Bits of the fraction: those of the significand but the leading one.
    pub fraction_bits: u32,
    /// Low bits of the register that hold nothing.
    pub dropped_bits: u32,
    /// Which codes are not numbers.
    pub specials: SpecialCodes,
}

const fn ieee(
    name: &'static str,
    exponent_bits: u32,
    fraction_bits: u32,
    dropped_bits: u32,
) -> Format {
    Format {
        name,
        exponent_bits,
        fraction_bits,
        dropped_bits,
        specials: SpecialCodes::Ieee,
    }
}

impl Format {
    /// IEEE binary16.
    pub const F16: Format = ieee("f16", 5, 10, 0);
    /// bfloat16.
    pub const BF16: Format = ieee("bf16", 8, 7, 0);
    /// TF32: an f32 register whose 13 low bits are dropped (mma-sim.txt §IV-C step 0).
    pub const TF32: Format = ieee("tf32", 8, 10, 13);
    /// IEEE binary32.
    pub const F32: Format = ieee("f32", 8, 23, 0);
    /// IEEE binary64.
    pub const F64: Format = ieee("f64", 11, 52, 0);
    /// OCP FP8 E4M3 (FN): no infinity, NaN is all ones.
    pub const E4M3: Format = Format {
        specials: SpecialCodes::NanOnly,
        ..ieee("e4m3", 4, 3, 0)
    };
    /// OCP FP8 E5M2.
    pub const E5M2: Format = ieee("e5m2", 5, 2, 0);

    /// Every named format.
    pub const ALL: [Format; 7] = [
        Self::F16,
        Self::BF16,
        Self::TF32,
        Self::F32,
        Self::F64,
        Self::E4M3,
        Self::E5M2,
    ];

    /// The format of that name.
    pub fn named(name: &str) -> Option<Format> {
        Self::ALL.into_iter().find(|format| format.name == name)
    }

    /// The name, as PTX spells it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The same register with only the `bits` highest fraction bits in use ("E8M13").
    ///
    /// `bits` is at least 1 and at most the fraction bits of the format.
    #[must_use]
    pub fn with_fraction(self, bits: u32) -> Format {
        debug_assert!((1..=self.fraction_bits).contains(&bits));
        let dropped_bits = self.dropped_bits + self.fraction_bits - bits;
        Format {
            fraction_bits: bits,
            dropped_bits,
            ..self
        }
    }

    /// Whether the fields are those of `other`, whatever the names.
    #[inline(always)]
    pub fn has_layout_of(&self, other: &Format) -> bool {
        self.exponent_bits == other.exponent_bits
            && self.fraction_bits == other.fraction_bits
            && self.dropped_bits == other.dropped_bits
            && self.specials == other.specials
    }

    /// Bits of the register.
    pub fn width(&self) -> u32 {
        1 + self.magnitude_bits() + self.dropped_bits
    }
    /// Bits of exponent field and fraction together.
    pub fn magnitude_bits(&self) -> u32 {
        self.exponent_bits + self.fraction_bits
    }
    /// Hexadecimal digits of the register.
    pub fn digits(&self) -> usize {
        self.width().div_ceil(4) as usize
    }
    /// Bits of the significand, the leading one included.
    pub fn precision(&self) -> u32 {
        self.fraction_bits + 1
    }
    /// What the exponent field exceeds the exponent by.
    pub fn bias(&self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }
    /// The exponent of the least normal number, and of all subnormal ones.
    pub fn min_exponent(&self) -> i32 {
        1 - self.bias()
    }
    /// Exponent field and fraction of the greatest finite number.
    pub fn max_finite(&self) -> u64 {
        match self.specials {
            SpecialCodes::Ieee => self.top_exponent() - 1,
            SpecialCodes::NanOnly => (1 << self.magnitude_bits()) - 2,
        }
    }
    /// Exponent field and fraction of what lies beyond all finite numbers: infinity, or NaN in a
    /// format without it.
    pub fn beyond_finite(&self) -> u64 {
        self.max_finite() + 1
    }
    /// Whether the format has infinities.
    pub fn has_infinity(&self) -> bool {
        self.specials == SpecialCodes::Ieee
    }
    /// The register of the NaN `code`; dropped bits are not dropped from it.
    pub fn nan(&self, code: NanCode) -> u64 {
        match (self.specials, code) {
            (SpecialCodes::Ieee, NanCode::Quiet) => {
                (self.top_exponent() | 1 << (self.fraction_bits - 1)) << self.dropped_bits
            }
            _ => (1 << (self.width() - 1)) - 1,
        }
    }
    /// The greatest exponent field above a zero fraction.
    fn top_exponent(&self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    /// Whether the register `bits` holds a NaN.
    pub fn is_nan(&self, bits: u64) -> bool {
        let magnitude = self.magnitude(bits);
        match self.specials {
            SpecialCodes::Ieee => magnitude > self.top_exponent(),
            SpecialCodes::NanOnly => magnitude > self.max_finite(),
        }
    }
    /// Whether the register `bits` holds a finite number.
    pub fn is_finite(&self, bits: u64) -> bool {
        self.magnitude(bits) <= self.max_finite()
    }
    /// Whether the sign bit of the register `bits` is set.
    pub fn is_negative(&self, bits: u64) -> bool {
        bits >> (self.width() - 1) & 1 == 1
    }
    /// Exponent field and fraction of the register `bits`.
    pub fn magnitude(&self, bits: u64) -> u64 {
        bits >> self.dropped_bits & ((1 << self.magnitude_bits()) - 1)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
