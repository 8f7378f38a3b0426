//! `zero-padding=K`: products of +0 behind the first K change no result.

use crate::claims::property::differ::registers_differ;
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::algorithms::Registers;
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::Big;

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "zero-padding=K",
    "with +0 for all products but the first K, in the domain or not, the result is that of the model with K=K",
).of_integers();

/// With +0 for the factors that this shorter model does not take, the result is the result of
/// the shorter model for the first factors alone.
#[derive(Clone, Debug)]
pub struct ZeroPadding(pub Box<Model>);

impl ZeroPadding {
    fn kept(&self) -> usize {
        self.0.signature().products as usize
    }

    /// The operands with +0 for the factors that the shorter model does not take.
    fn padded<B: Instance>(&self, by: &Trial<B>) -> Registers<B> {
        let signature = by.signature();
        let mut padded = by.inputs.clone();
        padded.a[self.kept()..].fill(B::lit(signature.a.width(), 0));
        padded.b[self.kept()..].fill(B::lit(signature.b.width(), 0));
        padded
    }

    /// The operands without the factors that the shorter model does not take.
    fn alone<B: Instance>(&self, by: &Trial<B>) -> Registers<B> {
        let mut alone = by.inputs.clone();
        alone.a.truncate(self.kept());
        alone.b.truncate(self.kept());
        alone
    }
}

impl Meaning for ZeroPadding {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        let shorter = text.model.with(&format!("K={},chain=1", text.value))?;
        if shorter.signature().products >= text.signature().products {
            return Err(text.unfit("it has no more products than that"));
        }
        Ok(ZeroPadding(Box::new(shorter)))
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        registers_differ(
            &by.signature().d,
            by.model.gives_any_nan(),
            &by.model.result(&self.padded(by)),
            &self.0.result(&self.alone(by)),
        )
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        let short = self.0.result(&self.alone(by));
        vec![
            by.other_operands("with +0 behind", &self.padded(by)),
            Counterpart::new(self.0.to_string(), &short),
        ]
    }
}
