//! A number with fewer significant bits.

use super::magnitude::rounded_at;
use super::number::{ExactNumber, exponent_width};
use super::program::{Cut, Extent};
use mmasmt_numbers::bits::{Bv, mux};
use mmasmt_numbers::float::{signed_width, unsigned_width};

/// The number cut to `step.bits` bits below its leading one. The place of the highest of these bits
/// is at least `2^least`: a number below it stays unnormalised. A zero keeps its exponent.
pub(super) fn cut<B: Bv>(
    step: &Cut,
    number: &ExactNumber<B>,
    from: &Extent,
    to: &Extent,
) -> ExactNumber<B> {
    let kept_bits = step.bits;
    // Room for the bits that stay and for one below them.
    let room = (kept_bits + 1).saturating_sub(from.width);
    let significand = number.significand.widen_low(room);
    let width = significand.width();
    let top = from.integer_bits() - 1;
    let field = field_width(step, from, to, width);
    let none = B::lit(field, 0);
    // The exponent of the highest bit, and that of a zero, less the lowest exponent of the result.
    let highest = number.rebased(from.lowest, to.lowest - top, field);
    let own = number.rebased(from.lowest, to.lowest, field);
    let (_, zeros) = significand.normalise(field);
    let least = step.least.map(|least| none.add_const(least - to.lowest));
    let (left, right, own) = match &least {
        None => (zeros, None, own),
        Some(least) => {
            let is_below = highest.slt(least);
            let distance = mux(&is_below, &none, &highest.sub(least));
            let left = mux(&zeros.ult(&distance), &zeros, &distance);
            let may_be_below = step.least > Some(from.lowest + top);
            let right = may_be_below.then(|| mux(&is_below, &least.sub(&highest), &none));
            (left, right, mux(&own.slt(least), least, &own))
        }
    };
    let moved = significand.shl(&left);
    let place = highest.sub(&left);
    // What lies below a place that is moved up is lost, but for the bit that says so.
    let (placed, lost, place) = match right {
        None => (moved, None, place),
        Some(right) => {
            let (placed, lost) = moved.lshr_sticky(&right);
            (placed, Some(lost), place.add(&right))
        }
    };
    let kept = placed.extract(width - 1, width - kept_bits);
    let below = placed.extract(width - kept_bits - 1, 0);
    let below = match &lost {
        None => below,
        Some(lost) => below.concat(&B::from_prop(1, lost)),
    };
    let kept = kept.zext(to.width);
    let rounded = rounded_at(step.by, &number.special.sign, &kept, &below);
    let exponent = mux(&significand.is_zero(), &own, &place);
    ExactNumber {
        zero: rounded.is_zero(),
        significand: rounded,
        exponent: exponent.resize(exponent_width(to)),
        complement: None,
        ..number.clone()
    }
}

/// A width for exponents less the lowest one of the result, for their differences, and for shift amounts.
fn field_width(step: &Cut, from: &Extent, to: &Extent, width: u32) -> u32 {
    let top = from.integer_bits() - 1;
    let ends = [
        from.lowest,
        from.highest,
        from.lowest + top,
        from.highest + top,
    ];
    let ends = ends.into_iter().chain(step.least);
    let farthest = ends.map(|end| (end - to.lowest).abs()).max().unwrap_or(0);
    // Twice as far apart at most, and less than twice the width further down.
    let reach = 2 * farthest + 2 * i64::from(width);
    signed_width(-reach, reach).max(unsigned_width(width.into()) + 1)
}
