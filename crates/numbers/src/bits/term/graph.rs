//! The shared graph: nodes that denote integers, formulas over them, and hash-consing.

use super::range::Interval;
use crate::base::limits::{Account, free, work};
use num_bigint::BigInt;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::marker::PhantomData;

/// Makes the type that contains it neither `Send` nor `Sync`, as values of that type refer to the
/// graph of their thread.
type ThreadLocal = PhantomData<*const ()>;

/// The id of a node of the graph. Operands have lower ids than the nodes that use them. An id is
/// valid in the [`scope`] that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32, ThreadLocal);

impl NodeId {
    /// The position of the node in the graph.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A truth value: a connective of the graph, or its negation. It is valid in the [`scope`] that
/// made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(u32, ThreadLocal);

impl Formula {
    pub(super) const TRUE: Formula = Formula(0, PhantomData);
    pub(super) const FALSE: Formula = Formula(1, PhantomData);

    /// The position of the connective in the graph; 0 is "true".
    pub fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
    /// Whether the connective is negated.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
    /// The value of the formula, if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.index() == 0).then_some(!self.is_negated())
    }
    pub(super) fn negated(self) -> Formula {
        Formula(self.0 ^ 1, PhantomData)
    }
    pub(super) fn without_sign(self) -> Formula {
        Formula(self.0 & !1, PhantomData)
    }
}

/// The operation of a node. A node denotes an integer, and a bit-vector is the residue of such an
/// integer modulo a power of two. Widening therefore needs no node, and equal values of different
/// widths share a node. `N` is the type of operands that are nodes, `F` the type of operands that
/// are formulas.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum Node<N = NodeId, F = Formula> {
    /// A constant.
    Const(BigInt),
    /// Input number `index`, unsigned, of `width` bits.
    Input { index: u32, width: u32 },
    /// 1 where the formula holds, else 0.
    Bool(F),
    /// `constant` plus each node times its coefficient; exact, never wrapped. The nodes are listed
    /// in increasing order.
    Sum {
        terms: Box<[(N, BigInt)]>,
        constant: BigInt,
    },
    /// The product of two nodes; exact, never wrapped.
    Mul(N, N),
    /// The first node where the formula holds, else the second.
    Ite(F, N, N),
    /// The node, negated where the formula holds.
    NegIf(F, N),
    /// The maximum of two or more nodes, which are listed in increasing order.
    Max(Box<[N]>),
    /// `of` times two to the power of `amount`, modulo `2^width`, unsigned.
    Shl { of: N, amount: N, width: u32 },
    /// `of` divided by two to the power of `amount`, rounded down.
    Shr { of: N, amount: N },
    /// `of` divided by two to the power of `amount`, rounded down.
    ShrConst { of: N, amount: u32 },
    /// `of` modulo `2^width`: the unsigned representative, or the two's complement one if `signed`.
    Wrap { of: N, width: u32, signed: bool },
    /// `high * 2^low_width + low`, where `low` is an unsigned number of `low_width` bits.
    Concat { high: N, low: N, low_width: u32 },
    /// A bitwise operation on two unsigned nodes.
    Bitwise(Bitwise, N, N),
}

/// Bitwise operations of two integers. The complement of `x` is not among them: it is the sum
/// `-1 - x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bitwise {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive or.
    Xor,
}

/// The operation of a formula, before its negation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Connective<N = NodeId, F = Formula> {
    /// Always true.
    True,
    /// The conjunction of two or more formulas, which are listed in increasing order.
    And(Box<[F]>),
    /// Exactly one of two formulas.
    Xor(F, F),
    /// The second formula where the first holds, else the third formula.
    Ite(F, F, F),
    /// Whether two integers are equal.
    Eq(N, N),
    /// Whether the first integer is less than the second.
    Lt(N, N),
    /// A bit of the (infinite) two's complement representation of an integer.
    Bit(N, u32),
}

/// Estimated bytes of a node without its list of operands: two copies of the node, its range, and
/// its entries in tables.
const NODE_BYTES: u64 = 320;
/// Bytes of a connective without its list of operands.
const CONNECTIVE_BYTES: u64 = 80;
/// Bytes of a term of a sum.
const TERM_BYTES: u64 = 112;
/// Bytes of an operand in any other list.
const OPERAND_BYTES: u64 = 8;

impl Node {
    /// Estimated bytes of the node in a graph.
    pub fn size(&self) -> u64 {
        let listed = match self {
            Node::Sum { terms, .. } => terms.len() as u64 * TERM_BYTES,
            Node::Max(operands) => operands.len() as u64 * OPERAND_BYTES,
            _ => 0,
        };
        NODE_BYTES + listed
    }
}

