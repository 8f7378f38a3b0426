//! `better-than=MODEL` and `better-than-f64=MODEL`: there are operands for which the error is less than that of
//! another model.

use crate::claims::property::closer::{TrueSum, beside_errors, is_worse};
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::Big;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "better-than=MODEL",
    "there are finite operands in the domain for which the result is closer to the exact sum than that of MODEL, both results being finite: proved by such operands, refuted by a proof that there are none",
).of_sums();

pub(super) const OF_F64: PropertyDoc = PropertyDoc::new(
    "better-than-f64=MODEL",
    "the same, counted from the sum in f64",
)
.of_sums();

/// There are operands for which the error, measured from this sum, is less than the error of
/// this other model.
#[derive(Clone, Debug)]
pub struct BetterThan(pub Box<Model>, pub TrueSum);

impl Meaning for BetterThan {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        let other = Box::new(text.compared_model()?);
        Ok(BetterThan(other, TrueSum::named(text.name)))
    }

    /// Operands that satisfy the formula show that this property holds; they do not violate it.
    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        is_worse(&self.0, by.model, self.1, by.inputs)
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        beside_errors(by, &self.0, self.1)
    }

    fn is_existential(&self) -> bool {
        true
    }

    fn closer<'x>(&'x self, model: &'x Model) -> Option<([&'x Model; 2], TrueSum)> {
        Some(([model, &self.0], self.1))
    }

    fn other(&self) -> Option<&Model> {
        Some(&self.0)
    }
}
