//! `never`: flags that no operands raise.

use crate::claims::property::{ClaimError, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::algorithms::descriptions::FLAG_NAMES;
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::Prop;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "never=FLAGS",
    "no operands in the domain raise one of these flags: NX, UF, OF, DZ, NV, with | between them",
);

/// None of these flags is raised.
#[derive(Clone, Copy, Debug)]
pub struct NoFlags(u64);

impl Meaning for NoFlags {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        let names = text.value.split('|');
        let bit = |name: &str| FLAG_NAMES.iter().position(|known| *known == name);
        let bits: Option<Vec<usize>> = names.map(bit).collect();
        let bits = bits.ok_or_else(|| text.unknown())?;
        Ok(NoFlags(bits.iter().fold(0, |flags, bit| flags | 1 << bit)))
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let flags = by.result();
        let mask = B::lit(flags.width(), self.0);
        flags.and(&mask).is_zero().not()
    }
}
