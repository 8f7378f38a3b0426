//! Registers compared as numbers.

use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Prop, mux};
use mmasmt_numbers::float::{Format, unpack};

/// True if the two registers hold the same number or two NaNs. The two zeros count as the same
/// number.
pub(super) fn same_value<B: Instance>(format: &Format, left: &B, right: &B) -> B::Bool {
    let (x, y) = (unpack(format, left), unpack(format, right));
    let same = left.equals(right).or(&x.zero.and(&y.zero));
    same.or(&x.nan.and(&y.nan))
}

/// True if `left` is greater than `right`. The two zeros are equal; false if either register is a
/// NaN.
pub(super) fn is_greater<B: Instance>(format: &Format, left: &B, right: &B) -> B::Bool {
    let key = |register: &B| {
        let width = format.width_below_sign() + u32::from(format.is_complement());
        let magnitude = match format.is_complement() {
            true => format.code_of(register),
            false => register.extract(width - 1, 0),
        };
        let magnitude = magnitude.zext(width + 1);
        magnitude.neg_if(&unpack(format, register).sign)
    };
    let nan = unpack(format, left).nan.or(&unpack(format, right).nan);
    key(right).slt(&key(left)).and(&nan.not())
}

/// The register with its sign bit inverted, if the format has one. In a format without -0, a zero
/// and a NaN stay as they are.
pub(super) fn negated<B: Instance>(format: &Format, register: &B) -> B {
    if format.sign_mask() == 0 {
        return register.clone();
    }
    let width = format.width();
    let sign = B::from_prop(1, &register.msb().not());
    let negated = sign.concat(&register.extract(width - 2, 0));
    if format.has_negative_zero() {
        return negated;
    }
    let x = unpack(format, register);
    mux(&x.zero.or(&x.nan), register, &negated)
}
