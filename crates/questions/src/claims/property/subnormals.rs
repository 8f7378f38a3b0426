//! Subnormal numbers, and operands of which one product counts.

use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::float::{Format, unpack};

/// True if the register holds a subnormal number.
pub(super) fn is_subnormal<B: Instance>(format: &Format, register: &B) -> B::Bool {
    let x = unpack(format, register);
    x.finite()
        .and(&x.significand.msb().not())
        .and(&x.zero.not())
}

/// The operands with +0 for all but the factors of the first product; scales stay as they are.
pub(super) fn only_product<B: Instance>(
    signature: &Signature,
    inputs: &Registers<B>,
) -> Registers<B> {
    let mut product = inputs.clone();
    product.a[1..].fill(B::lit(signature.a.width(), 0));
    product.b[1..].fill(B::lit(signature.b.width(), 0));
    product.c = B::lit(signature.c.width(), 0);
    product
}
