//! A third-party design: a circuit that computes the register of the result from the registers of
//! the operands.

use super::{DotAdd, Operands, Signature, Stages};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::bits::circuit::Circuit;
use mmasmt_numbers::float::NanCode;
use std::sync::Arc;

/// A combinational design with a port for each register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    name: Arc<str>,
    signature: Signature,
    circuit: Arc<Circuit>,
}

impl Design {
    /// A design with the name `name`. The inputs of the circuit are the registers in the order of
    /// [`Registers::each`](super::Registers::each); its only output is the result.
    pub fn new(name: &str, signature: Signature, circuit: Circuit) -> Design {
        Design {
            name: name.into(),
            signature,
            circuit: Arc::new(circuit),
        }
    }

    /// The name of the design.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl DotAdd for Design {
    fn signature(&self) -> Signature {
        self.signature
    }

    fn nan(&self) -> NanCode {
        NanCode::Quiet
    }

    fn reads_c(&self) -> bool {
        // The registers of a and of b come before c.
        let c = 2 * self.signature.products;
        let (_, result) = self.circuit.outputs()[0];
        self.circuit.inputs_of(result).contains(&c)
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, _: &mut Stages<B>) -> B {
        let Operands { a, b, c, .. } = operands;
        let scales = operands.a_scales.iter().chain(operands.b_scales);
        let registers = a.iter().chain(b).chain([c]).chain(scales);
        let inputs: Vec<B> = registers.cloned().collect();
        let mut outputs = self.circuit.run(&inputs);
        outputs.swap_remove(0)
    }
}
