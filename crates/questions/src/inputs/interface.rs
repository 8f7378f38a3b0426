//! What inputs are drawn for: the operands of models, and whether the models read `c`.
//!
//! A model that does not read `c` takes no other `c` than 0: readers of its files and `eval` refuse
//! another. So no inputs are drawn for it that have one.

use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;

/// The operands of models that inputs are drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interface {
    /// The formats and the number of the operands.
    pub signature: Signature,
    /// Whether `c` is read; if not, `c` is 0 in all inputs.
    pub reads_c: bool,
}

impl Interface {
    /// The operands of models of one signature, where `c` is an operand if one of the models reads
    /// it; `None` if there are no models.
    pub fn of<'m>(models: impl IntoIterator<Item = &'m Model>) -> Option<Interface> {
        let mut models = models.into_iter();
        let first = models.next()?;
        Some(Interface {
            signature: first.signature(),
            reads_c: first.reads_c() || models.any(Model::reads_c),
        })
    }

    /// Whether the models take this `c`.
    pub fn takes(&self, inputs: &Inputs) -> bool {
        self.reads_c || inputs.c == 0
    }

    /// The inputs, with `c = 0` if the models take no other.
    #[must_use]
    pub fn taken(&self, mut inputs: Inputs) -> Inputs {
        if !self.reads_c {
            inputs.c = 0;
        }
        inputs
    }
}

impl From<&Model> for Interface {
    fn from(model: &Model) -> Interface {
        Interface {
            signature: model.signature(),
            reads_c: model.reads_c(),
        }
    }
}

/// The operands of models that read `c`.
impl From<Signature> for Interface {
    fn from(signature: Signature) -> Interface {
        Interface {
            signature,
            reads_c: true,
        }
    }
}
