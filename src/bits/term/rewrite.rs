//! A node put in the place of another one, everywhere in a formula.

use super::graph::{Connective, Formula, Graph, Node, NodeId};
use super::walk::Part;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// What has become of nodes and formulas.
struct Rewriting {
    nodes: FxHashMap<NodeId, NodeId>,
    /// By index: signs are kept.
    formulas: FxHashMap<usize, Formula>,
}

impl Graph {
    /// `formula` with `by` in the place of `node`, built anew, so that it is simplified again; none
    /// if an operand that must not be negative might then be.
    pub(super) fn replaced(
        &mut self,
        formula: Formula,
        node: NodeId,
        by: NodeId,
    ) -> Option<Formula> {
        let mut rewriting = Rewriting {
            nodes: FxHashMap::from_iter([(node, by)]),
            formulas: FxHashMap::default(),
        };
        for part in self.parts(formula, Some(node)) {
            match part {
                Part::Node(id) if id == node => {}
                Part::Node(id) => {
                    let new = rewriting.rebuilt(self, id)?;
                    rewriting.nodes.insert(id, new);
                }
                Part::Formula(formula) => {
                    let new = rewriting.rebuilt_formula(self, formula);
                    rewriting.formulas.insert(formula.index(), new);
                }
            }
        }
        Some(rewriting.formula(formula))
    }
}

impl Rewriting {
    fn node(&self, id: NodeId) -> NodeId {
        self.nodes[&id]
    }

    fn formula(&self, formula: Formula) -> Formula {
        let new = self.formulas[&formula.index()];
        if formula.is_negated() {
            new.negated()
        } else {
            new
        }
    }

    /// What has become of an operand that is not negative.
    fn unsigned(&self, graph: &Graph, id: NodeId) -> Option<NodeId> {
        let new = self.node(id);
        graph.range(new).is_unsigned().then_some(new)
    }

    fn rebuilt(&self, graph: &mut Graph, id: NodeId) -> Option<NodeId> {
        Some(match graph.node(id).clone() {
            Node::Const(_) | Node::Input { .. } => id,
            Node::Bool(formula) => graph.bool_node(self.formula(formula)),
            Node::Sum { terms, constant } => {
                let new = |(term, factor): &(NodeId, BigInt)| (self.node(*term), factor.clone());
                graph.sum(terms.iter().map(new), constant)
            }
            Node::Mul(a, b) => graph.mul(self.node(a), self.node(b)),
            Node::Ite(cond, a, b) => graph.ite(self.formula(cond), self.node(a), self.node(b)),
            Node::NegIf(cond, of) => graph.neg_if(self.formula(cond), self.node(of)),
            Node::Max(operands) => {
                let operands: Vec<_> = operands.iter().map(|id| self.node(*id)).collect();
                graph.max(&operands)
            }
            Node::Shl { of, amount, width } => {
                let (of, amount) = (self.unsigned(graph, of)?, self.unsigned(graph, amount)?);
                graph.shl(of, amount, width)
            }
            Node::Shr { of, amount } => {
                let amount = self.unsigned(graph, amount)?;
                graph.shr(self.node(of), amount)
            }
            Node::ShrConst { of, amount } => graph.shr_const(self.node(of), amount),
            Node::Wrap { of, width, signed } => graph.wrap(self.node(of), width, signed),
            Node::Concat {
                high,
                low,
                low_width,
            } => {
                let low = self.unsigned(graph, low)?;
                graph.concat(self.node(high), low, low_width)
            }
            Node::Bitwise(op, a, b) => {
                let (a, b) = (self.unsigned(graph, a)?, self.unsigned(graph, b)?);
                graph.bitwise(op, a, b)
            }
        })
    }

    /// That of the connective, without the formula's own sign.
    fn rebuilt_formula(&self, graph: &mut Graph, formula: Formula) -> Formula {
        match graph.connective(formula).clone() {
            Connective::True => Formula::TRUE,
            Connective::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.formula(*part)).collect();
                graph.all(&parts)
            }
            Connective::Xor(a, b) => graph.xor(self.formula(a), self.formula(b)),
            Connective::Ite(cond, a, b) => {
                graph.choose(self.formula(cond), self.formula(a), self.formula(b))
            }
            Connective::Eq(a, b) => graph.eq(self.node(a), self.node(b)),
            Connective::Lt(a, b) => graph.lt(self.node(a), self.node(b)),
            Connective::Bit(of, index) => graph.bit(self.node(of), index),
        }
    }
}
