//! What a formula is made of, operands first.

use super::graph::{Connective, Formula, Graph, Node, NodeId};
use crate::limits::work;
use rustc_hash::FxHashSet;

/// What a step is worth, in bytes of a formula made in the same time.
const STEP: u64 = 64;

/// A node, or a formula whose sign means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subterm {
    /// A node.
    Node(NodeId),
    /// A connective.
    Formula(Formula),
}

impl Graph {
    /// All that `root` depends on, and itself, each once and after its operands.
    pub fn subterms(&self, root: Formula) -> Vec<Subterm> {
        self.subterms_until(Subterm::Formula(root), |_| false)
    }

    /// The same, but what lies behind leaves alone is left out.
    pub(super) fn subterms_until(
        &self,
        root: Subterm,
        is_leaf: impl Fn(Subterm) -> bool,
    ) -> Vec<Subterm> {
        let (mut nodes, mut formulas) = (FxHashSet::default(), FxHashSet::default());
        let mut parts = Vec::new();
        // A stack instead of recursion, as graphs are deep.
        let mut stack = vec![root];
        let mut missing = Vec::new();
        while let Some(&part) = stack.last() {
            work(STEP);
            missing.clear();
            let is_missing = |part: &Subterm| match part {
                Subterm::Node(id) => !nodes.contains(id),
                Subterm::Formula(formula) => !formulas.contains(&formula.index()),
            };
            if is_missing(&part) && !is_leaf(part) {
                self.operands(part, &mut missing);
                missing.retain(is_missing);
            }
            if !missing.is_empty() {
                stack.append(&mut missing);
                continue;
            }
            stack.pop();
            let is_new = match part {
                Subterm::Node(id) => nodes.insert(id),
                Subterm::Formula(formula) => formulas.insert(formula.index()),
            };
            if is_new {
                parts.push(part);
            }
        }
        parts
    }

    fn operands(&self, part: Subterm, parts: &mut Vec<Subterm>) {
        use Subterm::Formula as F;
        use Subterm::Node as N;
        match part {
            N(id) => match self.node(id) {
                Node::Const(_) | Node::Input { .. } => {}
                Node::Bool(f) => parts.push(F(*f)),
                Node::Sum { terms, .. } => parts.extend(terms.iter().map(|(term, _)| N(*term))),
                Node::Mul(a, b) | Node::Bitwise(_, a, b) => parts.extend([N(*a), N(*b)]),
                Node::Ite(f, a, b) => parts.extend([F(*f), N(*a), N(*b)]),
                Node::NegIf(f, of) => parts.extend([F(*f), N(*of)]),
                Node::Max(operands) => parts.extend(operands.iter().map(|id| N(*id))),
                Node::Shl { of, amount, .. } | Node::Shr { of, amount } => {
                    parts.extend([N(*of), N(*amount)]);
                }
                Node::ShrConst { of, .. } | Node::Wrap { of, .. } => parts.push(N(*of)),
                Node::Concat { high, low, .. } => parts.extend([N(*high), N(*low)]),
            },
            F(formula) => match self.connective(formula) {
                Connective::True => {}
                Connective::And(all) => parts.extend(all.iter().map(|f| F(*f))),
                Connective::Xor(a, b) => parts.extend([F(*a), F(*b)]),
                Connective::Ite(c, a, b) => parts.extend([F(*c), F(*a), F(*b)]),
                Connective::Eq(a, b) | Connective::Lt(a, b) => parts.extend([N(*a), N(*b)]),
                Connective::Bit(of, _) => parts.push(N(*of)),
            },
        }
    }
}

impl Node {
    /// The same with each operand mapped.
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
    /// The same with each operand mapped.
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

#[cfg(test)]
mod tests {
    use super::Subterm;
    use crate::bits::Bv;
    use crate::bits::term::{Term, scope, with_graph};

    #[test]
    fn subterms_come_after_their_operands_and_none_behind_leaves() {
        scope(|| {
            let [x, y] = [0, 1].map(|index| Term::input(index, 8).zext(16));
            let product = x.mul(&y);
            let whole = product.mul(&y.mul(&y));
            let [x, y, product, whole] = [x, y, product, whole].map(|term| term.node());
            let all = with_graph(|graph| graph.subterms_until(Subterm::Node(product), |_| false));
            assert_eq!(all.len(), 3);
            assert_eq!(all[2], Subterm::Node(product));
            let is_leaf = |part| part == Subterm::Node(product);
            let some = with_graph(|graph| graph.subterms_until(Subterm::Node(whole), is_leaf));
            assert!(some.contains(&Subterm::Node(product)) && some.contains(&Subterm::Node(y)));
            assert!(!some.contains(&Subterm::Node(x)));
        })
    }
}
