//! `subnormal-results`: subnormal results are not flushed.

use crate::claims::property::exact::correctly_rounded;
use crate::claims::property::subnormals::{is_subnormal, only_product};
use crate::claims::property::values::same_value;
use crate::claims::property::{ClaimError, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::float::Rounding;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "subnormal-results",
    "the first product alone, all else being +0, gives one of the two numbers next to it where it is no zero and below the least normal result",
).of_sums();

/// Subnormal results are not flushed. If all operands but the factors of the first product are +0,
/// and a neighbour of this product is a subnormal number of the result's format, then the result is
/// one of the product's two neighbours in that format.
#[derive(Clone, Debug)]
pub struct SubnormalResults;

impl Meaning for SubnormalResults {
    fn read(_text: &PropertyText) -> Result<Self, ClaimError> {
        Ok(SubnormalResults)
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let signature = by.signature();
        let format = &signature.d;
        let product = only_product(&signature, by.inputs);
        let result = by.model.result(&product);
        let near = [Rounding::Rd, Rounding::Ru]
            .map(|rounding| correctly_rounded(&signature, rounding, &product));
        let among = B::Bool::any(near.iter().map(|near| is_subnormal(format, near)));
        let kept = B::Bool::any(near.iter().map(|near| same_value(format, &result, near)));
        among.and(&kept.not())
    }
}
