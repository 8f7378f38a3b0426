//! Inputs of one dot-add, as native bits.

use crate::algorithms::{Registers, Signature};
use crate::bits::Bv;

/// Operands of one dot-add: registers of the formats that a signature tells.
pub type Inputs = Registers<u64>;

/// Inputs and the result that belongs to them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Vector {
    /// The operands.
    pub inputs: Inputs,
    /// The result register.
    pub d: u64,
}

impl Inputs {
    /// +0 for all products and `c`, 1 for all scales.
    pub fn zero(signature: &Signature) -> Inputs {
        let products = || vec![0; signature.products as usize];
        let one = signature.scales.map_or(0, |scales| scales.format.one());
        let scales = vec![one; signature.scale_count() as usize];
        Inputs {
            a_scales: scales.clone(),
            b_scales: scales,
            ..Inputs::new(products(), products(), 0)
        }
    }

    /// The inputs, which fit the signature, as constants of the instance `B`.
    pub(crate) fn lifted<B: Bv>(&self, signature: &Signature) -> Registers<B> {
        self.map(signature, |format, &bits| B::lit(format.width(), bits))
    }

    /// Whether no operand is an infinity or a NaN.
    pub fn is_finite(&self, signature: &Signature) -> bool {
        self.each(signature)
            .all(|(format, &bits)| format.is_finite(bits))
    }
}
