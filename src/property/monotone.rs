//! The result falls where an operand rises.

use super::values::{is_greater, next_up};
use crate::algorithms::{Registers, Signature};
use crate::bits::{Bv, Prop};
use crate::float::unpack;
use crate::model::Model;

/// Unsatisfiable iff no finite `c` gives a greater result than the next greater one: the result
/// never falls while `c` rises.
pub fn falls_in_c<B: Bv>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let raised = raised_c(&signature, inputs);
    let (before, after) = (model.result(inputs), model.result(&raised));
    let finite = unpack(&signature.c, &inputs.c).finite();
    is_greater(&signature.d, &before, &after).and(&finite)
}

/// Unsatisfiable iff no finite `a[k]` gives a greater result than the next greater one, with the
/// same other operands and a `b[k]` that is not negative: the result never falls while a product
/// rises.
pub fn falls_in_products<B: Bv>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let before = model.result(inputs);
    let falls = (0..inputs.a.len()).map(|k| {
        let after = model.result(&raised_a(&signature, k, inputs));
        let finite = unpack(&signature.a, &inputs.a[k]).finite();
        let positive = unpack(&signature.b, &inputs.b[k]).sign.not();
        is_greater(&signature.d, &before, &after)
            .and(&finite)
            .and(&positive)
    });
    B::Bool::any(falls.collect::<Vec<_>>())
}

/// With the next greater `c`.
pub(super) fn raised_c<B: Bv>(signature: &Signature, inputs: &Registers<B>) -> Registers<B> {
    let mut raised = inputs.clone();
    raised.c = next_up(&signature.c, &inputs.c);
    raised
}

/// With the next greater `a[k]`.
pub(super) fn raised_a<B: Bv>(
    signature: &Signature,
    k: usize,
    inputs: &Registers<B>,
) -> Registers<B> {
    let mut raised = inputs.clone();
    raised.a[k] = next_up(&signature.a, &inputs.a[k]);
    raised
}
