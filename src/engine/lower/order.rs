//! The order of lowering: operands before what is made of them.

use super::{Lowering, Task};
use crate::bits::term::{Connective, Formula, Graph, Node, NodeId};

impl Lowering {
    /// The operands of a task that are not lowered yet.
    pub(super) fn missing(&self, graph: &Graph, task: Task, missing: &mut Vec<Task>) {
        let mut node = |id: NodeId| {
            if !self.words.contains_key(&id) {
                missing.push(Task::Node(id));
            }
        };
        let formula = |f: Formula| {
            (f.index() != 0 && !self.lits.contains_key(&f.index())).then_some(Task::Formula(f))
        };
        match task {
            Task::Node(id) if self.words.contains_key(&id) || self.cut_points.contains(&id) => {}
            Task::Formula(f) if formula(f).is_none() => {}
            Task::Node(id) => match graph.node(id) {
                Node::Const(_) | Node::Input { .. } => {}
                Node::Bool(f) => missing.extend(formula(*f)),
                Node::Sum { terms, .. } => {
                    for (term, _) in terms {
                        match graph.node(*term) {
                            Node::NegIf(_, of) => node(*of),
                            _ => node(*term),
                        }
                    }
                    for (term, _) in terms {
                        if let Node::NegIf(f, _) = graph.node(*term) {
                            missing.extend(formula(*f));
                        }
                    }
                }
                Node::Mul(a, b) | Node::Bitwise(_, a, b) => {
                    node(*a);
                    node(*b);
                }
                Node::Ite(f, a, b) => {
                    node(*a);
                    node(*b);
                    missing.extend(formula(*f));
                }
                Node::NegIf(f, of) => {
                    node(*of);
                    missing.extend(formula(*f));
                }
                Node::Max(operands) => operands.iter().for_each(|id| node(*id)),
                Node::Shl { of, amount, .. } | Node::Shr { of, amount } => {
                    node(*of);
                    node(*amount);
                }
                Node::ShrConst { of, .. } | Node::Wrap { of, .. } => node(*of),
                Node::Concat { high, low, .. } => {
                    node(*high);
                    node(*low);
                }
            },
            Task::Formula(f) => match graph.connective(f) {
                Connective::True => {}
                Connective::And(parts) => {
                    missing.extend(parts.iter().filter_map(|part| formula(*part)));
                }
                Connective::Xor(a, b) => missing.extend([*a, *b].into_iter().filter_map(formula)),
                Connective::Ite(c, a, b) => {
                    missing.extend([*c, *a, *b].into_iter().filter_map(formula));
                }
                Connective::Eq(a, b) | Connective::Lt(a, b) => {
                    node(*a);
                    node(*b);
                }
                Connective::Bit(of, _) => node(*of),
            },
        }
    }
}
