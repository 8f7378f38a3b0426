//! Zero products change the result.

use super::differ::registers_differ;
use crate::algorithms::{Registers, Signature};
use crate::bits::Bv;
use crate::model::Model;

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
