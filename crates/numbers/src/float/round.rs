//! Rounding of a number of any magnitude to a format, subnormal numbers included.

use super::Format;
use super::rounding::{Rounding, Stochastic};
use crate::bits::{Bv, Prop, mux};

/// The result if the rounded magnitude exceeds the greatest finite number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// Infinity in every rounding mode (Xie et al. §IV-C step 5).
    Infinity,
    /// Infinity or the greatest finite number, depending on the rounding mode (IEEE 754 §7.4).
    Ieee,
    /// The greatest finite number in every rounding mode, for an infinity too (the saturating conversions of OCP).
    Greatest,
    /// The greatest finite number in every rounding mode; an infinity stays one.
    Clamp,
}

/// A number before rounding:
/// `(-1)^sign * significand * 2^(exponent + exponent_offset - fraction_bits)`.
pub struct UnroundedNumber<'x, B: Bv> {
    /// Whether the number is negative.
    pub sign: &'x B::Bool,
    /// The exponent of the number minus `exponent_offset`, unsigned.
    pub exponent: &'x B,
    /// The offset of `exponent`.
    pub exponent_offset: i32,
    /// The magnitude of the number as an unsigned integer, scaled by `2^fraction_bits`.
    pub significand: &'x B,
    /// The number of fraction bits of the significand.
    pub fraction_bits: u32,
    /// The random bits of a stochastic rounding, if they are an operand: they stand in place of its own.
    pub random: Option<&'x B>,
}

/// The least width that holds `lo..=hi` in two's complement.
pub fn signed_width(lo: i64, hi: i64) -> u32 {
    let magnitude = |value: i64| if value < 0 { !value } else { value } as u64;
    1 + unsigned_width(magnitude(lo).max(magnitude(hi)))
}

/// The least width that holds `0..=hi`; at least 1.
pub fn unsigned_width(hi: u64) -> u32 {
    (u64::BITS - hi.leading_zeros()).max(1)
}

/// Exponent field and fraction of `value` rounded to `format`: `format.code_bits()` bits.
///
/// The sign, which only some roundings use, is not part of the result. In a format without a zero, the code of the
/// least number stands for zero and for all below it.
#[inline(always)]
pub fn round<B: Bv>(
    value: &UnroundedNumber<'_, B>,
    format: &Format,
    rounding: Rounding,
    overflow: Overflow,
) -> B {
    round_sticky(value, None, format, rounding, overflow)
}

