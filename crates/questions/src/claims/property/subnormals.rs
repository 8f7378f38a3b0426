//! The violation of `subnormal-inputs` and `subnormal-results`: subnormal numbers are flushed.

use super::exact::{correctly_rounded, loses_exact_sums};
use super::values::same_value;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::Prop;
use mmasmt_core::numbers::float::{Format, Rounding, unpack};

/// Unsatisfiable iff subnormal operands are not flushed. The result is the first product where one
/// of its factors is subnormal and all other operands are +0, if the format represents that
/// product, and likewise a subnormal `c`. Other operands in `inputs` are ignored.
pub fn drops_subnormal_inputs<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let (product, addend) = (only_product(&signature, inputs), only_c(&signature, inputs));
    let factor =
        is_subnormal(&signature.a, &inputs.a[0]).or(&is_subnormal(&signature.b, &inputs.b[0]));
    let lost_product = loses_exact_sums(model, &product).and(&factor);
    let lost_c = loses_exact_sums(model, &addend).and(&is_subnormal(&signature.c, &inputs.c));
    lost_product.or(&lost_c)
}

/// Unsatisfiable iff subnormal results are not flushed: where all operands but the first product
/// are +0 and the product lies between subnormal numbers of the result, the result is one of its
/// two neighbours. Other operands in `inputs` are ignored.
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

/// The first product, and +0 for all else; scales stay as they are.
fn only_product<B: Instance>(signature: &Signature, inputs: &Registers<B>) -> Registers<B> {
    let mut product = inputs.clone();
    product.a[1..].fill(B::lit(signature.a.width(), 0));
    product.b[1..].fill(B::lit(signature.b.width(), 0));
    product.c = B::lit(signature.c.width(), 0);
    product
}

/// `c`, and +0 for all else; scales stay as they are.
fn only_c<B: Instance>(signature: &Signature, inputs: &Registers<B>) -> Registers<B> {
    let mut addend = inputs.clone();
    addend.a.fill(B::lit(signature.a.width(), 0));
    addend.b.fill(B::lit(signature.b.width(), 0));
    addend
}