impl Connective {
    /// Estimated bytes of the connective in a graph.
    pub fn size(&self) -> u64 {
        let listed = match self {
            Connective::And(parts) => parts.len() as u64 * OPERAND_BYTES,
            _ => 0,
        };
        CONNECTIVE_BYTES + listed
    }
}

/// Nodes and connectives, each stored once (hash-consing).
pub struct Graph {
    /// Counts the bytes that the graph uses.
    account: Account,
    nodes: Vec<(Node, Interval)>,
    node_ids: FxHashMap<Node, NodeId>,
    connectives: Vec<Connective>,
    connective_ids: FxHashMap<Connective, u32>,
}

impl Default for Graph {
    fn default() -> Self {
        Graph {
            account: Account::default(),
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

    /// An interval that holds all values of a node.
    pub fn range(&self, id: NodeId) -> &Interval {
        &self.nodes[id.index()].1
    }

    /// The connective behind a formula, without the negation of the formula.
    pub fn connective(&self, formula: Formula) -> &Connective {
        &self.connectives[formula.index()]
    }

    /// Number of nodes and of connectives.
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.connectives.len())
    }

    /// The id of `node`, whose values lie in `range`. If the range has only one value, the id of
    /// that constant.
    pub(super) fn intern(&mut self, node: Node, range: Interval) -> NodeId {
        let (node, range) = match range.single() {
            Some(value) => (Node::Const(value.clone()), range),
            None => (node, range),
        };
        let size = node.size();
        if let Some(&id) = self.node_ids.get(&node) {
            work(size);
            return id;
        }
        self.account.take(size);
        let id = NodeId(self.nodes.len() as u32, PhantomData);
        self.node_ids.insert(node.clone(), id);
        self.nodes.push((node, range));
        id
    }

    pub(super) fn constant(&mut self, value: BigInt) -> NodeId {
        let range = Interval::point(value.clone());
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
        let size = connective.size();
        if let Some(&index) = self.connective_ids.get(&connective) {
            work(size);
            return Formula(index << 1, PhantomData);
        }
        self.account.take(size);
        let index = self.connectives.len() as u32;
        self.connective_ids.insert(connective.clone(), index);
        self.connectives.push(connective);
        Formula(index << 1, PhantomData)
    }
}

thread_local! {
    static GRAPH: RefCell<Graph> = RefCell::default();
}

/// Restores the graph of the enclosing scope when dropped.
struct RestoreGraph(Graph);

impl Drop for RestoreGraph {
    fn drop(&mut self) {
        free(GRAPH.replace(std::mem::take(&mut self.0)));
    }
}

/// Runs `work` on a new, empty graph and restores the previous graph of this thread afterwards.
/// Terms and formulas are not `Send`, so that those of one scope cannot get into another scope.
///
/// ```
/// use mmasmt_numbers::bits::term::{Term, scope};
/// use mmasmt_numbers::bits::{Bv, Prop};
/// let same = scope(|| Term::input(0, 8).equals(&Term::input(0, 8)).as_constant());
/// assert_eq!(same, Some(true));
/// ```
///
/// No term leaves its scope:
/// ```compile_fail,E0277
/// use mmasmt_numbers::bits::term::{Term, scope};
/// let lost = scope(|| Term::input(0, 8));
/// ```
///
/// No term enters another scope:
/// ```compile_fail,E0277
/// use mmasmt_numbers::bits::term::{Term, scope};
/// let outer = Term::input(0, 8);
/// scope(|| outer.node().index());
/// ```
///
/// No term goes to another thread:
/// ```compile_fail,E0277
/// use mmasmt_numbers::bits::term::Term;
/// let here = Term::input(0, 8);
/// std::thread::spawn(move || here.node().index());
/// ```
///
/// No formula leaves its scope:
/// ```compile_fail,E0277
/// use mmasmt_numbers::bits::Bv;
/// use mmasmt_numbers::bits::term::{Term, scope};
/// let lost = scope(|| Term::input(0, 8).is_zero());
/// ```
pub fn scope<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let _outer = RestoreGraph(GRAPH.take());
    work()
}

/// Runs `read` on this thread's graph.
pub fn with_graph<R>(read: impl FnOnce(&Graph) -> R) -> R {
    GRAPH.with_borrow(read)
}

pub(super) fn edit_graph<R>(edit: impl FnOnce(&mut Graph) -> R) -> R {
    GRAPH.with_borrow_mut(edit)
}
