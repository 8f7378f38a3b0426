//! `no-worse-than=MODEL` and `no-worse-than-f64=MODEL`: the error is at most that of another model.

use crate::claims::property::closer::{TrueSum, beside_errors, is_worse};
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::Big;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "no-worse-than=MODEL",
    "the result for finite operands is as close to the exact sum as that of MODEL, or closer, where both results are finite; errors are compared exactly",
)
.of_sums();

pub(super) const OF_F64: PropertyDoc = PropertyDoc::new(
    "no-worse-than-f64=MODEL",
    "the same, counted from the sum in f64 in the place of the exact sum: c and the products in their order, each product and each sum to nearest",
).of_sums();

/// The error of the result, measured from this sum, is at most the error of this other model.
#[derive(Clone, Debug)]
pub struct NoWorseThan(pub Box<Model>, pub TrueSum);

impl Meaning for NoWorseThan {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        let other = Box::new(text.compared_model()?);
        Ok(NoWorseThan(other, TrueSum::named(text.name)))
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        is_worse(by.model, &self.0, self.1, by.inputs)
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        beside_errors(by, &self.0, self.1)
    }

    fn closer<'x>(&'x self, model: &'x Model) -> Option<([&'x Model; 2], TrueSum)> {
        Some(([&self.0, model], self.1))
    }

    fn other(&self) -> Option<&Model> {
        Some(&self.0)
    }
}
