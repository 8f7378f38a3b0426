//! `rounds-partial-sums=MODE`: products are added in order, each product and each sum rounded.

use crate::claims::property::values::same_value;
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::{Big, Prop};

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "rounds-partial-sums=MODE",
    "the result is c plus the products in order, each product and each sum rounded to the result's format: rz, rne, rd, ru or ra; -0 is 0, any NaN is any other",
)
.of_sums();

/// The result is the number that this other model gives, which adds `c` and the products in order, as IEEE 754 does,
/// and rounds products and sums to the format of the result.
#[derive(Clone, Debug)]
pub struct RoundsPartialSums(pub Box<Model>);

impl Meaning for RoundsPartialSums {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        text.rounding()?;
        let signature = text.signature();
        let Signature {
            a, b, d, products, ..
        } = signature;
        let mode = text.value;
        let spec = format!("ieee:a={a},b={b},acc={d},K={products},round={mode}");
        let other = Model::parse(&spec)?;
        if other.signature() != signature {
            return Err(text.unfit("c has not the format of its result"));
        }
        Ok(RoundsPartialSums(Box::new(other)))
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let [x, y] = [by.model, &self.0].map(|model| model.result(by.inputs));
        same_value(&by.signature().d, &x, &y).not()
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        vec![by.other_model(&self.0)]
    }
}
