//! Formats of numbers: widths of fields, bias, codes of infinities and NaNs. Integers have neither
//! an exponent field nor infinities and NaNs.

use std::fmt;

/// Which codes of a format are infinities and NaNs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecialCodes {
    /// The rule of IEEE 754: the greatest exponent field holds infinity and the NaNs.
    Ieee,
    /// "FN": the code of all ones is NaN, and there is no infinity (OCP E4M3, UE8M0).
    NanOnly,
    /// "FNUZ": the code of -0 is the only NaN, and there is neither infinity nor -0.
    NegativeZero,
    /// Neither infinities nor NaNs: every code is a finite number (OCP FP6 and FP4).
    None,
}

/// The meaning of the highest bit of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignBit {
    /// The sign.
    Signed,
    /// A bit that is not read: the number is not negative (UE4M3, Xie et al. §IV-E step 0).
    Ignored,
    /// A bit of the exponent, or of an integer: there is no sign (UE8M0, u8).
    Absent,
    /// The sign of an integer in two's complement: the highest of `n` bits counts `-2^(n-1)`. A
    /// fixed-point number in two's complement is an integer divided by a power of two.
    TwosComplement,
}

/// The meaning of exponent field 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeastField {
    /// Zero and the subnormal numbers.
    Subnormal,
    /// A normal number, as for every other field: there is no zero (UE8M0).
    Normal,
}

/// The code of a NaN result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NanCode {
    /// Positive, all other bits one: `7fffffff`, `7fff` (Xie et al. §IV-C step 1).
    Ones,
    /// Positive, quiet, no payload: `7fc00000`, `7e00`.
    Quiet,
    /// Unspecified. The model gives the quiet NaN; a recorded result may be any NaN (Xie et al.
    /// §V, special cases for NaNs: DMMA and MFMA).
    Any,
}

/// A binary format of numbers. The bits of one number are a register: sign bit, exponent field,
/// fraction, and low bits that are ignored on input and zero on output. A normal number is
/// `(-1)^sign * 1.fraction * 2^(field - bias)`.
///
/// An integer has no exponent field: all its bits are fraction and sign. It is read like a number
/// of a format that has only subnormal numbers and whose last place is 1.
///
/// A fixed-point number has the fields of a float too. With one exponent bit, field 0 and field 1 have
/// the same last place, so that sign and magnitude are those of a number in fixed point. In two's
/// complement (`i2f6`) the fields are those of the magnitude, which has as many bits as the register:
/// the exponent field 2 is that of the least number alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    name: &'static str,
    /// Width of the exponent field.
    pub exponent_bits: u32,
    /// Width of the fraction: the significand without its leading one.
    pub fraction_bits: u32,
    /// Number of low bits of the register that are ignored.
    pub dropped_bits: u32,
    /// The codes of infinities and NaNs.
    pub specials: SpecialCodes,
    /// The meaning of the highest bit of the register.
    pub sign: SignBit,
    /// The meaning of exponent field 0.
    pub least: LeastField,
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
        sign: SignBit::Signed,
        least: LeastField::Subnormal,
    }
}

const fn integer(name: &'static str, fraction_bits: u32, sign: SignBit) -> Format {
    Format {
        sign,
        ..with_codes(ieee(name, 0, fraction_bits, 0), SpecialCodes::None)
    }
}

const fn with_codes(format: Format, specials: SpecialCodes) -> Format {
    Format { specials, ..format }
}

