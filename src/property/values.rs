//! Comparing registers as numbers.

use crate::bits::{Bv, Prop, mux};
use crate::float::{Format, unpack};

/// Whether both hold the same number, the two zeros being one, or both hold a NaN.
pub(super) fn same_value<B: Bv>(format: &Format, left: &B, right: &B) -> B::Bool {
    let (x, y) = (unpack(format, left), unpack(format, right));
    let same = left.equals(right).or(&x.zero.and(&y.zero));
    same.or(&x.nan.and(&y.nan))
}

/// Whether the number or infinity `left` is greater than `right`; never, if one is a NaN.
pub(super) fn is_greater<B: Bv>(format: &Format, left: &B, right: &B) -> B::Bool {
    let key = |register: &B| {
        let width = format.width_below_sign();
        let magnitude = register.extract(width - 1, 0).zext(width + 1);
        magnitude.neg_if(&unpack(format, register).sign)
    };
    let nan = unpack(format, left).nan.or(&unpack(format, right).nan);
    key(right).slt(&key(left)).and(&nan.not())
}

/// The next greater number of the format, infinity after the greatest one; nothing of use for
/// infinities and NaNs.
pub(super) fn next_up<B: Bv>(format: &Format, register: &B) -> B {
    let x = unpack(format, register);
    let dropped = format.dropped_bits;
    let code = register.extract(dropped + format.magnitude_bits() - 1, dropped);
    let one = B::lit(format.magnitude_bits(), 1);
    let up = format.assemble(&B::Bool::constant(false), &code.add(&one));
    let down = format.assemble(&x.sign, &code.sub(&one));
    let from_zero = format.assemble(&B::Bool::constant(false), &one);
    mux(&x.zero, &from_zero, &mux(&x.sign, &down, &up))
}

/// The register with its sign changed, where the format has one.
pub(super) fn negated<B: Bv>(format: &Format, register: &B) -> B {
    match format.sign_mask() {
        0 => register.clone(),
        _ => {
            let width = format.width();
            let sign = B::from_prop(1, &register.msb().not());
            sign.concat(&register.extract(width - 2, 0))
        }
    }
}
