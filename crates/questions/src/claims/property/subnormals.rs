//! The violation of `subnormal-inputs` and `subnormal-results`: subnormal numbers are flushed.

use super::exact::{correctly_rounded, loses_exact_sums};
use super::values::same_value;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::Prop;
use mmasmt_core::numbers::float::{Format, Rounding, unpack};

/// Unsatisfiable iff subnormal operands are not flushed, in two cases. If all operands but the
/// factors of the first product are +0, one of these factors is subnormal, and the result's format
/// represents the product, then the result is the product. If `c` is subnormal and all other
/// operands are +0, then the result is `c`. Other operands in `inputs` are ignored.
pub fn drops_subnormal_inputs<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let (product, addend) = (only_product(&signature, inputs), only_c(&signature, inputs));
    let factor =
        is_subnormal(&signature.a, &inputs.a[0]).or(&is_subnormal(&signature.b, &inputs.b[0]));
    let lost_product = loses_exact_sums(model, &product).and(&factor);
    let lost_c = loses_exact_sums(model, &addend).and(&is_subnormal(&signature.c, &inputs.c));
    lost_product.or(&lost_c)
}

/// Unsatisfiable iff subnormal results are not flushed. If all operands but the factors of the
/// first product are +0, and a neighbour of this product is a subnormal number of the result's
/// format, then the result is one of the product's two neighbours in that format. Other operands in
/// `inputs` are ignored.
pub fn drops_subnormal_results<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let format = &signature.d;
    let product = only_product(&signature, inputs);
    let result = model.result(&product);
    let near = [Rounding::Rd, Rounding::Ru]
        .map(|rounding| correctly_rounded(&signature, rounding, &product));
    let among = B::Bool::any(near.iter().map(|near| is_subnormal(format, near)));
    let kept = B::Bool::any(near.iter().map(|near| same_value(format, &result, near)));
    among.and(&kept.not())
}

fn is_subnormal<B: Instance>(format: &Format, register: &B) -> B::Bool {
    let x = unpack(format, register);
    x.finite()
        .and(&x.significand.msb().not())
        .and(&x.zero.not())
}

/// The operands with +0 for all but the factors of the first product; scales stay as they are.
fn only_product<B: Instance>(signature: &Signature, inputs: &Registers<B>) -> Registers<B> {
    let mut product = inputs.clone();
    product.a[1..].fill(B::lit(signature.a.width(), 0));
    product.b[1..].fill(B::lit(signature.b.width(), 0));
    product.c = B::lit(signature.c.width(), 0);
    product
}

/// The operands with +0 for all factors, so that only `c` counts; scales stay as they are.
fn only_c<B: Instance>(signature: &Signature, inputs: &Registers<B>) -> Registers<B> {
    let mut addend = inputs.clone();
    addend.a.fill(B::lit(signature.a.width(), 0));
    addend.b.fill(B::lit(signature.b.width(), 0));
    addend
}
