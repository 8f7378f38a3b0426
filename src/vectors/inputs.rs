//! Inputs of one dot-add, as native bits.

use super::checked::widths_fit;
use super::line::push_operands;
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

    /// The inputs with +0 for the products that are missing, and 1 for the scales, if they fit the
    /// signature: no more products and scales than it has, as many of one side as of the other, no
    /// register wider than its format.
    #[must_use]
    pub fn padded(mut self, signature: &Signature) -> Option<Inputs> {
        let products = signature.products as usize;
        let scales = signature.scale_count() as usize;
        let one = signature.scales.map_or(0, |scales| scales.format.one());
        let right = self.a.len() == self.b.len()
            && self.a.len() <= products
            && self.a_scales.len() == self.b_scales.len()
            && self.a_scales.len() <= scales
            && widths_fit(&self, signature);
        self.a.resize(products, 0);
        self.b.resize(products, 0);
        self.a_scales.resize(scales, one);
        self.b_scales.resize(scales, one);
        right.then_some(self)
    }

    /// Whether no operand is an infinity or a NaN.
    pub fn is_finite(&self, signature: &Signature) -> bool {
        self.each(signature)
            .all(|(format, &bits)| format.is_finite(bits))
    }

    /// The inputs as a line of a vector file: `c a0,a1,… b0,b1,…`, and `sa0,… sb0,…` where there
    /// are scales.
    pub fn to_line(&self, signature: &Signature) -> String {
        let mut line = String::new();
        push_operands(&mut line, signature, self);
        line
    }
}
