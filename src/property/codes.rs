//! The result has a code that the unit should not answer with.

use crate::algorithms::{DotAdd, Registers};
use crate::bits::{Bv, Prop};
use crate::float::unpack;
use crate::model::Model;

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
