//! `exact-sums`: a sum that the format of the result holds is the result.

use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use crate::claims::property::{exact, integers};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::Big;
use mmasmt_numbers::float::Rounding;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "exact-sums",
    "a sum of finite operands that the format of the result holds is the result",
)
.of_integers()
.of_sums();

/// The result is the exact sum wherever the format of the result represents that sum.
#[derive(Clone, Debug)]
pub struct ExactSums;

impl Meaning for ExactSums {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        if text.signature().is_integer() {
            text.expect_integer_products()?;
        }
        Ok(ExactSums)
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        match by.signature().is_integer() {
            true => integers::loses_exact_sums(by.model, by.inputs),
            false => exact::loses_exact_sums(by.model, by.inputs),
        }
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        match by.signature().is_integer() {
            true => Vec::new(),
            false => vec![by.exact_sum("the exact sum", Rounding::Rne)],
        }
    }
}
