//! A model with operands, of which it is asked if they violate a property.

use super::domain::Domain;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::{Instance, Model};

/// A model, the assumptions on its operands, and operands for which a property is tried.
pub struct Trial<'x, B: Instance> {
    /// The model.
    pub model: &'x Model,
    /// The domain, which the operands need not lie in.
    pub domain: &'x Domain,
    /// The operands.
    pub inputs: &'x Registers<B>,
}

impl<B: Instance> Trial<'_, B> {
    /// The formats of the operands and of the result.
    pub fn signature(&self) -> Signature {
        self.model.signature()
    }

    /// The result of the model.
    pub fn result(&self) -> B {
        self.model.result(self.inputs)
    }
}
