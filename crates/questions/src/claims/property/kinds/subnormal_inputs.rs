//! `subnormal-inputs`: subnormal operands are not flushed.

use crate::claims::property::exact::loses_exact_sums;
use crate::claims::property::subnormals::{is_subnormal, only_product};
use crate::claims::property::{ClaimError, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::Prop;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "subnormal-inputs",
    "a subnormal factor in the first product alone, or a subnormal c alone, counts with its value, where the format of the result holds that; all else is +0",
)
.of_sums();

/// Subnormal operands are not flushed, in two cases. If all operands but the factors of the first
/// product are +0, one of these factors is subnormal, and the result's format represents the
/// product, then the result is the product. If `c` is subnormal and all other operands are +0, then
/// the result is `c`.
#[derive(Clone, Debug)]
pub struct SubnormalInputs;

impl Meaning for SubnormalInputs {
    fn read(_text: &PropertyText) -> Result<Self, ClaimError> {
        Ok(SubnormalInputs)
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let (signature, inputs) = (by.signature(), by.inputs);
        let (product, addend) = (only_product(&signature, inputs), only_c(&signature, inputs));
        let factor =
            is_subnormal(&signature.a, &inputs.a[0]).or(&is_subnormal(&signature.b, &inputs.b[0]));
        let lost_product = loses_exact_sums(by.model, &product).and(&factor);
        let lost_c =
            loses_exact_sums(by.model, &addend).and(&is_subnormal(&signature.c, &inputs.c));
        lost_product.or(&lost_c)
    }
}

/// The operands with +0 for all factors, so that only `c` counts; scales stay as they are.
fn only_c<B: Instance>(signature: &Signature, inputs: &Registers<B>) -> Registers<B> {
    let mut addend = inputs.clone();
    addend.a.fill(B::lit(signature.a.width(), 0));
    addend.b.fill(B::lit(signature.b.width(), 0));
    addend
}
