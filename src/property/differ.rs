//! Two models give different results.

use super::SymbolicInputs;
use crate::bits::term::Formula;
use crate::bits::{Bv, Prop};
use crate::float::unpack;
use crate::model::Model;

/// Unsatisfiable iff `left` and `right` give the same register for all inputs, any NaN being the
/// same as any other where one of them leaves its code open.
///
/// Both take and give the formats of `inputs`.
pub fn differ(inputs: &SymbolicInputs, left: &Model, right: &Model) -> Formula {
    let any_nan = left.gives_any_nan() || right.gives_any_nan();
    let (left, _) = inputs.evaluate(left);
    let (right, _) = inputs.evaluate(right);
    let differ = left.equals(&right).not();
    if !any_nan {
        return differ;
    }
    let format = &inputs.signature.d;
    let both_nan = unpack(format, &left).nan.and(&unpack(format, &right).nan);
    differ.and(&both_nan.not())
}

/// The same of two results.
pub fn results_differ(models: [&Model; 2], results: [u64; 2]) -> bool {
    let [left, right] = results;
    !models.iter().any(|model| model.accepts(left, right))
}
