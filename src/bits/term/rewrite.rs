//! A node put in the place of another one, everywhere in a formula.

use super::graph::{Connective, Formula, Graph, Node, NodeId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// What has become of nodes and formulas.
struct Rewriting {
    nodes: FxHashMap<NodeId, NodeId>,
    /// By index: signs are kept.
    formulas: FxHashMap<usize, Formula>,
}

#[derive(Clone, Copy)]
enum Task {
    Node(NodeId),
    Formula(Formula),
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
        // A stack instead of recursion, as graphs are deep.
        let mut stack = vec![Task::Formula(formula)];
        let mut missing = Vec::new();
        while let Some(&task) = stack.last() {
            missing.clear();
            rewriting.missing(self, task, &mut missing);
            if !missing.is_empty() {
                stack.append(&mut missing);
                continue;
            }
            stack.pop();
            rewriting.rebuild(self, task)?;
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

    /// The operands of a task that are not rewritten yet; nothing for one that is.
    fn missing(&self, graph: &Graph, task: Task, missing: &mut Vec<Task>) {
        let done = match task {
            Task::Node(id) => self.nodes.contains_key(&id),
            Task::Formula(formula) => self.formulas.contains_key(&formula.index()),
        };
        if done {
            return;
        }
        let (nodes, formulas) = match task {
            Task::Node(id) => graph.node(id).operands(),
            Task::Formula(formula) => graph.connective(formula).operands(),
        };
        let nodes = nodes.into_iter().filter(|id| !self.nodes.contains_key(id));
        missing.extend(nodes.map(Task::Node));
        let formulas = formulas
            .into_iter()
            .filter(|formula| !self.formulas.contains_key(&formula.index()));
        missing.extend(formulas.map(Task::Formula));
    }

    fn rebuild(&mut self, graph: &mut Graph, task: Task) -> Option<()> {
        match task {
            Task::Node(id) => {
                if !self.nodes.contains_key(&id) {
                    let node = graph.node(id).clone();
                    let new = self.rebuilt(graph, id, node)?;
                    self.nodes.insert(id, new);
                }
            }
            Task::Formula(formula) => {
                if !self.formulas.contains_key(&formula.index()) {
                    let new = self.rebuilt_formula(graph, formula);
                    self.formulas.insert(formula.index(), new);
                }
            }
        }
        Some(())
    }

    fn rebuilt(&self, graph: &mut Graph, id: NodeId, node: Node) -> Option<NodeId> {
        Some(match node {
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

impl Node {
    /// The nodes and the formulas that it is made of.
    pub(super) fn operands(&self) -> (Vec<NodeId>, Vec<Formula>) {
        match self {
            Node::Const(_) | Node::Input { .. } => (Vec::new(), Vec::new()),
            Node::Bool(formula) => (Vec::new(), vec![*formula]),
            Node::Sum { terms, .. } => (terms.iter().map(|(id, _)| *id).collect(), Vec::new()),
            Node::Mul(a, b) | Node::Bitwise(_, a, b) => (vec![*a, *b], Vec::new()),
            Node::Ite(cond, a, b) => (vec![*a, *b], vec![*cond]),
            Node::NegIf(cond, of) => (vec![*of], vec![*cond]),
            Node::Max(operands) => (operands.to_vec(), Vec::new()),
            Node::Shl { of, amount, .. } | Node::Shr { of, amount } => {
                (vec![*of, *amount], Vec::new())
            }
            Node::ShrConst { of, .. } | Node::Wrap { of, .. } => (vec![*of], Vec::new()),
            Node::Concat { high, low, .. } => (vec![*high, *low], Vec::new()),
        }
    }
}

impl Connective {
    /// The nodes and the formulas that it is made of.
    pub(super) fn operands(&self) -> (Vec<NodeId>, Vec<Formula>) {
        match self {
            Connective::True => (Vec::new(), Vec::new()),
            Connective::And(parts) => (Vec::new(), parts.to_vec()),
            Connective::Xor(a, b) => (Vec::new(), vec![*a, *b]),
            Connective::Ite(cond, a, b) => (Vec::new(), vec![*cond, *a, *b]),
            Connective::Eq(a, b) | Connective::Lt(a, b) => (vec![*a, *b], Vec::new()),
            Connective::Bit(of, _) => (vec![*of], Vec::new()),
        }
    }
}
