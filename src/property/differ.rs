//! Two models give different results.

use super::SymbolicInputs;
use crate::bits::term::Formula;
use crate::bits::{Bv, Prop};
use crate::model::Model;

/// Unsatisfiable iff `left` and `right` give the same register for all inputs.
///
/// Both take and give the formats of `inputs`.
pub fn differ(inputs: &SymbolicInputs, left: &Model, right: &Model) -> Formula {
    let (left, _) = inputs.evaluate(left);
    let (right, _) = inputs.evaluate(right);
    left.equals(&right).not()
}