impl Format {
    /// IEEE binary16.
    pub const F16: Format = ieee("f16", 5, 10, 0);
    /// bfloat16.
    pub const BF16: Format = ieee("bf16", 8, 7, 0);
    /// TF32: an f32 register whose 13 low bits are dropped (Xie et al. §IV-C step 0).
    pub const TF32: Format = ieee("tf32", 8, 10, 13);
    /// IEEE binary32.
    pub const F32: Format = ieee("f32", 8, 23, 0);
    /// IEEE binary64.
    pub const F64: Format = ieee("f64", 11, 52, 0);
    /// OCP FP8 E4M3 (FN): no infinity, NaN is all ones.
    pub const E4M3: Format = with_codes(ieee("e4m3", 4, 3, 0), SpecialCodes::NanOnly);
    /// E4M3 of Gaudi 3: infinity and NaNs at the greatest exponent, as in IEEE 754.
    pub const E4M3IEEE: Format = ieee("e4m3ieee", 4, 3, 0);
    /// FP8 E3M4: infinity and NaNs at the greatest exponent, as in IEEE 754.
    pub const E3M4: Format = ieee("e3m4", 3, 4, 0);
    /// OCP FP8 E5M2.
    pub const E5M2: Format = ieee("e5m2", 5, 2, 0);
    /// AMD's `fp8` on CDNA3: E4M3 FNUZ, bias 8.
    pub const E4M3FNUZ: Format = with_codes(ieee("e4m3fnuz", 4, 3, 0), SpecialCodes::NegativeZero);
    /// AMD's `bf8` on CDNA3: E5M2 FNUZ, bias 16.
    pub const E5M2FNUZ: Format = with_codes(ieee("e5m2fnuz", 5, 2, 0), SpecialCodes::NegativeZero);
    /// OCP FP6 E2M3. OCP leaves open what becomes of a NaN in these three formats: here it is the greatest
    /// number, as what is beyond it.
    pub const E2M3: Format = with_codes(ieee("e2m3", 2, 3, 0), SpecialCodes::None);
    /// OCP FP6 E3M2.
    pub const E3M2: Format = with_codes(ieee("e3m2", 3, 2, 0), SpecialCodes::None);
    /// OCP FP4 E2M1.
    pub const E2M1: Format = with_codes(ieee("e2m1", 2, 1, 0), SpecialCodes::None);
    /// Element of OCP MXINT8 and of AMD's bfp16ebs8: fixed point in two's complement, an integer of 8
    /// bits divided by 64.
    pub const I2F6: Format = Format {
        sign: SignBit::TwosComplement,
        ..with_codes(ieee("i2f6", 2, 6, 0), SpecialCodes::None)
    };
    /// Element of Tenstorrent's BFP8: sign and magnitude of 7 bits, in units of 2^-6.
    pub const E1M6: Format = with_codes(ieee("e1m6", 1, 6, 0), SpecialCodes::None);
    /// Element of Tenstorrent's BFP4: sign and magnitude of 3 bits, in units of 2^-2.
    pub const E1M2: Format = with_codes(ieee("e1m2", 1, 2, 0), SpecialCodes::None);
    /// Element of Tenstorrent's BFP2: sign and magnitude of 1 bit.
    pub const E1M0: Format = with_codes(ieee("e1m0", 1, 0, 0), SpecialCodes::None);
    /// Block scale of OCP MX: a power of two, or NaN.
    pub const UE8M0: Format = Format {
        sign: SignBit::Absent,
        least: LeastField::Normal,
        ..with_codes(ieee("ue8m0", 8, 0, 0), SpecialCodes::NanOnly)
    };
    /// Block scale of NVFP4: E4M3 whose sign bit is not read.
    pub const UE4M3: Format = Format {
        sign: SignBit::Ignored,
        ..with_codes(ieee("ue4m3", 4, 3, 0), SpecialCodes::NanOnly)
    };
    /// Block scale of 5 exponent and 3 fraction bits without a sign; all ones is NaN.
    pub const UE5M3: Format = Format {
        sign: SignBit::Absent,
        ..with_codes(ieee("ue5m3", 5, 3, 0), SpecialCodes::NanOnly)
    };

    /// Integer of 1 bit.
    pub const B1: Format = integer("b1", 1, SignBit::Absent);
    /// Integer of 4 bits.
    pub const U4: Format = integer("u4", 4, SignBit::Absent);
    /// Integer of 4 bits, two's complement.
    pub const S4: Format = integer("s4", 3, SignBit::TwosComplement);
    /// Integer of 8 bits.
    pub const U8: Format = integer("u8", 8, SignBit::Absent);
    /// Integer of 8 bits, two's complement.
    pub const S8: Format = integer("s8", 7, SignBit::TwosComplement);
    /// Integer of 16 bits.
    pub const U16: Format = integer("u16", 16, SignBit::Absent);
    /// Integer of 16 bits, two's complement.
    pub const S16: Format = integer("s16", 15, SignBit::TwosComplement);
    /// Integer of 32 bits.
    pub const U32: Format = integer("u32", 32, SignBit::Absent);
    /// Integer of 32 bits, two's complement.
    pub const S32: Format = integer("s32", 31, SignBit::TwosComplement);
    /// Integer of 64 bits, two's complement.
    pub const S64: Format = integer("s64", 63, SignBit::TwosComplement);
    /// Exception flags: NX 1, UF 2, OF 4, DZ 8, NV 16. No name in a text means it.
    pub const FLAGS: Format = integer("flags", 5, SignBit::Absent);
    /// The format of an operand that there is not: a conversion has no `b`. No name in a text means it.
    pub const NONE: Format = integer("none", 1, SignBit::Absent);

