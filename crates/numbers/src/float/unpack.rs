//! Unpacking of a register into sign, exponent and significand, without normalisation.

use super::{Format, LeastField, SignBit, SpecialCodes};
use crate::bits::{Bv, Mux, Prop, mux};

/// An unpacked register. A finite register has the value
/// `(-1)^sign * significand * 2^(exponent - bias - fraction_bits)`.
#[derive(Clone, Debug)]
pub struct UnpackedRegister<B: Bv> {
    /// Whether the sign bit is set.
    pub sign: B::Bool,
    /// The exponent field, `exponent_bits` wide; one bit for an integer. It is 1 for subnormal
    /// numbers and zeros, which have the exponent of the least normal number.
    pub exponent: B,
    /// The significand, `precision` bits wide; its highest bit is 0 for subnormal numbers and
    /// zeros.
    pub significand: B,
    /// Whether the register is a zero.
    pub zero: B::Bool,
    /// Whether the register is an infinity.
    pub infinite: B::Bool,
    /// Whether the register is a NaN.
    pub nan: B::Bool,
}

/// Unpacks the register `bits`, `format.width()` wide.
#[inline(always)]
pub fn unpack<B: Bv>(format: &Format, bits: &B) -> UnpackedRegister<B> {
    if format.is_integer() {
        return unpack_integer(format, bits);
    }
    let Format {
        exponent_bits,
        fraction_bits,
        dropped_bits,
        ..
    } = *format;
    let magnitude_bits = format.magnitude_bits();
    let whole = format.is_complement().then(|| bits.neg_if(&bits.msb()));
    let sign = match format.sign {
        SignBit::Signed | SignBit::TwosComplement => bits.bit(format.width() - 1),
        SignBit::Ignored | SignBit::Absent => B::Bool::constant(false),
    };
    let read = whole.as_ref().unwrap_or(bits);
    let field = read.extract(
        dropped_bits + magnitude_bits - 1,
        dropped_bits + fraction_bits,
    );
    let subnormal = match format.least {
        LeastField::Subnormal => field.is_zero(),
        LeastField::Normal => B::Bool::constant(false),
    };
    let hidden = B::from_prop(1, &subnormal.not());
    let least = B::lit(exponent_bits, 1);

    let (significand, fraction_is_zero, fraction_is_ones) = if fraction_bits == 0 {
        (hidden, B::Bool::constant(true), B::Bool::constant(true))
    } else {
        let fraction = read.extract(dropped_bits + fraction_bits - 1, dropped_bits);
        let zero = fraction.is_zero();
        let ones = match format.specials {
            SpecialCodes::NanOnly => {
                fraction.equals(&B::lit(fraction_bits, (1 << fraction_bits) - 1))
            }
            _ => B::Bool::constant(false),
        };
        (hidden.concat(&fraction), zero, ones)
    };
    let top = || field.equals(&B::lit(exponent_bits, (1 << exponent_bits) - 1));
    let zero = subnormal.and(&fraction_is_zero);
    let none = B::Bool::constant(false);
    let (infinite, nan, zero) = match format.specials {
        SpecialCodes::Ieee => {
            let top = top();
            let infinite = top.and(&fraction_is_zero);
            (infinite, top.and(&fraction_is_zero.not()), zero)
        }
        SpecialCodes::NanOnly => (none, top().and(&fraction_is_ones), zero),
        SpecialCodes::NegativeZero => (none, zero.and(&sign), zero.and(&sign.not())),
        SpecialCodes::None => (none.clone(), none, zero),
    };
    let exponent = mux(&subnormal, &least, &field);
    if B::USES_HOST && format.has_layout_of(&Format::F32) {
        B::is_binary32(bits, &exponent, &significand);
    }
    UnpackedRegister {
        sign,
        exponent,
        significand,
        zero,
        infinite,
        nan,
    }
}

/// Unpacks a register whose subnormal numbers are zeros of their sign. The format is neither one of
/// integers nor one in two's complement, and has a zero of each sign or no signs.
#[inline(always)]
pub fn unpack_flushed<B: Bv>(format: &Format, bits: &B) -> UnpackedRegister<B> {
    let whole = unpack(format, bits);
    let low = format.dropped_bits + format.fraction_bits;
    let tiny = bits.extract(low + format.exponent_bits - 1, low).is_zero();
    let normal = match format.fraction_bits {
        0 => B::lit(1, 1),
        width => B::lit(1, 1).concat(&bits.extract(low - 1, low - width)),
    };
    UnpackedRegister {
        significand: mux(&tiny, &B::lit(normal.width(), 0), &normal),
        zero: tiny,
        ..whole
    }
}

