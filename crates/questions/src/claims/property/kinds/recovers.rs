//! `recovers=FORMAT`: the result is the exact sum, rounded to nearest in a smaller format.

use crate::claims::property::exact::{correctly_rounded, is_finite};
use crate::claims::property::values::same_value;
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Big, Prop};
use mmasmt_numbers::float::{Format, NanCode, Rounding, convert};

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "recovers=FORMAT",
    "a finite result for finite operands is the exact sum rounded to nearest even in FORMAT; -0 is 0",
)
.of_sums();

/// The result is the exact sum, rounded to nearest even in this format. The format of the result
/// has all numbers of this format.
#[derive(Clone, Debug)]
pub struct SumRecovery(Format);

impl SumRecovery {
    /// The exact sum, rounded to nearest even in the format, in the format of the result.
    fn rounded<B: Instance>(&self, by: &Trial<B>) -> B {
        let signature = by.signature();
        let rounded_there = Signature {
            d: self.0,
            ..signature
        };
        let sum = correctly_rounded(&rounded_there, Rounding::Rne, by.inputs);
        convert(&self.0, &signature.d, Rounding::Rz, NanCode::Quiet, &sum)
    }
}

impl Meaning for SumRecovery {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        let format = Format::known_as(text.value).filter(Format::has_infinity);
        let format = format.ok_or_else(|| text.unknown())?;
        if !text.signature().d.has_all_of(&format) {
            return Err(text.unfit("its result has not all numbers of that format"));
        }
        Ok(SumRecovery(format))
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let signature = by.signature();
        let result = by.result();
        let correct = self.rounded(by);
        let same = same_value(&signature.d, &result, &correct);
        is_finite(&signature, by.inputs, &result).and(&same.not())
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        let what = format!("the exact sum, to nearest in {}", self.0);
        vec![Counterpart::new(what, &self.rounded(by))]
    }
}
