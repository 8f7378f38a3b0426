//! The graph: nodes that are shared, each with the range of its values.

use super::node::{RangedLiteral, RangedNode, RangedNodeId};
use super::range::SignedRange;
use crate::base::limits::{Account, work};
use crate::bits::HostOperations;
use rustc_hash::FxHashMap;

/// A growing graph in which equal operations are one node.
#[derive(Debug)]
pub struct RangedGraph {
    nodes: Vec<(RangedNode, SignedRange)>,
    known: FxHashMap<RangedNode, RangedNodeId>,
    /// The conditions whose value is assumed, with these values.
    assumed: FxHashMap<RangedNodeId, bool>,
    inputs: u32,
    /// The operations that are left to the processor.
    pub(super) host: HostOperations,
    /// Whether the range of some sum did not fit `i128`; the graph is then of no use.
    pub(super) overflowed: bool,
    /// The nodes that are known to be numbers of binary32.
    pub(super) numbers: FxHashMap<RangedNodeId, Binary32>,
    account: Account,
}

/// The parts of a number of binary32, in the sense of `float::unpack`.
#[derive(Clone, Copy, Debug)]
pub struct Binary32 {
    /// The exponent field, at least 1.
    pub exponent: RangedNodeId,
    /// The significand with its hidden bit.
    pub significand: RangedNodeId,
}

/// Estimated bytes of a node with its range, in the list of nodes and in the table of known nodes.
const NODE_BYTES: u64 = 200;
/// The work of finding a known node: the number of bytes of nodes that could be made in the same
/// time.
const FOUND: u64 = 32;

/// A condition: a constant, or a truth value of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RangedCondition {
    Const(bool),
    Literal(RangedLiteral),
}

impl RangedCondition {
    pub(super) const TRUE: RangedCondition = RangedCondition::Const(true);
    pub(super) const FALSE: RangedCondition = RangedCondition::Const(false);

    pub(super) fn not(self) -> RangedCondition {
        match self {
            RangedCondition::Const(value) => RangedCondition::Const(!value),
            RangedCondition::Literal(literal) => RangedCondition::Literal(literal.not()),
        }
    }
}

impl RangedGraph {
    pub(super) fn new(host: HostOperations) -> RangedGraph {
        RangedGraph {
            nodes: Vec::new(),
            known: FxHashMap::default(),
            assumed: FxHashMap::default(),
            inputs: 0,
            host,
            overflowed: false,
            numbers: FxHashMap::default(),
            account: Account::default(),
        }
    }

    /// Whether the range of every sum fitted `i128`, so that every node has the values that its
    /// operands give it.
    pub fn is_exact(&self) -> bool {
        !self.overflowed
    }

    /// The number of nodes.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Every node with its number; operands come before the nodes that use them.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (RangedNodeId, &RangedNode)> {
        let numbered = self.nodes.iter().enumerate();
        numbered.map(|(index, (node, _))| (RangedNodeId(index as u32), node))
    }

    /// The operation of a node.
    pub fn node(&self, id: RangedNodeId) -> &RangedNode {
        &self.nodes[id.index()].0
    }

    /// A range that contains all values of a node; 0 to 1 for truth values.
    pub fn range(&self, id: RangedNodeId) -> SignedRange {
        self.nodes[id.index()].1
    }

    /// The parts of a node that is known to be a number of binary32.
    pub fn binary32(&self, register: RangedNodeId) -> Option<Binary32> {
        self.numbers.get(&register).copied()
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs as usize
    }

    pub(super) fn input(&mut self, width: u32) -> RangedNodeId {
        let index = self.inputs;
        self.inputs += 1;
        self.intern(
            RangedNode::Input { index, width },
            SignedRange::unsigned(width),
        )
    }

    /// The number of `node`, which is added to the graph if it is not known yet. If it is known,
    /// its range is restricted to `range` as well.
    pub(super) fn intern(&mut self, node: RangedNode, range: SignedRange) -> RangedNodeId {
        if range.lo == range.hi && !matches!(node, RangedNode::Const(_)) {
            return self.constant(range.lo);
        }
        if let Some(id) = self.known.get(&node) {
            let old = &mut self.nodes[id.index()].1;
            *old = old.intersection(&range);
            work(FOUND);
            return *id;
        }
        self.account.take(NODE_BYTES);
        let id = RangedNodeId(self.nodes.len() as u32);
        self.known.insert(node.clone(), id);
        self.nodes.push((node, range));
        id
    }

    pub(super) fn constant(&mut self, value: i128) -> RangedNodeId {
        self.intern(RangedNode::Const(value), SignedRange::point(value))
    }

    pub(super) fn as_const(&self, id: RangedNodeId) -> Option<i128> {
        match self.node(id) {
            RangedNode::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// The condition that `node` is true: a constant if its value is assumed.
    pub(super) fn truth(&mut self, node: RangedNode) -> RangedCondition {
        let id = self.intern(node, SignedRange::TRUTH);
        match self.assumed.get(&id) {
            Some(value) => RangedCondition::Const(*value),
            None => RangedCondition::Literal(RangedLiteral {
                node: id,
                negated: false,
            }),
        }
    }

    /// Assumes from now on that the condition is `value`: nodes that are made later use the
    /// constant. Results for inputs that contradict the assumption are unspecified.
    pub(super) fn assume(&mut self, literal: RangedLiteral, value: bool) {
        let value = value != literal.negated;
        self.assumed.insert(literal.node, value);
        if let Some((of, range)) = self.implied(literal.node, value) {
            let old = &mut self.nodes[of.index()].1;
            *old = old.intersection(&range);
        }
    }

    /// If `condition` compares a node with a constant: that node, and the range that it has where
    /// the condition has the value `holds`. `None` if nothing follows for the node.
    pub(super) fn implied(
        &self,
        condition: RangedNodeId,
        holds: bool,
    ) -> Option<(RangedNodeId, SignedRange)> {
        let at_most = |hi| SignedRange { lo: i128::MIN, hi };
        let at_least = |lo| SignedRange { lo, hi: i128::MAX };
        Some(match *self.node(condition) {
            RangedNode::Lt(a, b) => match (self.as_const(a), self.as_const(b), holds) {
                (None, Some(limit), true) => (a, at_most(limit - 1)),
                (None, Some(limit), false) => (a, at_least(limit)),
                (Some(limit), None, true) => (b, at_least(limit + 1)),
                (Some(limit), None, false) => (b, at_most(limit)),
                _ => return None,
            },
            RangedNode::Eq(a, b) => {
                let (of, value) = match (self.as_const(a), self.as_const(b)) {
                    (None, Some(value)) => (a, value),
                    (Some(value), None) => (b, value),
                    _ => return None,
                };
                let range = self.range(of);
                match holds {
                    true => (of, SignedRange::point(value)),
                    false if value == range.lo => (of, at_least(value + 1)),
                    false if value == range.hi => (of, at_most(value - 1)),
                    false => return None,
                }
            }
            _ => return None,
        })
    }
}
