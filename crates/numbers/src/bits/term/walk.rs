//! Walks over the term graph, which visit the operands of a node before the node.

use super::graph::{Connective, Formula, Graph, Node, NodeId};
use crate::base::limits::work;
use rustc_hash::FxHashSet;

/// The cost of one step of a walk. Costs are counted in bytes of nodes: a step takes as long as
/// making nodes of 64 bytes.
const STEP: u64 = 64;

/// A node, or a formula regardless of its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subterm {
    /// A node.
    Node(NodeId),
    /// The connective of a formula, whether or not the formula negates it.
    Formula(Formula),
}

/// What a walk over the graph does with each subterm.
pub trait Visitor {
    /// Whether the subterm was visited already, or must not be visited.
    fn is_done(&self, subterm: Subterm) -> bool;
    /// Appends to `operands` the subterms that must be visited before `subterm`.
    fn operands(&self, graph: &Graph, subterm: Subterm, operands: &mut Vec<Subterm>) {
        graph.operands(subterm, operands);
    }
    /// Visits the subterm; afterwards it is done.
    fn visit(&mut self, graph: &Graph, subterm: Subterm);
}

impl Graph {
    /// Visits `roots` and all subterms that they depend on, each once and after its operands.
    pub fn walk(&self, roots: &[Subterm], visitor: &mut impl Visitor) {
        // A stack instead of recursion, as graphs are deep.
        let mut stack = roots.to_vec();
        let mut missing = Vec::new();
        while let Some(&subterm) = stack.last() {
            work(STEP);
            if visitor.is_done(subterm) {
                stack.pop();
                continue;
            }
            missing.clear();
            visitor.operands(self, subterm, &mut missing);
            missing.retain(|operand| !visitor.is_done(*operand));
            if missing.is_empty() {
                stack.pop();
                visitor.visit(self, subterm);
            }
            stack.append(&mut missing);
        }
    }

    /// `root` and all subterms that it depends on, each once and after its operands.
    pub fn subterms(&self, root: Formula) -> Vec<Subterm> {
        self.subterms_until(&[Subterm::Formula(root)], |_| false)
    }

    /// `roots` and all subterms that they depend on, each once and after its operands. The operands
    /// of leaves are not visited: a subterm on which only leaves depend is left out.
    pub fn subterms_until(
        &self,
        roots: &[Subterm],
        is_leaf: impl Fn(Subterm) -> bool,
    ) -> Vec<Subterm> {
        let mut list = List {
            is_leaf,
            nodes: FxHashSet::default(),
            formulas: FxHashSet::default(),
            subterms: Vec::new(),
        };
        self.walk(roots, &mut list);
        list.subterms
    }

    /// Appends the operands of `subterm` to `operands`.
    pub fn operands(&self, subterm: Subterm, operands: &mut Vec<Subterm>) {
        use Subterm::Formula as F;
        use Subterm::Node as N;
        match subterm {
            N(id) => match self.node(id) {
                Node::Const(_) | Node::Input { .. } => {}
                Node::Bool(f) => operands.push(F(*f)),
                Node::Sum { terms, .. } => operands.extend(terms.iter().map(|(term, _)| N(*term))),
                Node::Mul(a, b) | Node::Bitwise(_, a, b) => operands.extend([N(*a), N(*b)]),
                Node::Ite(f, a, b) => operands.extend([F(*f), N(*a), N(*b)]),
                Node::NegIf(f, of) => operands.extend([F(*f), N(*of)]),
                Node::Max(of) => operands.extend(of.iter().map(|id| N(*id))),
                Node::Shl { of, amount, .. } | Node::Shr { of, amount } => {
                    operands.extend([N(*of), N(*amount)]);
                }
                Node::ShrConst { of, .. } | Node::Wrap { of, .. } => operands.push(N(*of)),
                Node::Concat { high, low, .. } => operands.extend([N(*high), N(*low)]),
            },
            F(formula) => match self.connective(formula) {
                Connective::True => {}
                Connective::And(all) => operands.extend(all.iter().map(|f| F(*f))),
                Connective::Xor(a, b) => operands.extend([F(*a), F(*b)]),
                Connective::Ite(c, a, b) => operands.extend([F(*c), F(*a), F(*b)]),
                Connective::Eq(a, b) | Connective::Lt(a, b) => operands.extend([N(*a), N(*b)]),
                Connective::Bit(of, _) => operands.push(N(*of)),
            },
        }
    }
}

