//! The violation of `sign-symmetric` and `zero-padding`.

use super::differ::registers_differ;
use super::values::{negated, same_value};
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::Prop;

/// Unsatisfiable iff negating `c` and every `a` negates the result. The two zeros count as equal,
/// and so do all NaNs. The negated operands may lie outside of the domain.
pub fn is_asymmetric<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let format = &signature.d;
    let (result, other) = (
        model.result(inputs),
        model.result(&opposite(&signature, inputs)),
    );
    same_value(format, &negated(format, &result), &other).not()
}

/// The operands with `c` and every `a` negated.
pub(super) fn opposite<B: Instance>(signature: &Signature, inputs: &Registers<B>) -> Registers<B> {
    let mut opposite = inputs.clone();
    opposite.c = negated(&signature.c, &inputs.c);
    for a in &mut opposite.a {
        *a = negated(&signature.a, a);
    }
    opposite
}

/// Unsatisfiable iff padding with +0 never changes the result. The padded result is that of `model`
/// for the first factors, as many as `shorter` takes, followed by factors of +0. The other result
/// is that of `shorter` for the same first factors alone.
pub fn padding_matters<B: Instance>(
    model: &Model,
    shorter: &Model,
    inputs: &Registers<B>,
) -> B::Bool {
    let signature = model.signature();
    registers_differ(
        &signature.d,
        model.gives_any_nan(),
        &model.result(&padded(&signature, shorter, inputs)),
        &shorter.result(&alone(shorter, inputs)),
    )
}

/// The operands with +0 for the factors that `shorter` does not take.
pub(super) fn padded<B: Instance>(
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

/// The operands without the factors that `shorter` does not take.
pub(super) fn alone<B: Instance>(shorter: &Model, inputs: &Registers<B>) -> Registers<B> {
    let kept = shorter.signature().products as usize;
    let mut alone = inputs.clone();
    alone.a.truncate(kept);
    alone.b.truncate(kept);
    alone
}
