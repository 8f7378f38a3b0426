//! `sign-symmetric`: negated operands give the negated result.

use crate::claims::property::values::{negated, same_value};
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Big, Prop};

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "sign-symmetric",
    "negating c and every a of operands in the domain, into it or out of it, negates the result; -0 is 0, any NaN is any other",
);

/// Negating `c` and every `a` negates the result. The two zeros count as equal, and so do all NaNs.
/// The negated operands may lie outside of the domain.
#[derive(Clone, Debug)]
pub struct SignSymmetric;

impl Meaning for SignSymmetric {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        text.expect_negative_factors()?;
        match text.signature().a.is_signed() {
            true => Ok(SignSymmetric),
            false => Err(text.unknown()),
        }
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let signature = by.signature();
        let format = &signature.d;
        let (result, other) = (
            by.result(),
            by.model.result(&opposite(&signature, by.inputs)),
        );
        same_value(format, &negated(format, &result), &other).not()
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        let other = opposite(&by.signature(), by.inputs);
        vec![by.other_operands("with c and every a negated", &other)]
    }
}

/// The operands with `c` and every `a` negated.
pub(crate) fn opposite<B: Instance>(signature: &Signature, inputs: &Registers<B>) -> Registers<B> {
    let mut opposite = inputs.clone();
    // The `c` of a conversion is no addend.
    if !signature.is_conversion() {
        opposite.c = negated(&signature.c, &inputs.c);
    }
    for a in &mut opposite.a {
        *a = negated(&signature.a, a);
    }
    opposite
}
