//! [`Term`]: a constant or a node of the graph, with a width.

use super::graph::{Bitwise, Formula, Graph, NodeId, edit_graph, with_graph};
use crate::bits::{Big, Bv, Concrete};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A symbolic bit-vector. Valid in the [`scope`](super::scope()) that made it.
#[derive(Clone, Debug)]
pub struct Term {
    pub(super) width: u32,
    pub(super) value: TermValue,
}

#[derive(Clone, Debug)]
pub(super) enum TermValue {
    Const(Big),
    Node(NodeId),
}

impl Term {
    /// Input number `index`: any bit-vector of `width` bits.
    pub fn input(index: u32, width: u32) -> Self {
        Term::of(width, edit_graph(|graph| graph.input(index, width)))
    }

    /// The value, if it is a constant.
    pub fn as_constant(&self) -> Option<&Big> {
        match &self.value {
            TermValue::Const(value) => Some(value),
            TermValue::Node(_) => None,
        }
    }

    /// The node that denotes the value; constants enter the graph as unsigned numbers.
    pub fn node(&self) -> NodeId {
        match &self.value {
            TermValue::Node(node) => *node,
            TermValue::Const(value) => {
                edit_graph(|graph| graph.constant(BigInt::from(value.to_big())))
            }
        }
    }

    /// The node `x`, if the value is written as `coefficient * x + constant` with two constants. A
    /// sum that includes the value refers to `x` alone.
    pub fn atom(&self) -> NodeId {
        let node = self.node();
        with_graph(|graph| graph.affine(node).0)
    }

    /// Bounds of the unsigned value, both included; `None` if they exceed 64 bits.
    pub fn range(&self) -> Option<[u64; 2]> {
        let node = self.unsigned();
        with_graph(|graph| {
            let range = graph.range(node);
            Some([range.lo.to_u64()?, range.hi.to_u64()?])
        })
    }

    /// Bounds of the two's complement value, both included; `None` if they exceed 64 bits.
    pub fn signed_range(&self) -> Option<[i64; 2]> {
        let node = self.signed();
        with_graph(|graph| {
            let range = graph.range(node);
            Some([range.lo.to_i64()?, range.hi.to_i64()?])
        })
    }

    /// A term of `width` bits. Its value is the node that `build` returns, modulo `2^width`.
    pub(super) fn fitted(width: u32, build: impl FnOnce(&mut Graph) -> NodeId) -> Self {
        edit_graph(|graph| {
            let node = build(graph);
            let node = graph.fit(node, width);
            Term {
                width,
                value: value_of(graph, node, width),
            }
        })
    }

    pub(super) fn of(width: u32, node: NodeId) -> Self {
        Term {
            width,
            value: with_graph(|graph| value_of(graph, node, width)),
        }
    }

    pub(super) fn constant(value: Big) -> Self {
        Term {
            width: value.width(),
            value: TermValue::Const(value),
        }
    }

    pub(super) fn unsigned(&self) -> NodeId {
        let node = self.node();
        edit_graph(|graph| graph.unsigned(node, self.width))
    }

    pub(super) fn signed(&self) -> NodeId {
        let node = self.node();
        edit_graph(|graph| graph.signed(node, self.width))
    }

    pub(super) fn same_width(&self, other: &Self) -> u32 {
        debug_assert_eq!(self.width, other.width, "operands of different widths");
        self.width
    }

    /// The result of `op` if both operands are constants.
    pub(super) fn folded<R>(&self, other: &Self, op: impl FnOnce(&Big, &Big) -> R) -> Option<R> {
        Some(op(self.as_constant()?, other.as_constant()?))
    }

    pub(super) fn binary(
        &self,
        other: &Self,
        fold: impl FnOnce(&Big, &Big) -> Big,
        build: impl FnOnce(&mut Graph, NodeId, NodeId) -> NodeId,
    ) -> Self {
        if let Some(value) = self.folded(other, fold) {
            return Term::constant(value);
        }
        let (a, b) = (self.node(), other.node());
        Term::fitted(self.same_width(other), |graph| build(graph, a, b))
    }

    /// The result of a comparison: if both operands are constants, `fold` compares them; otherwise
    /// `build` compares the nodes that `node` returns for the operands.
    pub(super) fn compared(
        &self,
        other: &Self,
        fold: impl FnOnce(&Big, &Big) -> bool,
        node: impl Fn(&Self) -> NodeId,
        build: impl FnOnce(&mut Graph, NodeId, NodeId) -> Formula,
    ) -> Formula {
        self.same_width(other);
        if let Some(value) = self.folded(other, fold) {
            return Formula::constant(value);
        }
        let (a, b) = (node(self), node(other));
        edit_graph(|graph| build(graph, a, b))
    }

    pub(super) fn bitwise(
        &self,
        other: &Self,
        op: Bitwise,
        fold: impl FnOnce(&Big, &Big) -> Big,
    ) -> Self {
        if let Some(value) = self.folded(other, fold) {
            return Term::constant(value);
        }
        let (a, b) = (self.unsigned(), other.unsigned());
        Term::fitted(self.same_width(other), |graph| graph.bitwise(op, a, b))
    }

    /// Whether the ranges of the nodes of `self` and `other` have no negative numbers.
    pub(super) fn both_unsigned(&self, other: &Self) -> bool {
        let (a, b) = (self.node(), other.node());
        with_graph(|graph| graph.range(a).is_unsigned() && graph.range(b).is_unsigned())
    }
}

fn value_of(graph: &Graph, node: NodeId, width: u32) -> TermValue {
    match graph.as_const(node) {
        Some(value) => TermValue::Const(Big::from_int(width, value)),
        None => TermValue::Node(node),
    }
}
