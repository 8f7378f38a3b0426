//! IEEE 754 addition.

use super::host::on_host;
use super::{
    Arithmetic, Format, NanCode, Overflow, Rounding, SpecialCodes, SpecialTerm, UnroundedNumber,
    round, special_or_finite, unpack,
};
use crate::bits::{Bv, HostOperation, Prop, mux};

/// `x + y` in `format`, rounded once. A NaN result has the code `nan`.
pub fn ieee_add<B: Bv>(format: &Format, rounding: Rounding, nan: NanCode, x: &B, y: &B) -> B {
    let to = Arithmetic {
        format: *format,
        rounding,
        nan,
    };
    if let Some(sum) = on_host(&to, HostOperation::Add, &[(format, x), (format, y)]) {
        return sum;
    }
    for (zero, other) in [(y, x), (x, y)] {
        if is_known_zero(format, zero) {
            return plus_zero(&to, other, &zero.msb());
        }
    }
    let (x, y) = (unpack(format, x), unpack(format, y));
    let terms = [SpecialTerm::summand(&x), SpecialTerm::summand(&y)];

    let swap = x.exponent.ult(&y.exponent);
    let (large, small) = (mux(&swap, &y, &x), mux(&swap, &x, &y));

    // A guard bit, a round bit and a sticky bit suffice for correct rounding.
    let extra = 3;
    let distance = large.exponent.sub(&small.exponent);
    let (aligned, lost) = small.significand.widen_low(extra).lshr_sticky(&distance);
    let aligned = aligned.or(&B::from_prop(aligned.width(), &lost));

    let (sign, significand) = signed_sum(
        rounding,
        [&x.sign, &y.sign],
        &large.sign,
        [&large.significand.widen_low(extra), &aligned],
    );
    let value = UnroundedNumber {
        random: None,
        sign: &sign,
        exponent: &large.exponent,
        exponent_offset: -format.bias(),
        significand: &significand,
        fraction_bits: format.fraction_bits + extra,
    };
    let magnitude = round(&value, format, rounding, Overflow::Ieee);
    special_or_finite(
        terms.iter(),
        format,
        nan,
        &format.assemble(&sign, &magnitude),
    )
}

/// Whether the register `bits` is known to be a zero for all inputs. If the format has zeros that
/// [`plus_zero`] cannot add, the result is `false`.
pub(super) fn is_known_zero<B: Bv>(format: &Format, bits: &B) -> bool {
    let is_plain = format.specials == SpecialCodes::Ieee && format.is_signed();
    is_plain
        && format.has_zero()
        && format.dropped_bits == 0
        && bits.extract(format.width() - 2, 0).is_known_zero()
}

/// The sum of `x`, a register of the format of `to`, and a zero, which is -0 where `negative`
/// holds. Nothing is aligned or rounded, so that a formula has no adder for a term that the domain
/// fixes to zero.
pub(super) fn plus_zero<B: Bv>(to: &Arithmetic, x: &B, negative: &B::Bool) -> B {
    let unpacked = unpack(&to.format, x);
    let sign = zero_sign(to.rounding, [&unpacked.sign, negative]);
    let zero = to
        .format
        .assemble(&sign, &B::lit(to.format.magnitude_bits(), 0));
    let nan = B::lit(to.format.width(), to.format.nan(to.nan));
    mux(&unpacked.nan, &nan, &mux(&unpacked.zero, &zero, x))
}

/// The sign of a sum that is exactly zero: minus if both summands are negative, or if one summand
/// is negative and the rounding is down.
fn zero_sign<P: Prop>(rounding: Rounding, signs: [&P; 2]) -> P {
    match rounding {
        Rounding::Rd => signs[0].or(signs[1]),
        _ => signs[0].and(signs[1]),
    }
}

/// Sign and magnitude of the sum of two numbers with the given `signs`. `large` is the significand
/// of the number with the larger exponent, and `large_sign` its sign; `aligned` is the aligned
/// significand of the other number.
pub(super) fn signed_sum<B: Bv>(
    rounding: Rounding,
    signs: [&B::Bool; 2],
    large_sign: &B::Bool,
    [large, aligned]: [&B; 2],
) -> (B::Bool, B) {
    let width = large.width() + 2;
    let opposite = signs[0].xor(signs[1]);
    let total = large
        .zext(width)
        .add(&aligned.zext(width).neg_if(&opposite));
    let negative = total.msb();
    let significand = total.neg_if(&negative);

    let sign = mux(
        &significand.is_zero(),
        &zero_sign(rounding, signs),
        &large_sign.xor(&negative),
    );
    (sign, significand)
}
