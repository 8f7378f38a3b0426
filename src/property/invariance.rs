//! The result changes where a change of the operands should leave it, or should only negate it.

use super::differ::registers_differ;
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

/// Unsatisfiable iff the model gives with +0 for all products but the first ones what `shorter`
/// gives, which takes those alone.
pub fn padding_matters<B: Bv>(model: &Model, shorter: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    registers_differ(
        &signature.d,
        model.gives_any_nan(),
        &model.result(&padded(&signature, shorter, inputs)),
        &shorter.result(&alone(shorter, inputs)),
    )
}

/// With +0 for the products that `shorter` does not take.
pub(super) fn padded<B: Bv>(
    signature: &Signature,
    shorter: &Model,
    inputs: &Registers<B>,
) -> Registers<B> {
    let kept = shorter.signature().products as usize;
    let mut padded = inputs.clone();
    padded.a[kept..].fill(B::lit(signature.a.width(), 0));
    padded.b[kept..].fill(B::lit(signature.b.width(), 0));
    padded
}

/// The products that `shorter` takes, alone.
pub(super) fn alone<B: Bv>(shorter: &Model, inputs: &Registers<B>) -> Registers<B> {
    let kept = shorter.signature().products as usize;
    let mut alone = inputs.clone();
    alone.a.truncate(kept);
    alone.b.truncate(kept);
    alone
}
