//! `carry-bits=N`: a few carry bits give the same results as all.

use crate::claims::property::differ::differ;
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::Big;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "carry-bits=N",
    "N carry bits suffice: with them the result is that of the model with all",
);

/// The first model, which has only some of the carry bits, gives the same result as the second
/// model, which has all carry bits.
#[derive(Clone, Debug)]
pub struct CarryBits(pub Box<[Model; 2]>);

impl Meaning for CarryBits {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        let some = text.model.with(&format!("carry={}", text.value))?;
        let all = text.model.with("carry=full")?;
        Ok(CarryBits(Box::new([some, all])))
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        differ(&self.0[0], &self.0[1], by.inputs)
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        self.0.iter().map(|model| by.other_model(model)).collect()
    }

    fn compared<'x>(&'x self, _model: &'x Model) -> Option<[&'x Model; 2]> {
        Some([&self.0[0], &self.0[1]])
    }
}
