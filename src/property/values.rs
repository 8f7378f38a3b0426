//! Comparing registers as numbers.

use crate::algorithms::{DotAdd, Registers};
use crate::bits::{Bv, Prop, mux};
use crate::float::{Format, unpack};
use crate::model::Model;

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

/// The register with its sign changed, where the format has one; a zero of a format without -0,
/// and the NaN that has its code, stay as they are.
pub(super) fn negated<B: Bv>(format: &Format, register: &B) -> B {
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

/// Unsatisfiable iff no result is -0.
pub fn gives_negative_zero<B: Bv>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let x = unpack(&model.signature().d, &model.result(inputs));
    x.zero.and(&x.sign)
}

/// Unsatisfiable iff every NaN result has the one code that the model says.
pub fn gives_other_nan<B: Bv>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let format = model.signature().d;
    let code = format.nan(model.algorithm().nan());
    let result = model.result(inputs);
    let canonical = result.equals(&B::lit(format.width(), code));
    unpack(&format, &result).nan.and(&canonical.not())
}
