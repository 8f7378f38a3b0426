//! The result of negated operands is not the negated result.

use super::values::{negated, same_value};
use crate::algorithms::{Registers, Signature};
use crate::bits::{Bv, Prop};
use crate::model::Model;

/// Unsatisfiable iff negating `c` and every `a` of operands in the domain negates the result, zeros
/// of both signs being one number, and all NaNs. The negated operands may lie outside of it: they
/// are one step away, and nothing is concluded from any other.
pub fn is_asymmetric<B: Bv>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let format = &signature.d;
    let (result, other) = (
        model.result(inputs),
        model.result(&opposite(&signature, inputs)),
    );
    same_value(format, &negated(format, &result), &other).not()
}

/// With `c` and every `a` negated.
pub(super) fn opposite<B: Bv>(signature: &Signature, inputs: &Registers<B>) -> Registers<B> {
    let mut opposite = inputs.clone();
    opposite.c = negated(&signature.c, &inputs.c);
    for a in &mut opposite.a {
        *a = negated(&signature.a, a);
    }
    opposite
}