/// A visitor that lists subterms in the order of the walk and does not visit the operands of
/// leaves.
struct List<L> {
    is_leaf: L,
    nodes: FxHashSet<NodeId>,
    formulas: FxHashSet<usize>,
    subterms: Vec<Subterm>,
}

impl<L: Fn(Subterm) -> bool> Visitor for List<L> {
    fn is_done(&self, subterm: Subterm) -> bool {
        match subterm {
            Subterm::Node(id) => self.nodes.contains(&id),
            Subterm::Formula(formula) => self.formulas.contains(&formula.index()),
        }
    }

    fn operands(&self, graph: &Graph, subterm: Subterm, operands: &mut Vec<Subterm>) {
        if !(self.is_leaf)(subterm) {
            graph.operands(subterm, operands);
        }
    }

    fn visit(&mut self, _: &Graph, subterm: Subterm) {
        self.subterms.push(subterm);
        match subterm {
            Subterm::Node(id) => self.nodes.insert(id),
            Subterm::Formula(formula) => self.formulas.insert(formula.index()),
        };
    }
}

impl Node {
    /// The same node with each operand replaced: `node` returns the replacement of a node, and
    /// `formula` that of a formula.
    pub fn map_operands<N, F>(
        &self,
        node: impl Fn(NodeId) -> N,
        formula: impl Fn(Formula) -> F,
    ) -> Node<N, F> {
        match self {
            Node::Const(value) => Node::Const(value.clone()),
            &Node::Input { index, width } => Node::Input { index, width },
            Node::Bool(f) => Node::Bool(formula(*f)),
            Node::Sum { terms, constant } => Node::Sum {
                terms: terms
                    .iter()
                    .map(|(term, factor)| (node(*term), factor.clone()))
                    .collect(),
                constant: constant.clone(),
            },
            Node::Mul(a, b) => Node::Mul(node(*a), node(*b)),
            Node::Ite(f, a, b) => Node::Ite(formula(*f), node(*a), node(*b)),
            Node::NegIf(f, of) => Node::NegIf(formula(*f), node(*of)),
            Node::Max(operands) => Node::Max(operands.iter().map(|id| node(*id)).collect()),
            &Node::Shl { of, amount, width } => Node::Shl {
                of: node(of),
                amount: node(amount),
                width,
            },
            Node::Shr { of, amount } => Node::Shr {
                of: node(*of),
                amount: node(*amount),
            },
            &Node::ShrConst { of, amount } => Node::ShrConst {
                of: node(of),
                amount,
            },
            &Node::Wrap { of, width, signed } => Node::Wrap {
                of: node(of),
                width,
                signed,
            },
            &Node::Concat {
                high,
                low,
                low_width,
            } => Node::Concat {
                high: node(high),
                low: node(low),
                low_width,
            },
            Node::Bitwise(op, a, b) => Node::Bitwise(*op, node(*a), node(*b)),
        }
    }
}

impl Connective {
    /// The same connective with each operand replaced: `node` returns the replacement of a node,
    /// and `formula` that of a formula.
    pub fn map_operands<N, F>(
        &self,
        node: impl Fn(NodeId) -> N,
        formula: impl Fn(Formula) -> F,
    ) -> Connective<N, F> {
        match self {
            Connective::True => Connective::True,
            Connective::And(parts) => Connective::And(parts.iter().map(|f| formula(*f)).collect()),
            Connective::Xor(a, b) => Connective::Xor(formula(*a), formula(*b)),
            Connective::Ite(c, a, b) => Connective::Ite(formula(*c), formula(*a), formula(*b)),
            Connective::Eq(a, b) => Connective::Eq(node(*a), node(*b)),
            Connective::Lt(a, b) => Connective::Lt(node(*a), node(*b)),
            Connective::Bit(of, index) => Connective::Bit(node(*of), *index),
        }
    }
}
