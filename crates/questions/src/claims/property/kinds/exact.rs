//! `exact`: the result is the exact sum of integers.

use crate::claims::property::integers::is_inexact;
use crate::claims::property::{ClaimError, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::Instance;

pub(super) const DOC: PropertyDoc =
    PropertyDoc::new("exact", "of integers: the result is the exact sum").of_integers();

/// The result is the exact sum of integers.
#[derive(Clone, Debug)]
pub struct ExactIntegerSum;

impl Meaning for ExactIntegerSum {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        if !text.signature().is_integer() {
            return Err(text.unfit("its operands are no integers"));
        }
        text.expect_integer_products()?;
        Ok(ExactIntegerSum)
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        is_inexact(by.model, by.inputs)
    }
}
