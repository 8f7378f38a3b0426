//! Zero products change the result.

use super::differ::registers_differ;
use crate::algorithms::Registers;
use crate::bits::Bv;
use crate::model::Model;

/// Unsatisfiable iff the model gives with +0 for all products but the first ones what `shorter`
/// gives, which takes those alone.
pub fn padding_matters<B: Bv>(model: &Model, shorter: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let kept = shorter.signature().products as usize;
    let mut padded = inputs.clone();
    padded.a[kept..].fill(B::lit(signature.a.width(), 0));
    padded.b[kept..].fill(B::lit(signature.b.width(), 0));
    let mut alone = inputs.clone();
    alone.a.truncate(kept);
    alone.b.truncate(kept);
    registers_differ(
        &signature.d,
        model.gives_any_nan(),
        &model.result(&padded),
        &shorter.result(&alone),
    )
}
