//! `canonical-nan`: every NaN has the code that the model states.

use crate::claims::property::{ClaimError, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::algorithms::DotAdd;
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::float::unpack;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "canonical-nan",
    "every NaN result has the code that the model says",
);

/// Every NaN result has the code that the model states.
#[derive(Clone, Debug)]
pub struct CanonicalNan;

impl Meaning for CanonicalNan {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        match text.model.gives_any_nan() {
            true => Err(text.unfit("the code of its NaN is unspecified")),
            false => Ok(CanonicalNan),
        }
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let format = by.signature().d;
        let code = format.nan(by.model.algorithm().nan());
        let result = by.result();
        let canonical = result.equals(&B::lit(format.width(), code));
        unpack(&format, &result).nan.and(&canonical.not())
    }
}
