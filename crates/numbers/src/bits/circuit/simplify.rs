//! Simplification of a circuit: equal operations become one node, constants are folded, and nodes
//! that no output needs are left out.

use super::graph::Circuit;
use super::node::{CircuitNode, CircuitNodeId, CircuitOperation, CircuitSort};
use super::run::{CircuitValue, apply};
use crate::bits::{Big, Concrete};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// A growing circuit in which equal operations are one node.
#[derive(Default)]
pub(super) struct Builder {
    pub nodes: Vec<CircuitNode>,
    known: FxHashMap<CircuitNode, CircuitNodeId>,
}

impl Circuit {
    /// A simplified circuit of the same function.
    #[must_use]
    pub fn simplified(&self) -> Circuit {
        let mut builder = Builder::default();
        let mut made: Vec<CircuitNodeId> = Vec::with_capacity(self.count());
        for (_, node) in self.nodes() {
            let operation = node.operation.mapped(|id| made[id.index()]);
            made.push(builder.make(operation, node.sort));
        }
        let named = |(name, id): &(String, CircuitNodeId)| (name.clone(), made[id.index()]);
        Circuit {
            inputs: self.inputs.clone(),
            nodes: builder.nodes,
            outputs: self.outputs.iter().map(named).collect(),
        }
        .cone()
    }

    /// The same circuit without nodes that no output needs.
    fn cone(mut self) -> Circuit {
        let mut needed = vec![false; self.nodes.len()];
        for (_, id) in &self.outputs {
            needed[id.index()] = true;
        }
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if needed[index] {
                let operands = node.operation.operands();
                operands.for_each(|operand| needed[operand.index()] = true);
            }
        }
        let mut places: Vec<CircuitNodeId> = Vec::with_capacity(needed.len());
        let mut kept = Vec::new();
        for (node, needed) in self.nodes.iter().zip(&needed) {
            places.push(CircuitNodeId::at(kept.len()));
            if *needed {
                let operation = node.operation.mapped(|id| places[id.index()]);
                let sort = node.sort;
                kept.push(CircuitNode { operation, sort });
            }
        }
        self.nodes = kept;
        for (_, id) in &mut self.outputs {
            *id = places[id.index()];
        }
        self
    }
}

impl Builder {
    /// A node with the value of this operation.
    pub fn make(&mut self, operation: CircuitOperation, sort: CircuitSort) -> CircuitNodeId {
        let folded = self.folded(&operation, sort);
        let simpler = folded.or_else(|| self.simpler(&operation, sort));
        simpler.unwrap_or_else(|| self.intern(operation, sort))
    }

    fn intern(&mut self, operation: CircuitOperation, sort: CircuitSort) -> CircuitNodeId {
        let node = CircuitNode { operation, sort };
        if let Some(id) = self.known.get(&node) {
            return *id;
        }
        let id = CircuitNodeId::at(self.nodes.len());
        self.known.insert(node.clone(), id);
        self.nodes.push(node);
        id
    }

    /// The operation of a node.
    pub fn operation(&self, id: CircuitNodeId) -> &CircuitOperation {
        &self.nodes[id.index()].operation
    }

    /// The sort of a node.
    pub fn sort(&self, id: CircuitNodeId) -> CircuitSort {
        self.nodes[id.index()].sort
    }

    /// The value of a node that is a constant.
    pub fn value(&self, id: CircuitNodeId) -> Option<&BigUint> {
        match self.operation(id) {
            CircuitOperation::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The node of a constant.
    pub fn constant(&mut self, sort: CircuitSort, value: impl Into<BigUint>) -> CircuitNodeId {
        self.intern(CircuitOperation::Const(value.into()), sort)
    }

    /// The constant result of an operation on constants, computed by big integers.
    fn folded(&mut self, operation: &CircuitOperation, sort: CircuitSort) -> Option<CircuitNodeId> {
        let operands: Vec<CircuitNodeId> = operation.operands().collect();
        if operands.is_empty() {
            return None;
        }
        let mut values: Vec<(CircuitNodeId, CircuitValue<Big>)> = Vec::new();
        for id in operands {
            let CircuitNode { operation, sort } = &self.nodes[id.index()];
            let CircuitOperation::Const(_) = operation else {
                return None;
            };
            let nothing = CircuitValue::Truth(false);
            values.push((id, apply(operation, *sort, |_| &nothing)));
        }
        let nothing = CircuitValue::Truth(false);
        let value = apply(operation, sort, |id| {
            let known = values.iter().find(|(operand, _)| *operand == id);
            known.map_or(&nothing, |(_, value)| value)
        });
        Some(self.constant(sort, value.word().to_big()))
    }
}
