//! `rounds=MODE`: the result is the exact sum, rounded once.

use crate::claims::property::exact::{correctly_rounded, is_finite};
use crate::claims::property::values::same_value;
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Big, Prop};
use mmasmt_numbers::float::Rounding;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "rounds=MODE",
    "a finite result for finite operands is the exact sum rounded: rz, rne, rd, ru or ra (away from zero); -0 is 0",
)
.of_sums();

/// The result is the exact sum, rounded in this way.
#[derive(Clone, Debug)]
pub struct Rounds(pub Rounding);

impl Meaning for Rounds {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        Ok(Rounds(text.rounding()?))
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let signature = by.signature();
        let result = by.result();
        let correct = correctly_rounded(&signature, self.0, by.inputs);
        let same = same_value(&signature.d, &result, &correct);
        is_finite(&signature, by.inputs, &result).and(&same.not())
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        vec![by.exact_sum("the exact sum, rounded so", self.0)]
    }
}
