//! Ports of an exported model: one for each register, or one for each row of operands.

use super::c::CParameter;
use mmasmt_core::machines::algorithms::{Inputs, Operand, Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::circuit::Port;

/// The mapping of registers to ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortShape {
    /// Each register is a port: `a0`, `a1`, …, `b0`, …, `c`, `sa0`, ….
    Scalar,
    /// Each row is a port, its first register in the low bits: `a`, `b`, `c`, `sa`, `sb`.
    Packed,
}

/// The ports for the registers of a signature.
#[derive(Clone, Copy, Debug)]
pub struct Ports {
    /// The signature of the operands.
    pub signature: Signature,
    /// The mapping of registers to ports.
    pub shape: PortShape,
}

impl Ports {
    /// The inputs in the order `a`, `b`, `c`, `sa`, `sb`.
    pub fn inputs(&self) -> Vec<Port> {
        let rows = self.signature.rows();
        let ports = rows.flat_map(|row| {
            let (name, width) = (row.operand.name(), row.format.width());
            match self.shape {
                PortShape::Packed => vec![Port::new(name, row.length as u32 * width)],
                PortShape::Scalar if row.operand == Operand::C => vec![Port::new(name, width)],
                PortShape::Scalar => (0..row.length)
                    .map(|index| Port::new(format!("{name}{index}"), width))
                    .collect(),
            }
        });
        ports.collect()
    }

    /// The inputs as parameters of a C function; a packed row is an array.
    pub(super) fn parameters(&self) -> Vec<CParameter> {
        let rows = self.signature.rows();
        let parameters = rows.flat_map(|row| {
            let (name, width) = (row.operand.name(), row.format.width());
            let length = row.length as u32;
            let what = match row.operand {
                Operand::C => format!("{name}: {}", row.format),
                _ => format!("{name}: {length} of {}", row.format),
            };
            let one = |name: String, length| CParameter {
                name,
                width,
                length,
                what: what.clone(),
            };
            match (row.operand, self.shape) {
                (Operand::C, _) => vec![one(name.into(), None)],
                (_, PortShape::Packed) => vec![one(name.into(), Some(length))],
                (_, PortShape::Scalar) => (0..length)
                    .map(|index| one(format!("{name}{index}"), None))
                    .collect(),
            }
        });
        parameters.collect()
    }

    /// The registers of the operands, taken from the values at the ports.
    pub fn registers<B: Instance>(&self, inputs: &[B]) -> Registers<B> {
        let mut words: Vec<B> = Vec::new();
        let mut next = inputs.iter();
        for row in self.signature.rows() {
            let width = row.format.width();
            match self.shape {
                PortShape::Scalar => words.extend(next.by_ref().take(row.length).cloned()),
                PortShape::Packed => {
                    let Some(port) = next.next() else { break };
                    let low = |index: usize| index as u32 * width;
                    let word = |index| port.extract(low(index) + width - 1, low(index));
                    words.extend((0..row.length).map(word));
                }
            }
        }
        let numbers = Inputs::zero(&self.signature);
        let mut words = words.into_iter();
        let fallback = inputs[0].clone();
        numbers.map(&self.signature, |_, _| {
            words.next().unwrap_or_else(|| fallback.clone())
        })
    }
}
