//! The operands of each element of a product, as those of one sum along k.

use super::product::MatrixProduct;
use mmasmt_core::machines::algorithms::{Inputs, Operand, Signature};

/// The operands of one element after the other.
pub struct ElementOperands<'x> {
    product: &'x MatrixProduct<'x>,
    signature: Signature,
    inputs: Inputs,
}

impl<'x> ElementOperands<'x> {
    /// The operands of the elements of a product by a model with this signature, all along k as one sum.
    pub fn of(product: &'x MatrixProduct<'x>, signature: &Signature) -> ElementOperands<'x> {
        let [_, _, depth] = product.extents();
        let signature = Signature {
            products: depth as u32,
            ..*signature
        };
        ElementOperands {
            product,
            signature,
            inputs: Inputs::zero(&signature),
        }
    }

    /// The signature of these operands: that of the model with as many products as there are along k.
    pub fn signature(&self) -> Signature {
        self.signature
    }

    /// The operands of the element in this row and column, which must be in range.
    pub fn at(&mut self, row: usize, column: usize) -> &Inputs {
        for of in self.signature.rows() {
            let outer = match of.operand {
                Operand::A | Operand::AScales => row,
                Operand::B | Operand::BScales => column,
                Operand::C => {
                    self.inputs.c = self.product.c().map_or(0, |c| c.get(row, column));
                    continue;
                }
            };
            let registers = self.inputs.row_mut(of.operand).iter_mut();
            for (k, register) in registers.enumerate() {
                *register = self.product.register(&of, k, outer);
            }
        }
        &self.inputs
    }
}
