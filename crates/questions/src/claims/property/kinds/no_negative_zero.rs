//! `no-negative-zero`: no result is -0.

use crate::claims::property::{ClaimError, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::float::unpack;

pub(super) const DOC: PropertyDoc = PropertyDoc::new("no-negative-zero", "no result is -0");

/// The result is never -0.
#[derive(Clone, Debug)]
pub struct NoNegativeZero;

impl Meaning for NoNegativeZero {
    fn read(_text: &PropertyText) -> Result<Self, ClaimError> {
        Ok(NoNegativeZero)
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let x = unpack(&by.signature().d, &by.result());
        x.zero.and(&x.sign)
    }
}
