//! Integers between limits.

use crate::bits::{Bv, Prop};
use crate::float::{Format, integer};

/// Bits of a register and of any limit, in two's complement.
const WIDTH: u32 = 66;

/// Whether the integer lies between the limits, both included.
pub(super) fn is_between<B: Bv>(format: &Format, register: &B, [low, high]: [i64; 2]) -> B::Bool {
    let x = integer(format, register, WIDTH);
    let limit = |value: i64| B::lit(64, value as u64).sext(WIDTH);
    x.slt(&limit(low)).not().and(&limit(high).slt(&x).not())
}

/// The integer clamped to the limits that the format has, which tells the term layer between which it is.
pub(super) fn clamped<B: Bv>(format: &Format, register: &B, [low, high]: [i64; 2]) -> B {
    let width = format.width();
    let negative = match format.is_signed() {
        true => 1i128 << (width - 1),
        false => 0,
    };
    let greatest = (1i128 << width) - 1;
    // Counted from the least integer of the format.
    let [low, high] = [low, high].map(|limit| (i128::from(limit) + negative).clamp(0, greatest));
    let least = B::lit(width, negative as u64);
    let at_least = |x: B, limit: i128| B::umax(&[x, B::lit(width, limit as u64)]);
    let counted = register.add(&least);
    let at_most = at_least(counted.not(), greatest - high).not();
    at_least(at_most, low).sub(&least)
}
