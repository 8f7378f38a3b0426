//! The exact sums of dot products of integers.

use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::float::integer;

/// The exact sum of the products and of `c`, if the model reads it, in one bit more than any of these
/// sums or the result needs.
pub(super) fn exact_sum<B: Instance>(model: &Model, inputs: &Registers<B>) -> B {
    let Signature {
        a,
        b,
        c,
        d,
        products,
        ..
    } = &model.signature();
    let of_products = a.width() + b.width() + 1 + products.ilog2();
    // The result is compared with the sum, and may be wider than it needs.
    let width = of_products.max(c.width()).max(d.width()) + 3;
    let pairs = inputs.a.iter().zip(&inputs.b);
    let product = |(x, y): (&B, &B)| integer(a, x, width).mul(&integer(b, y, width));
    let mut terms: Vec<B> = pairs.map(product).collect();
    if model.reads_c() {
        terms.push(integer(c, &inputs.c, width));
    }
    B::sum(&terms)
}

/// Unsatisfiable iff the result is the exact sum.
pub fn is_inexact<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let sum = exact_sum(model, inputs);
    let result = integer(&signature.d, &model.result(inputs), sum.width());
    result.equals(&sum).not()
}

/// True if the format of the result holds the sum.
pub(super) fn is_held<B: Instance>(signature: &Signature, sum: &B) -> B::Bool {
    let low = sum.extract(signature.d.width() - 1, 0);
    integer(&signature.d, &low, sum.width()).equals(sum)
}

/// Unsatisfiable iff the result is the exact sum wherever the format of the result holds that sum.
pub fn loses_exact_sums<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let sum = exact_sum(model, inputs);
    is_held(&signature, &sum).and(&is_inexact(model, inputs))
}
