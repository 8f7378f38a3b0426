//! A vector: the operands of one dot-add together with its result.

use mmasmt_core::machines::algorithms::{Inputs, Misfit, Signature, too_wide};

/// The operands of one dot-add and its result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Vector {
    /// The operands.
    pub inputs: Inputs,
    /// The result register.
    pub d: u64,
}

impl Vector {
    /// Checks that the operands and the result fit the signature.
    ///
    /// # Errors
    /// If the operands do not [fit](Inputs::checked) the signature, or the result has nonzero bits
    /// above the width of its format.
    pub fn check(&self, signature: &Signature) -> Result<(), Misfit> {
        self.inputs.checked(signature)?;
        let format = signature.d;
        if too_wide(&format, &self.d) {
            return Err(Misfit::Width {
                what: "d".into(),
                format,
                width: format.width(),
                found: format!("{:#x}", self.d),
            });
        }
        Ok(())
    }
}