/// Unpacks an integer: the significand is its magnitude, and its last place is 1.
fn unpack_integer<B: Bv>(format: &Format, bits: &B) -> UnpackedRegister<B> {
    let none = B::Bool::constant(false);
    let sign = if format.is_signed() {
        bits.msb()
    } else {
        none.clone()
    };
    UnpackedRegister {
        exponent: B::lit(1, 1),
        significand: bits.neg_if(&sign).zext(format.precision()),
        zero: bits.is_zero(),
        sign,
        infinite: none.clone(),
        nan: none,
    }
}

/// The integer in a register of `format`, in two's complement of `width` bits, which must suffice
/// for the integer.
#[inline(always)]
pub fn integer<B: Bv>(format: &Format, bits: &B, width: u32) -> B {
    if format.is_signed() {
        bits.sext(width)
    } else {
        bits.zext(width)
    }
}

/// The register with another exponent field. The format has fields.
pub fn with_field<B: Bv>(format: &Format, register: &B, field: &B) -> B {
    let low = format.bits_below_field();
    let above = low + format.field_width();
    let mut whole = field.clone();
    if low > 0 {
        whole = whole.concat(&register.extract(low - 1, 0));
    }
    if above < format.width() {
        whole = register.extract(format.width() - 1, above).concat(&whole);
    }
    whole
}

impl<B: Bv> UnpackedRegister<B> {
    /// Whether the register is neither an infinity nor a NaN.
    pub fn finite(&self) -> B::Bool {
        self.infinite.or(&self.nan).not()
    }
}

impl<B: Bv> Mux<B::Bool> for UnpackedRegister<B> {
    fn mux(cond: &B::Bool, then: &Self, otherwise: &Self) -> Self {
        UnpackedRegister {
            sign: mux(cond, &then.sign, &otherwise.sign),
            exponent: mux(cond, &then.exponent, &otherwise.exponent),
            significand: mux(cond, &then.significand, &otherwise.significand),
            zero: mux(cond, &then.zero, &otherwise.zero),
            infinite: mux(cond, &then.infinite, &otherwise.infinite),
            nan: mux(cond, &then.nan, &otherwise.nan),
        }
    }
}

impl Format {
    /// Exponent field and fraction of a register as one number. The format is not an integer format.
    #[inline(always)]
    pub fn code_of<B: Bv>(&self, bits: &B) -> B {
        if self.is_complement() {
            return bits.neg_if(&bits.msb());
        }
        let low = self.dropped_bits;
        bits.extract(low + self.magnitude_bits() - 1, low)
    }

    /// The register with the given sign, if the format has a sign, and with `magnitude`, which is
    /// exponent field and fraction, or a rounded magnitude. A zero has no sign where the code of -0 is
    /// the NaN. The format is not an integer format.
    #[inline(always)]
    pub fn assemble<B: Bv>(&self, sign: &B::Bool, magnitude: &B) -> B {
        if self.is_complement() {
            return magnitude.neg_if(sign);
        }
        if self.specials == SpecialCodes::NegativeZero {
            return self.assemble_without_minus_zero(sign, magnitude);
        }
        let register = match self.sign {
            SignBit::Signed | SignBit::TwosComplement => B::from_prop(1, sign).concat(magnitude),
            SignBit::Ignored => magnitude.zext(magnitude.width() + 1),
            SignBit::Absent => magnitude.clone(),
        };
        register.widen_low(self.dropped_bits)
    }

    fn assemble_without_minus_zero<B: Bv>(&self, sign: &B::Bool, magnitude: &B) -> B {
        let bits = self.magnitude_bits();
        let low = magnitude.extract(bits - 1, 0);
        let negative = sign.and(&low.is_zero().not());
        let negative = match magnitude.width() > bits {
            true => negative.or(&magnitude.msb()),
            false => negative,
        };
        let register = B::from_prop(1, &negative).concat(&low);
        register.widen_low(self.dropped_bits)
    }
}
