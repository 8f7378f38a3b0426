//! `faithful`: the result is the exact sum or one of the two numbers next to it.

use crate::claims::property::exact::{correctly_rounded, is_finite};
use crate::claims::property::values::same_value;
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Big, Prop};
use mmasmt_numbers::float::Rounding;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "faithful",
    "a finite result for finite operands is the exact sum or one of the two numbers next to it",
)
.of_sums();

/// The result is the exact sum or one of the two numbers next to it.
#[derive(Clone, Debug)]
pub struct FaithfulRounding;

impl Meaning for FaithfulRounding {
    fn read(_text: &PropertyText) -> Result<Self, ClaimError> {
        Ok(FaithfulRounding)
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let signature = by.signature();
        let result = by.result();
        let same = [Rounding::Rd, Rounding::Ru].map(|rounding| {
            let neighbour = correctly_rounded(&signature, rounding, by.inputs);
            same_value(&signature.d, &result, &neighbour)
        });
        is_finite(&signature, by.inputs, &result).and(&B::Bool::any(same).not())
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        vec![
            by.exact_sum("the exact sum, rounded down", Rounding::Rd),
            by.exact_sum("the exact sum, rounded up", Rounding::Ru),
        ]
    }
}