    /// Every named floating-point format of operands and results.
    pub const ALL: [Format; 14] = [
        Self::F16,
        Self::BF16,
        Self::TF32,
        Self::F32,
        Self::F64,
        Self::E4M3,
        Self::E4M3IEEE,
        Self::E3M4,
        Self::E5M2,
        Self::E4M3FNUZ,
        Self::E5M2FNUZ,
        Self::E2M3,
        Self::E3M2,
        Self::E2M1,
    ];

    /// Every named format of fixed-point elements, which share the exponent of their block. Only
    /// factors are in these formats.
    pub const ELEMENTS: [Format; 4] = [Self::I2F6, Self::E1M6, Self::E1M2, Self::E1M0];

    /// Every named format of block scales.
    pub const SCALES: [Format; 3] = [Self::UE8M0, Self::UE4M3, Self::UE5M3];

    /// Every named integer of operands and results.
    pub const INTEGERS: [Format; 10] = [
        Self::B1,
        Self::U4,
        Self::S4,
        Self::U8,
        Self::S8,
        Self::U16,
        Self::S16,
        Self::U32,
        Self::S32,
        Self::S64,
    ];

    /// The format with this name. AMD's name `xf32` of `tf32` and AMD's names `i4`, `i8` and `i32`
    /// of signed integers are accepted too.
    pub fn named(name: &str) -> Option<Format> {
        let name = match name {
            "xf32" => "tf32",
            "i4" => "s4",
            "i8" => "s8",
            "i32" => "s32",
            _ => name,
        };
        let all = Self::ALL.into_iter().chain(Self::INTEGERS);
        all.chain(Self::ELEMENTS).find(|format| format.name == name)
    }

    /// Whether the numbers of the format are integers.
    pub fn is_integer(&self) -> bool {
        self.exponent_bits == 0
    }

    /// Whether the format is a fixed-point element, which only factors can have.
    pub fn is_element(&self) -> bool {
        Self::ELEMENTS.contains(self)
    }

    /// Whether the numbers are in two's complement and no integers. The fields of such a number are
    /// not bits of its register, but of its magnitude.
    #[inline(always)]
    pub fn is_complement(&self) -> bool {
        self.sign == SignBit::TwosComplement && self.exponent_bits > 0
    }

    /// Whether exponent field and fraction are bits of the register: not of integers, nor of other numbers
    /// in two's complement.
    pub fn has_fields(&self) -> bool {
        !self.is_integer() && !self.is_complement()
    }

    /// The format of block scales with this name.
    pub fn scale_named(name: &str) -> Option<Format> {
        Self::SCALES.into_iter().find(|format| format.name == name)
    }

    /// The name, as PTX spells it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Unsigned integers of so many bits.
    pub const fn integers_of(bits: u32) -> Format {
        integer("integer", bits, SignBit::Absent)
    }

    /// The format with only the `bits` highest fraction bits in use (as in "E8M13"), in the same
    /// register.
    ///
    /// `bits` lies in `1..=fraction_bits`, or is `fraction_bits`.
    #[must_use]
    pub fn with_fraction(self, bits: u32) -> Format {
        debug_assert!(bits == self.fraction_bits || (1..self.fraction_bits).contains(&bits));
        let dropped_bits = self.dropped_bits + self.fraction_bits - bits;
        Format {
            fraction_bits: bits,
            dropped_bits,
            ..self
        }
    }

    /// The same layout without infinities and NaNs: the greatest exponent field is that of ordinary
    /// numbers. The bias must not depend on the codes of NaNs.
    #[must_use]
    pub fn without_specials(self) -> Format {
        debug_assert!(self.specials != SpecialCodes::NegativeZero);
        Format {
            specials: SpecialCodes::None,
            ..self
        }
    }

    /// Whether the formats are equal except for their names.
    #[inline(always)]
    pub fn has_layout_of(&self, other: &Format) -> bool {
        self.exponent_bits == other.exponent_bits
            && self.fraction_bits == other.fraction_bits
            && self.dropped_bits == other.dropped_bits
            && self.specials == other.specials
            && self.sign == other.sign
            && self.least == other.least
    }

