//! Nodes of the graph: integers and truth values, each with its operation.

use crate::numbers::bits::{HostFormat, HostOperation, HostRounding};

/// The number of a node of a [`RangedGraph`](super::RangedGraph). Operands have lower numbers than the nodes
/// that use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The position of the node in the graph.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A truth value of the graph: a node, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RangedLiteral {
    /// The node, which is a truth value.
    pub node: NodeId,
    /// Whether the node is negated.
    pub negated: bool,
}

impl RangedLiteral {
    pub(super) fn not(self) -> RangedLiteral {
        RangedLiteral {
            negated: !self.negated,
            ..self
        }
    }
}

/// The operation of a node. Integers are exact; a bit-vector is an integer modulo a power of two.
/// The condition of a choice between integers is never negated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RangedNode {
    /// A constant.
    Const(i128),
    /// Input number `index`, unsigned, of `width` bits.
    Input {
        /// The number of the input, in the order in which inputs were made.
        index: u32,
        /// The width of the input in bits.
        width: u32,
    },
    /// The first constant where the node is true, else the second constant.
    Select(NodeId, i128, i128),
    /// The constant plus each node times its coefficient, with the nodes in increasing order.
    Sum(Box<[(NodeId, i128)]>, i128),
    /// The product of two nodes.
    Mul(NodeId, NodeId),
    /// The product of two nodes modulo `2^width`, unsigned.
    MulLow(NodeId, NodeId, u32),
    /// The second node where the first is true, else the third node.
    Ite(NodeId, NodeId, NodeId),
    /// The second node, negated where the first is true.
    NegIf(NodeId, NodeId),
    /// The maximum of two or more nodes.
    Max(Box<[NodeId]>),
    /// The first node times two to the power of the second, modulo `2^width`, unsigned.
    Shl(NodeId, NodeId, u32),
    /// The first node divided by two to the power of the second, rounded down.
    Shr(NodeId, NodeId),
    /// The node divided by `2^amount`, rounded down.
    ShrConst(NodeId, u32),
    /// The node modulo `2^width`: unsigned, or two's complement.
    Wrap {
        /// The node that is cut.
        of: NodeId,
        /// The number of bits that are kept.
        width: u32,
        /// Whether the highest of these bits is a sign.
        signed: bool,
    },
    /// A bitwise operation on two nonnegative numbers.
    Bitwise(Bitwise, NodeId, NodeId),
    /// The number of leading zeros of a nonnegative number in a word of this width.
    Zeros(NodeId, u32),

    /// An operation of the processor on registers of the format.
    Host(HostOperation, HostFormat, Box<[NodeId]>),
    /// The register of binary32 of a sum, the first node, with an exponent, the second node.
    Round(NodeId, NodeId, HostRounding),

    /// Whether two integers are equal.
    Eq(NodeId, NodeId),
    /// Whether the first integer is less than the second.
    Lt(NodeId, NodeId),
    /// The bit with this number, of an integer in two's complement.
    Bit(NodeId, u32),
    /// Whether a right shift of the first node, which is not negative, by the second node loses a
    /// one.
    Lost(NodeId, NodeId),
    /// Conjunction of two truth values, in increasing order.
    And(RangedLiteral, RangedLiteral),
    /// Exclusive or of two nodes.
    Xor(NodeId, NodeId),
    /// The first truth value where the node is true, else the second one.
    Choose(NodeId, RangedLiteral, RangedLiteral),
}

/// Bitwise operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bitwise {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive or.
    Xor,
}

impl RangedNode {
    /// Calls `visit` with every operand.
    pub fn operands(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            RangedNode::Const(_) | RangedNode::Input { .. } => {}
            RangedNode::Select(a, ..)
            | RangedNode::ShrConst(a, _)
            | RangedNode::Wrap { of: a, .. }
            | RangedNode::Zeros(a, _)
            | RangedNode::Bit(a, _) => visit(*a),
            RangedNode::Sum(terms, _) => terms.iter().for_each(|(term, _)| visit(*term)),
            RangedNode::Max(all) | RangedNode::Host(_, _, all) => {
                all.iter().for_each(|node| visit(*node))
            }
            RangedNode::Mul(a, b)
            | RangedNode::MulLow(a, b, _)
            | RangedNode::NegIf(a, b)
            | RangedNode::Shl(a, b, _)
            | RangedNode::Shr(a, b)
            | RangedNode::Round(a, b, _)
            | RangedNode::Bitwise(_, a, b)
            | RangedNode::Eq(a, b)
            | RangedNode::Lt(a, b)
            | RangedNode::Lost(a, b)
            | RangedNode::Xor(a, b) => {
                visit(*a);
                visit(*b);
            }
            RangedNode::And(a, b) => {
                visit(a.node);
                visit(b.node);
            }
            RangedNode::Ite(c, a, b) => {
                visit(*c);
                visit(*a);
                visit(*b);
            }
            RangedNode::Choose(c, a, b) => {
                visit(*c);
                visit(a.node);
                visit(b.node);
            }
        }
    }
}
