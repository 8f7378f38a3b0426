//! Substitution of nodes and formulas in terms and formulas.

use super::graph::{Connective, Formula, Graph, Node, NodeId, edit_graph, with_graph};
use super::symbol::Term;
use super::walk::Subterm;
use num_bigint::BigInt;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

/// A map from nodes and formulas to their replacements, which are equal to them. A term or formula
/// is rebuilt with the replacements, and thereby simplified again.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    nodes: FxHashMap<NodeId, NodeId>,
    /// The formula that replaces each connective (without its negation), by the index of the
    /// connective.
    formulas: FxHashMap<usize, Formula>,
}

impl Substitution {
    /// The substitution that replaces nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces `term` by `by`, which is equal to `term` and does not depend on it. A constant
    /// `term` is not replaced.
    pub fn put(&mut self, term: &Term, by: &Term) {
        self.put_sum(term, by, 0);
    }

    /// Replaces `term` by `by + more`, which is equal to `term` and does not depend on it. A
    /// constant `term` is not replaced.
    pub fn put_sum(&mut self, term: &Term, by: &Term, more: i64) {
        if term.as_constant().is_some() {
            return;
        }
        let node = term.node();
        let is_unsigned = with_graph(|graph| graph.range(node).is_unsigned());
        let by = if is_unsigned {
            by.unsigned()
        } else {
            by.signed()
        };
        // Sums are flattened: a sum that includes `atom + constant` refers to `atom` alone, so
        // replace `atom`.
        let (of, by) = edit_graph(|graph| {
            let (atom, coefficient, constant) = graph.affine(node);
            let (of, less) = if coefficient.is_one() {
                (atom, constant)
            } else {
                (node, BigInt::zero())
            };
            (of, graph.add_constant(by, BigInt::from(more) - less))
        });
        self.nodes.insert(of, by);
    }

    /// Replaces `formula` by `by`, which is equal to `formula` and does not depend on it. A
    /// constant `formula` is not replaced.
    pub fn put_formula(&mut self, formula: Formula, by: Formula) {
        if formula.as_constant().is_some() {
            return;
        }
        let by = if formula.is_negated() {
            by.negated()
        } else {
            by
        };
        self.formulas.insert(formula.index(), by);
    }

    fn replaces(&self, part: Subterm) -> bool {
        match part {
            Subterm::Node(id) => self.nodes.contains_key(&id),
            Subterm::Formula(formula) => self.formulas.contains_key(&formula.index()),
        }
    }

    /// `formula` after substitution; `None` if an operand that must be unsigned (a shift amount, a
    /// bit pattern) could be negative.
    pub fn formula(&self, formula: Formula) -> Option<Formula> {
        edit_graph(|graph| {
            let rewriting = graph.rewritten(Subterm::Formula(formula), self)?;
            Some(rewriting.formula(formula))
        })
    }

    /// `term` after substitution; `None` if an operand that must be unsigned (a shift amount, a bit
    /// pattern) could be negative.
    pub fn term(&self, term: &Term) -> Option<Term> {
        let node = term.node();
        let new = edit_graph(|graph| {
            let rewriting = graph.rewritten(Subterm::Node(node), self)?;
            Some(rewriting.node(node))
        })?;
        Some(Term::fitted(term.width, |_| new))
    }
}

/// The nodes and formulas after substitution.
struct Rewriting {
    nodes: FxHashMap<NodeId, NodeId>,
    /// The new formula of each connective (without its negation), by the index of the connective.
    formulas: FxHashMap<usize, Formula>,
}

impl Graph {
    /// `formula` with `node` replaced by `by`; `None` if an operand that must be unsigned could be
    /// negative.
    pub(super) fn replaced(
        &mut self,
        formula: Formula,
        node: NodeId,
        by: NodeId,
    ) -> Option<Formula> {
        let by = Substitution {
            nodes: FxHashMap::from_iter([(node, by)]),
            formulas: FxHashMap::default(),
        };
        let rewriting = self.rewritten(Subterm::Formula(formula), &by)?;
        Some(rewriting.formula(formula))
    }

    /// All subterms of `root` after substitution; `None` if an operand that must be unsigned could
    /// be negative.
    fn rewritten(&mut self, root: Subterm, by: &Substitution) -> Option<Rewriting> {
        let mut rewriting = Rewriting {
            nodes: by.nodes.clone(),
            formulas: by.formulas.clone(),
        };
        for part in self.subterms_until(&[root], |part| by.replaces(part)) {
            match part {
                part if by.replaces(part) => {}
                Subterm::Node(id) => {
                    let new = rewriting.rebuilt(self, id)?;
                    rewriting.nodes.insert(id, new);
                }
                Subterm::Formula(formula) => {
                    let new = rewriting.rebuilt_formula(self, formula);
                    rewriting.formulas.insert(formula.index(), new);
                }
            }
        }
        Some(rewriting)
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

    /// The operand `id` after substitution; `None` if its range includes negative numbers.
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

    /// The connective of `formula` after substitution, without the negation of `formula`.
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
