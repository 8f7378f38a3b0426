//! Inputs of one dot-add, as native bits.

use crate::algorithms::Signature;

/// Operands of one dot-add: registers of the formats that a signature tells.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inputs {
    /// Left factors.
    pub a: Vec<u64>,
    /// Right factors, as many.
    pub b: Vec<u64>,
    /// The accumulator in.
    pub c: u64,
}

/// Inputs and the result that belongs to them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Vector {
    /// The operands.
    pub inputs: Inputs,
    /// The result register.
    pub d: u64,
}

impl Inputs {
    /// The inputs with +0 for the products that are missing, if they fit the signature: no more
    /// products than it has, as many `b` as `a`, no register wider than its format.
    #[must_use]
    pub fn padded(mut self, signature: &Signature) -> Option<Inputs> {
        let products = signature.products as usize;
        let fits = |values: &[u64], width: u32| {
            width >= 64 || values.iter().all(|bits| bits >> width == 0)
        };
        let right = self.a.len() == self.b.len()
            && self.a.len() <= products
            && fits(&self.a, signature.a.width())
            && fits(&self.b, signature.b.width())
            && fits(&[self.c], signature.c.width());
        self.a.resize(products, 0);
        self.b.resize(products, 0);
        right.then_some(self)
    }

    /// Whether no operand is an infinity or a NaN.
    pub fn is_finite(&self, signature: &Signature) -> bool {
        self.a.iter().all(|&bits| signature.a.is_finite(bits))
            && self.b.iter().all(|&bits| signature.b.is_finite(bits))
            && signature.c.is_finite(self.c)
    }

    /// The inputs as a line of a vector file: `c a0,a1,… b0,b1,…`.
    pub fn to_line(&self, signature: &Signature) -> String {
        let row = |values: &[u64], digits: usize| {
            let words: Vec<_> = values
                .iter()
                .map(|bits| format!("{bits:0digits$x}"))
                .collect();
            words.join(",")
        };
        let c = row(&[self.c], signature.c.digits());
        let a = row(&self.a, signature.a.digits());
        let b = row(&self.b, signature.b.digits());
        format!("{c} {a} {b}")
    }
}