    /// Width of a register of this format, in bits.
    pub fn width(&self) -> u32 {
        // The magnitude of the least number in two's complement has as many bits as the register.
        let sign = u32::from(self.sign != SignBit::Absent && !self.is_complement());
        sign + self.magnitude_bits() + self.dropped_bits
    }
    /// Width of a register of this format without its sign bit, whether that bit is read or
    /// ignored.
    pub fn width_below_sign(&self) -> u32 {
        self.magnitude_bits() + self.dropped_bits - u32::from(self.is_complement())
    }
    /// The mask of the sign bit; 0 if there is none.
    pub fn sign_mask(&self) -> u64 {
        match self.sign {
            SignBit::Signed | SignBit::TwosComplement => 1 << (self.width() - 1),
            SignBit::Ignored | SignBit::Absent => 0,
        }
    }
    /// Width of exponent field and fraction together.
    pub fn magnitude_bits(&self) -> u32 {
        self.exponent_bits + self.fraction_bits
    }
    /// Number of hexadecimal digits with which a register of this format is written.
    pub fn digits(&self) -> usize {
        self.width().div_ceil(4) as usize
    }
    /// Width of the significand, leading one included.
    pub fn precision(&self) -> u32 {
        self.fraction_bits + 1
    }
    /// The bias: the exponent field minus the exponent. An integer has the bias with which its last
    /// place is 1.
    pub fn bias(&self) -> i32 {
        if self.is_integer() {
            return 1 - self.fraction_bits as i32;
        }
        let excess = match self.specials {
            SpecialCodes::NegativeZero => 0,
            // Of the two fields of one bit the first is that of subnormal numbers.
            _ => i32::from(self.exponent_bits > 1),
        };
        (1 << (self.exponent_bits - 1)) - excess
    }
    /// The exponent of the least normal number and of all subnormal numbers.
    pub fn min_exponent(&self) -> i32 {
        match self.least {
            LeastField::Subnormal => 1 - self.bias(),
            LeastField::Normal => -self.bias(),
        }
    }
    /// The exponent `e` of the last fraction bit of subnormal numbers: all numbers of the format
    /// are multiples of `2^e`.
    pub fn least_exponent(&self) -> i32 {
        self.min_exponent() - self.fraction_bits as i32
    }
    /// Exponent field and fraction of the greatest finite number.
    pub fn max_finite(&self) -> u64 {
        if self.is_complement() {
            return self.sign_mask() - 1;
        }
        match self.specials {
            SpecialCodes::Ieee => self.top_exponent() - 1,
            SpecialCodes::NanOnly => (1 << self.magnitude_bits()) - 2,
            SpecialCodes::NegativeZero | SpecialCodes::None => (1 << self.magnitude_bits()) - 1,
        }
    }
    /// Exponent field and fraction of the finite number with the greatest magnitude and this sign: in
    /// two's complement the least number is one more below zero.
    pub fn max_finite_of(&self, negative: bool) -> u64 {
        let is_complement = self.sign == SignBit::TwosComplement;
        self.max_finite() + u64::from(negative && is_complement)
    }
    /// The code of an overflow, in [`code_bits`](Self::code_bits) bits: infinity, in a format without
    /// infinity NaN, and in a format without either the greatest finite number.
    pub fn beyond_finite(&self) -> u64 {
        self.max_finite() + u64::from(self.has_nan())
    }
    /// Width of a rounded magnitude: exponent field and fraction. Where the code of -0 is the NaN, one
    /// bit more, which is set for an overflow alone.
    pub fn code_bits(&self) -> u32 {
        let is_nan = self.specials == SpecialCodes::NegativeZero;
        self.magnitude_bits() + u32::from(is_nan)
    }
    /// Whether the format has infinities.
    pub fn has_infinity(&self) -> bool {
        self.specials == SpecialCodes::Ieee
    }
    /// Whether the format has NaNs.
    pub fn has_nan(&self) -> bool {
        self.specials != SpecialCodes::None
    }
    /// Whether the format has -0.
    pub fn has_negative_zero(&self) -> bool {
        self.sign == SignBit::Signed && self.specials != SpecialCodes::NegativeZero
    }
    /// Whether the format has a zero.
    pub fn has_zero(&self) -> bool {
        self.least == LeastField::Subnormal
    }
    /// The register of the NaN with the code `code`, in a format that has NaNs. In
    /// [`NanCode::Ones`], the ignored low bits are ones too.
    pub fn nan(&self, code: NanCode) -> u64 {
        match (self.specials, code) {
            _ if self.is_complement() => self.max_finite(),
            (SpecialCodes::NegativeZero, _) => self.sign_mask(),
            (SpecialCodes::Ieee, NanCode::Quiet | NanCode::Any) => {
                (self.top_exponent() | 1 << (self.fraction_bits - 1)) << self.dropped_bits
            }
            // A format of more range than f64 has 64 bits below its sign.
            _ => u64::MAX >> (64 - self.magnitude_bits() - self.dropped_bits),
        }
    }
    /// The greatest exponent field, with fraction 0.
    fn top_exponent(&self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    /// Whether the register `bits` holds a NaN.
    pub fn is_nan(&self, bits: u64) -> bool {
        let magnitude = self.magnitude(bits);
        match self.specials {
            SpecialCodes::Ieee => magnitude > self.top_exponent(),
            SpecialCodes::NanOnly => magnitude > self.max_finite(),
            SpecialCodes::NegativeZero => magnitude == 0 && self.is_negative(bits),
            SpecialCodes::None => false,
        }
    }
    /// Whether the register `bits` holds a finite number.
    pub fn is_finite(&self, bits: u64) -> bool {
        let no_specials = self.specials == SpecialCodes::None;
        no_specials || self.magnitude(bits) <= self.max_finite() && !self.is_nan(bits)
    }
    /// Whether the sign bit of the register `bits` is set.
    pub fn is_negative(&self, bits: u64) -> bool {
        bits & self.sign_mask() != 0
    }
    /// The register of `1.fraction * 2^exponent`. The exponent field is clamped to the range of
    /// finite numbers (field 0 gives a subnormal number), and -0 becomes +0 in a format without -0.
    /// For an integer format, the number is truncated to an integer and clamped to the greatest
    /// integer.
    pub fn register(&self, exponent: i32, fraction: u64, negative: bool) -> u64 {
        if self.is_integer() {
            let whole = u128::from(fraction) | 1 << self.fraction_bits;
            let magnitude = match self.fraction_bits.checked_add_signed(-exponent) {
                Some(below) if exponent >= 0 => (whole >> below.min(127)) as u64,
                Some(_) => 0,
                None => self.max_finite(),
            };
            let negative = negative && self.is_signed();
            return self.signed(negative, magnitude.min(self.max_finite()));
        }
        let greatest = self.max_exponent_field() as i64;
        let field = i64::from(exponent + self.bias()).clamp(0, greatest) as u64;
        let magnitude = (field << self.fraction_bits | fraction).min(self.max_finite());
        let negative = negative && (magnitude > 0 || self.has_negative_zero());
        match negative && self.is_signed() {
            true => self.signed(true, magnitude),
            false => magnitude << self.dropped_bits,
        }
    }
    /// The same format with one more exponent bit. If an operation on numbers of this format has a
    /// result of at least half the least normal number of this format, rounding to the wider format
    /// gives the same as rounding without a limit of exponents.
    pub fn with_more_range(self) -> Format {
        Format {
            exponent_bits: self.exponent_bits + 1,
            ..self
        }
    }
    /// Whether the format has all finite numbers of `other`.
    pub fn has_all_of(&self, other: &Format) -> bool {
        self.fraction_bits >= other.fraction_bits
            && self.least_exponent() <= other.least_exponent()
            && self.max_exponent() >= other.max_exponent()
    }
    /// The register of a magnitude (exponent field and fraction, or an integer) with a minus sign
    /// if `negative`. The format must have this number.
    pub fn signed(&self, negative: bool, magnitude: u64) -> u64 {
        match (negative, self.sign) {
            (false, _) => magnitude << self.dropped_bits,
            (true, SignBit::TwosComplement) => magnitude.wrapping_neg() & self.all_ones(),
            (true, _) => magnitude << self.dropped_bits | self.sign_mask(),
        }
    }
    /// The register with all bits one.
    fn all_ones(&self) -> u64 {
        u64::MAX >> (64 - self.width())
    }
    /// The register of the number 1.
    pub fn one(&self) -> u64 {
        if self.is_integer() {
            return 1;
        }
        (self.bias() as u64) << (self.fraction_bits + self.dropped_bits)
    }
    /// Exponent field and fraction of the register `bits`; the magnitude of an integer.
    pub fn magnitude(&self, bits: u64) -> u64 {
        if self.sign == SignBit::TwosComplement && self.is_negative(bits) {
            return bits.wrapping_neg() & self.all_ones();
        }
        bits >> self.dropped_bits & ((1 << self.magnitude_bits()) - 1)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