/// Rounds like `round` a number that may have a sticky bit. If `sticky` holds, the magnitude is
/// greater than the significand, by less than its last place. A significand of zero gives
/// zero.
#[inline(always)]
pub fn round_sticky<B: Bv>(
    value: &UnroundedNumber<'_, B>,
    sticky: Option<&B::Bool>,
    format: &Format,
    rounding: Rounding,
    overflow: Overflow,
) -> B {
    let precision = format.precision();
    // The significand needs the bits that are kept and, unless rounding is towards zero, a guard
    // bit below them, or as many bits as are random.
    let guard = match rounding {
        Rounding::Rz => 0,
        Rounding::Sr(Stochastic { bits, .. }) => bits,
        _ => 1,
    };
    let missing = (precision + guard).saturating_sub(value.significand.width());
    let significand = value.significand.widen_low(missing);
    let width = significand.width();

    // `value.exponent + top` is the exponent field if the highest bit of the significand is its
    // leading one.
    let integer_bits = i64::from(width) - i64::from(value.fraction_bits + missing);
    let top = i64::from(value.exponent_offset) + integer_bits - i64::from(format.min_exponent());
    let greatest = (1i64 << value.exponent.width()) - 1;
    let field_width = signed_width(top - i64::from(width), top + greatest)
        .max(value.exponent.width() + 1)
        .max(format.code_bits() - format.fraction_bits)
        .max(unsigned_width(width.into()) + 1);

    let (normalised, zeros) = significand.normalise(field_width);
    let field = value.exponent.zext(field_width).add_const(top).sub(&zeros);

    // Shift subnormal results to the exponent of the least normal number.
    let (one, none) = (B::lit(field_width, 1), B::lit(field_width, 0));
    let may_be_subnormal = top - i64::from(width - 1) < 1;
    let inexact = sticky.cloned();
    let inexact = inexact.unwrap_or_else(|| B::Bool::constant(false));
    let (placed, base, lost) = if may_be_subnormal {
        let subnormal = field.slt(&one);
        let shift = mux(&subnormal, &one.sub(&field), &none);
        let (placed, lost) = if rounding == Rounding::Rz {
            (normalised.lshr(&shift), inexact)
        } else {
            let (placed, lost) = normalised.lshr_sticky(&shift);
            (
                placed,
                sticky.map_or_else(|| lost.clone(), |sticky| lost.or(sticky)),
            )
        };
        (placed, mux(&subnormal, &none, &field.sub(&one)), lost)
    } else {
        (normalised, field.sub(&one), inexact)
    };

    let kept = placed.extract(width - 1, width - precision);
    let increment = increment(value, &placed, &kept, &lost, rounding);

    // The leading one of the significand adds 1 to the field; a carry of the rounding may add
    // another 1.
    let packed_width = field_width + format.fraction_bits;
    let packed = B::sum(&[
        base.widen_low(format.fraction_bits),
        kept.zext(packed_width),
        B::from_prop(packed_width, &increment),
    ]);
    let packed = match format.has_zero() {
        true => packed,
        // Where others have subnormal numbers the least number is.
        false => mux(&packed.is_zero(), &packed, &packed.add_const(-1)),
    };
    let magnitude = format.code_bits();
    let end = |negative| B::lit(magnitude, format.max_finite_of(negative));
    let max_finite = match format.is_complement() {
        true => mux(value.sign, &end(true), &end(false)),
        false => end(false),
    };
    let too_large = max_finite.zext(packed_width).ult(&packed);
    let beyond = B::lit(magnitude, format.beyond_finite());
    let overflowed = match (overflow, rounding) {
        (Overflow::Greatest | Overflow::Clamp, _) | (Overflow::Ieee, Rounding::Rz) => max_finite,
        (Overflow::Ieee, Rounding::Rd) => mux(value.sign, &beyond, &max_finite),
        (Overflow::Ieee, Rounding::Ru) => mux(value.sign, &max_finite, &beyond),
        _ => beyond,
    };
    let rounded = mux(&too_large, &overflowed, &packed.resize(magnitude));
    mux(&significand.is_zero(), &B::lit(magnitude, 0), &rounded)
}

/// Whether rounding increments `kept`, the high bits of `placed`. `lost` says whether nonzero bits
/// below `placed` were cut off before.
#[inline(always)]
fn increment<B: Bv>(
    value: &UnroundedNumber<'_, B>,
    placed: &B,
    kept: &B,
    lost: &B::Bool,
    rounding: Rounding,
) -> B::Bool {
    if rounding == Rounding::Rz {
        return B::Bool::constant(false);
    }
    let cut = placed.width() - kept.width();
    if let Rounding::Sr(Stochastic { bits, random }) = rounding {
        let below = placed.extract(cut - 1, cut - bits).zext(bits + 1);
        let random = match value.random {
            Some(operand) => operand.extract(bits - 1, 0).zext(bits + 1),
            None => B::lit(bits + 1, random),
        };
        return below.add(&random).msb();
    }
    let half = if cut > 0 {
        placed.bit(cut - 1)
    } else {
        B::Bool::constant(false)
    };
    let below = if cut > 1 {
        placed.extract(cut - 2, 0).is_zero().not().or(lost)
    } else {
        lost.clone()
    };
    rounding.increments::<B>(value.sign, &kept.bit(0), (&half, &below))
}

impl Rounding {
    /// True if a magnitude is rounded to the next one. Its last bit is `last`; `half` says that half of its last place was
    /// cut off, `rest` that something less than that was. False for stochastic rounding, which reads more bits.
    #[inline(always)]
    pub fn increments<B: Bv>(
        self,
        sign: &B::Bool,
        last: &B::Bool,
        (half, rest): (&B::Bool, &B::Bool),
    ) -> B::Bool {
        let inexact = || half.or(rest);
        match self {
            Rounding::Rz | Rounding::Sr(_) => B::Bool::constant(false),
            Rounding::Rne => half.and(&rest.or(last)),
            Rounding::Rd => inexact().and(sign),
            Rounding::Ru => inexact().and(&sign.not()),
            Rounding::Ra => inexact(),
            Rounding::Odd => inexact().and(&last.not()),
            Rounding::Rna => half.clone(),
            Rounding::Rnz => half.and(rest),
            Rounding::Rnu => half.and(&rest.or(&sign.not())),
            Rounding::Rnd => half.and(&rest.or(sign)),
            Rounding::Rno => half.and(&rest.or(&last.not())),
        }
    }
}
