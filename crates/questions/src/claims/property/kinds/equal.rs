//! `equal=MODEL` and `same-as=MODEL`: two models give the same results.

use crate::claims::property::differ::differ;
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::Big;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "equal=MODEL",
    "the register of the result is that of MODEL; MODEL may be keys to change, as in equal=:carry=full",
).of_integers();

pub(super) const SAME_AS: PropertyDoc =
    PropertyDoc::new("same-as=MODEL", "equal=MODEL by another name").of_integers();

/// The result equals the result of this other model.
#[derive(Clone, Debug)]
pub struct EqualResults(pub Box<Model>);

impl Meaning for EqualResults {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        let other = text.other_model()?;
        if other.signature() != text.signature() {
            return Err(text.unfit("the two models do not take the same inputs"));
        }
        Ok(EqualResults(Box::new(other)))
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        differ(by.model, &self.0, by.inputs)
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        vec![by.other_model(&self.0)]
    }

    fn compared<'x>(&'x self, model: &'x Model) -> Option<[&'x Model; 2]> {
        Some([model, &self.0])
    }

    fn other(&self) -> Option<&Model> {
        Some(&self.0)
    }
}
