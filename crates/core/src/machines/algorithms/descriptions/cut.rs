//! A number with fewer significant bits.

use super::magnitude::rounded_at;
use super::number::{Number, exponent_width};
use super::program::{Cut, Extent};
use crate::numbers::bits::{Bv, mux};
use crate::numbers::float::unsigned_width;

/// The number cut to `step.bits` bits below its leading one. The place of the highest of these bits
/// is at least `2^least`: what is below stays unnormalised.
pub(super) fn cut<B: Bv>(step: &Cut, number: &Number<B>, from: &Extent, to: &Extent) -> Number<B> {
    let kept_bits = step.bits;
    // Room for the bits that stay and for one below them.
    let room = (kept_bits + 1).saturating_sub(from.width);
    let significand = number.significand.widen_low(room);
    let width = significand.width();
    let field = exponent_width(to)
        .max(exponent_width(from))
        .max(unsigned_width(width.into()))
        .max(unsigned_width((from.lowest - to.lowest).unsigned_abs()))
        + 2;
    let top = from.integer_bits() - 1;
    // The exponent of the highest bit, less the lowest exponent of the result.
    let highest = number.rebased(from.lowest, to.lowest - top, field);
    let (_, zeros) = significand.normalise(field);
    let shift = match step.least {
        None => zeros,
        Some(least) => {
            // A highest bit at or below the least place is not moved.
            let least = B::lit(field, (least - to.lowest).max(0) as u64);
            let distance = mux(
                &highest.slt(&least),
                &B::lit(field, 0),
                &highest.sub(&least),
            );
            mux(&zeros.ult(&distance), &zeros, &distance)
        }
    };
    let normal = significand.shl(&shift);
    let kept = normal.extract(width - 1, width - kept_bits);
    let below = normal.extract(width - kept_bits - 1, 0);
    let kept = kept.zext(to.width);
    let significand = rounded_at(step.by, &number.special.sign, &kept, &below);
    Number {
        zero: significand.is_zero(),
        significand,
        exponent: highest.sub(&shift).resize(exponent_width(to)),
        complement: None,
        ..number.clone()
    }
}
