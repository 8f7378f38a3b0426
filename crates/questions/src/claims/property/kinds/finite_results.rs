//! `finite-results`: finite operands give no infinity and no NaN.

use crate::claims::property::symbolic::all_finite;
use crate::claims::property::{ClaimError, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::float::unpack;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "finite-results",
    "the result for finite operands is no infinity and no NaN",
);

/// Finite operands give no infinity and no NaN.
#[derive(Clone, Debug)]
pub struct FiniteResults;

impl Meaning for FiniteResults {
    fn read(_text: &PropertyText) -> Result<Self, ClaimError> {
        Ok(FiniteResults)
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let signature = by.signature();
        let result = unpack(&signature.d, &by.result());
        all_finite(&signature, by.inputs).and(&result.finite().not())
    }
}
