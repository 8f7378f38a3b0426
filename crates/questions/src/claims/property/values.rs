//! Registers compared as numbers, and the violation of `no-negative-zero`, `canonical-nan` and
//! `finite-results`.

use super::symbolic::all_finite;
use mmasmt_core::machines::algorithms::{DotAdd, Registers};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::{Prop, mux};
use mmasmt_core::numbers::float::{Format, unpack};

/// Whether the two registers hold the same number or two NaNs. The two zeros count as the same
/// number.
pub(super) fn same_value<B: Instance>(format: &Format, left: &B, right: &B) -> B::Bool {
    let (x, y) = (unpack(format, left), unpack(format, right));
    let same = left.equals(right).or(&x.zero.and(&y.zero));
    same.or(&x.nan.and(&y.nan))
}

/// Whether `left` is greater than `right`. The two zeros are equal; false if either register is a
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

/// Unsatisfiable iff no result is -0.
pub fn gives_negative_zero<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let x = unpack(&model.signature().d, &model.result(inputs));
    x.zero.and(&x.sign)
}

/// Unsatisfiable iff no result for finite operands is an infinity or a NaN.
pub fn gives_no_number<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let result = unpack(&signature.d, &model.result(inputs));
    all_finite(&signature, inputs).and(&result.finite().not())
}

/// Unsatisfiable iff every NaN result has the code that the model states.
pub fn gives_other_nan<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let format = model.signature().d;
    let code = format.nan(model.algorithm().nan());
    let result = model.result(inputs);
    let canonical = result.equals(&B::lit(format.width(), code));
    unpack(&format, &result).nan.and(&canonical.not())
}
