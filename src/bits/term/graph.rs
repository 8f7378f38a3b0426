//! The shared graph: nodes that denote integers, formulas over them, and hash-consing.

use super::range::Range;
use num_bigint::BigInt;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A node of the graph; ids grow from operands to results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// Position in the graph.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A truth value: an atom or connective of the graph, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(u32);

impl Formula {
    pub(super) const TRUE: Formula = Formula(0);
    pub(super) const FALSE: Formula = Formula(1);

    /// Position of the connective in the graph; 0 is "true".
    pub fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
    /// Whether the connective is negated.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
    /// Whether this is the constant `true` or the constant `false`.
    pub fn as_constant(self) -> Option<bool> {
        (self.index() == 0).then_some(!self.is_negated())
    }
    pub(super) fn negated(self) -> Formula {
        Formula(self.0 ^ 1)
    }
    pub(super) fn without_sign(self) -> Formula {
        Formula(self.0 & !1)
    }
}

/// What a node is. It denotes an integer, not a bit pattern: a bit-vector of any width is such an
/// integer modulo a power of two, so widening costs nothing and equal values are one node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum Node {
    /// A constant.
    Const(BigInt),
    /// Input number `index`, unsigned, of `width` bits.
    Input { index: u32, width: u32 },
    /// 1 where the formula holds, else 0.
    Bool(Formula),
    /// `constant` and the products of node and coefficient, by increasing node: exact.
    Sum {
        terms: Box<[(NodeId, BigInt)]>,
        constant: BigInt,
    },
    /// The product of two nodes: exact.
    Mul(NodeId, NodeId),
    /// The first node where the formula holds, else the second.
    Ite(Formula, NodeId, NodeId),
    /// The negated node where the formula holds, else the node.
    NegIf(Formula, NodeId),
    /// The maximum of two or more nodes, by increasing node.
    Max(Box<[NodeId]>),
    /// The first node times two to the second, modulo `2^width`, unsigned.
    Shl {
        of: NodeId,
        amount: NodeId,
        width: u32,
    },
    /// The first node divided by two to the second, rounded down.
    Shr { of: NodeId, amount: NodeId },
    /// The node divided by two to `amount`, rounded down.
    ShrConst { of: NodeId, amount: u32 },
    /// The node modulo `2^width`: the unsigned or the two's complement representative.
    Wrap {
        of: NodeId,
        width: u32,
        signed: bool,
    },
    /// `high * 2^low_width + low`, where `low` is an unsigned number of `low_width` bits.
    Concat {
        high: NodeId,
        low: NodeId,
        low_width: u32,
    },
    /// A bitwise operation on two unsigned nodes.
    Bitwise(Bitwise, NodeId, NodeId),
}

/// The bitwise operations that stay nodes; a complement is `-1 - x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bitwise {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive or.
    Xor,
}

/// What a formula is, apart from its sign.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Connective {
    /// Always true.
    True,
    /// All of two or more formulas, in increasing order.
    And(Box<[Formula]>),
    /// Exactly one of two formulas.
    Xor(Formula, Formula),
    /// The second where the first holds, else the third.
    Ite(Formula, Formula, Formula),
    /// Equality of integers.
    Eq(NodeId, NodeId),
    /// Order of integers.
    Lt(NodeId, NodeId),
    /// A bit of the (infinite) two's complement representation.
    Bit(NodeId, u32),
}

/// Nodes and formulas, each kept once.
pub struct Graph {
    nodes: Vec<(Node, Range)>,
    node_ids: FxHashMap<Node, NodeId>,
    connectives: Vec<Connective>,
    connective_ids: FxHashMap<Connective, u32>,
}

impl Default for Graph {
    fn default() -> Self {
        Graph {
            nodes: Vec::new(),
            node_ids: FxHashMap::default(),
            connectives: vec![Connective::True],
            connective_ids: FxHashMap::default(),
        }
    }
}

impl Graph {
    /// The node behind an id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()].0
    }

    /// The values that a node can have.
    pub fn range(&self, id: NodeId) -> &Range {
        &self.nodes[id.index()].1
    }

    /// The connective behind a formula, whose sign is ignored.
    pub fn connective(&self, formula: Formula) -> &Connective {
        &self.connectives[formula.index()]
    }

    /// Number of nodes and of connectives.
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.connectives.len())
    }

    /// The id of `node`; `range` is used when it is new. A node of one value is that constant.
    pub(super) fn intern(&mut self, node: Node, range: Range) -> NodeId {
        let (node, range) = match range.single() {
            Some(value) => (Node::Const(value.clone()), range),
            None => (node, range),
        };
        if let Some(&id) = self.node_ids.get(&node) {
            return id;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.node_ids.insert(node.clone(), id);
        self.nodes.push((node, range));
        id
    }

    pub(super) fn constant(&mut self, value: BigInt) -> NodeId {
        let range = Range::point(value.clone());
        self.intern(Node::Const(value), range)
    }

    /// The value of a constant node.
    pub(super) fn as_const(&self, id: NodeId) -> Option<&BigInt> {
        match self.node(id) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn is_zero(&self, id: NodeId) -> bool {
        self.as_const(id).is_some_and(BigInt::is_zero)
    }

    pub(super) fn intern_formula(&mut self, connective: Connective) -> Formula {
        if let Some(&index) = self.connective_ids.get(&connective) {
            return Formula(index << 1);
        }
        let index = self.connectives.len() as u32;
        self.connective_ids.insert(connective.clone(), index);
        self.connectives.push(connective);
        Formula(index << 1)
    }
}

thread_local! {
    static GRAPH: RefCell<Graph> = RefCell::default();
}

/// A fresh graph for this thread, in which terms are made until the scope is dropped; then the
/// previous graph is back. Terms must not outlive their scope.
pub struct Scope {
    outer: Option<Graph>,
}

impl Scope {
    /// Begins a fresh graph.
    #[expect(
        clippy::new_without_default,
        reason = "a scope has an effect and wants a name"
    )]
    pub fn new() -> Self {
        let outer = GRAPH.with_borrow_mut(std::mem::take);
        Scope { outer: Some(outer) }
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        if let Some(outer) = self.outer.take() {
            GRAPH.with_borrow_mut(|graph| *graph = outer);
        }
    }
}

/// Runs `read` on this thread's graph.
pub fn with_graph<R>(read: impl FnOnce(&Graph) -> R) -> R {
    GRAPH.with_borrow(read)
}

pub(super) fn edit_graph<R>(edit: impl FnOnce(&mut Graph) -> R) -> R {
    GRAPH.with_borrow_mut(edit)
}
