//! Nodes of the graph: integers and truth values, each with its operation.

use crate::bits::term::Bitwise;
use crate::bits::{HostFormat, HostOperation, HostRounding};

/// The number of a node of a [`RangedGraph`](super::RangedGraph). Operands have lower numbers than the nodes
/// that use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RangedNodeId(pub(super) u32);

impl RangedNodeId {
    /// The position of the node in the graph.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A truth value of the graph: a node, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RangedLiteral {
    /// The node, which is a truth value.
    pub node: RangedNodeId,
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
    Select(RangedNodeId, i128, i128),
    /// The constant plus each node times its coefficient, with the nodes in increasing order.
    Sum(Box<[(RangedNodeId, i128)]>, i128),
    /// The product of two nodes.
    Mul(RangedNodeId, RangedNodeId),
    /// The product of two nodes modulo `2^width`, unsigned.
    MulLow(RangedNodeId, RangedNodeId, u32),
    /// The second node where the first is true, else the third node.
    Ite(RangedNodeId, RangedNodeId, RangedNodeId),
    /// The second node, negated where the first is true.
    NegIf(RangedNodeId, RangedNodeId),
    /// The maximum of two or more nodes.
    Max(Box<[RangedNodeId]>),
    /// The first node times two to the power of the second, modulo `2^width`, unsigned.
    Shl(RangedNodeId, RangedNodeId, u32),
    /// The first node divided by two to the power of the second, rounded down.
    Shr(RangedNodeId, RangedNodeId),
    /// The node divided by `2^amount`, rounded down.
    ShrConst(RangedNodeId, u32),
    /// The node modulo `2^width`: unsigned, or two's complement.
    Wrap {
        /// The node that is cut.
        of: RangedNodeId,
        /// The number of bits that are kept.
        width: u32,
        /// Whether the highest of these bits is a sign.
        signed: bool,
    },
    /// A bitwise operation on two nonnegative numbers.
    Bitwise(Bitwise, RangedNodeId, RangedNodeId),
    /// The number of leading zeros of a nonnegative number in a word of this width.
    Zeros(RangedNodeId, u32),

    /// An operation of the processor on registers of the format.
    Host(HostOperation, HostFormat, Box<[RangedNodeId]>),
    /// The register of binary32 of a sum, the first node, with an exponent, the second node.
    Round(RangedNodeId, RangedNodeId, HostRounding),

    /// Whether two integers are equal.
    Eq(RangedNodeId, RangedNodeId),
    /// Whether the first integer is less than the second.
    Lt(RangedNodeId, RangedNodeId),
    /// The bit with this number, of an integer in two's complement.
    Bit(RangedNodeId, u32),
    /// Whether a right shift of the first node, which is not negative, by the second node loses a
    /// one.
    Lost(RangedNodeId, RangedNodeId),
    /// Conjunction of two truth values, in increasing order.
    And(RangedLiteral, RangedLiteral),
    /// Exclusive or of two nodes.
    Xor(RangedNodeId, RangedNodeId),
    /// The first truth value where the node is true, else the second one.
    Choose(RangedNodeId, RangedLiteral, RangedLiteral),
}

impl RangedNode {
    /// Calls `visit` with every operand.
    pub fn operands(&self, mut visit: impl FnMut(RangedNodeId)) {
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
