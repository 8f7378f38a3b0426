//! The nodes of a circuit, with its inputs and outputs.

use super::node::{CircuitNode, CircuitNodeId, CircuitOperation};
use super::record::{CircuitBits, recorded_nodes};
use num_bigint::BigUint;

/// An input or an output of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The name of the port: a letter, then letters, digits and underlines.
    pub name: String,
    /// The width of the port in bits.
    pub width: u32,
}

impl Port {
    /// A port of that name and width.
    pub fn new(name: impl Into<String>, width: u32) -> Port {
        Port {
            name: name.into(),
            width,
        }
    }
}

/// A list of operations over words; the operands of each operation come before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circuit {
    pub(super) inputs: Vec<Port>,
    pub(super) nodes: Vec<CircuitNode>,
    pub(super) outputs: Vec<(String, CircuitNodeId)>,
}

impl Circuit {
    /// The circuit that computes the results of `make`, each with its name, from these inputs.
    pub fn record(
        inputs: Vec<Port>,
        make: impl FnOnce(&[CircuitBits]) -> Vec<(String, CircuitNodeId)>,
    ) -> Circuit {
        let widths: Vec<u32> = inputs.iter().map(|port| port.width).collect();
        let (nodes, outputs) = recorded_nodes(&widths, make);
        Circuit {
            inputs,
            nodes,
            outputs,
        }
    }

    /// The same circuit with only the inputs `inputs`, which must be the first of its present
    /// inputs.
    #[must_use]
    pub fn with_inputs(self, inputs: Vec<Port>) -> Circuit {
        Circuit { inputs, ..self }
    }

    /// The numbers of the inputs that a node depends on.
    pub fn inputs_of(&self, id: CircuitNodeId) -> Vec<u32> {
        let mut needed = vec![false; id.index() + 1];
        needed[id.index()] = true;
        let mut found = Vec::new();
        for index in (0..=id.index()).rev() {
            if !needed[index] {
                continue;
            }
            let operation = &self.nodes[index].operation;
            if let CircuitOperation::Input(input) = operation {
                found.push(*input);
            }
            operation
                .operands()
                .for_each(|operand| needed[operand.index()] = true);
        }
        found
    }

    /// The inputs, by number.
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// The outputs: names and nodes.
    pub fn outputs(&self) -> &[(String, CircuitNodeId)] {
        &self.outputs
    }

    /// The output with this index, as a port.
    pub fn output_port(&self, index: usize) -> Port {
        let (name, id) = &self.outputs[index];
        Port::new(name.clone(), self.node(*id).sort.width())
    }

    /// The node with this number.
    pub fn node(&self, id: CircuitNodeId) -> &CircuitNode {
        &self.nodes[id.index()]
    }

    /// The width of a node in bits; a truth value has one.
    pub fn width(&self, id: CircuitNodeId) -> u32 {
        self.node(id).sort.width()
    }

    /// Every node with its number; operands come before the nodes that use them.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (CircuitNodeId, &CircuitNode)> {
        let numbered = self.nodes.iter().enumerate();
        numbered.map(|(index, node)| (CircuitNodeId::at(index), node))
    }

    /// The number of nodes.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The width of the widest node.
    pub fn widest(&self) -> u32 {
        let widths = self.nodes.iter().map(|node| node.sort.width());
        widths.max().unwrap_or(1)
    }

    /// The value of a node that is a constant.
    pub fn constant(&self, id: CircuitNodeId) -> Option<&BigUint> {
        match &self.node(id).operation {
            CircuitOperation::Const(value) => Some(value),
            _ => None,
        }
    }
}
