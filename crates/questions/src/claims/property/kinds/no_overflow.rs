//! `no-overflow`: the registers of integers hold their sums.

use crate::claims::property::integers::{exact_sum, is_held};
use crate::claims::property::{ClaimError, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::Prop;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "no-overflow",
    "of integers: the format of the result holds the exact sum, and each integer register of a description the sum that it is given",
).of_integers();

/// The format of the result holds the exact sum of integers, and the registers of a description
/// hold theirs.
#[derive(Clone, Debug)]
pub struct NoOverflow;

impl Meaning for NoOverflow {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        if !text.signature().is_integer() {
            return Err(text.unfit(
                "its operands are no integers; `finite-results` says of numbers that nothing overflows",
            ));
        }
        text.expect_integer_products()?;
        Ok(NoOverflow)
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let result = is_held(&by.signature(), &exact_sum(by.model, by.inputs)).not();
        match by.model.algorithm().text() {
            Some(_) => {
                let (_, stages) = by.model.evaluate(by.inputs);
                B::Bool::any(stages.overflows().iter().cloned()).or(&result)
            }
            None => result,
        }
    }
}
