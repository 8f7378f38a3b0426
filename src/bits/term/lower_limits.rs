//! Limits that matter only below them.
//!
//! Two units often differ in a lower limit of the largest exponent and in nothing else. Where the
//! largest exponent is above the limit the two are one, and the graph sees that once the limit is
//! left out; a solver would have to prove two whole units equal. What is left is the case below.

use super::graph::{Formula, Graph, Node, NodeId, edit_graph};
use super::walk::Subterm;

/// Limits that are left out, at most.
const MOST: usize = 64;

/// The same truth value, said of the case below a limit alone where the formula is false above
/// all limits.
pub fn below_limits(formula: Formula) -> Formula {
    edit_graph(|graph| {
        let mut unlimited = formula;
        let mut below = Vec::new();
        // One after the other: what is a number without the first limit has the second one.
        while let Some((node, limit, others)) = graph.first_limit(unlimited) {
            let parts: Vec<_> = others.iter().map(|id| graph.lt(*id, limit)).collect();
            below.push(graph.all(&parts));
            let max = graph.max(&others);
            match graph.replaced(unlimited, node, max) {
                Some(replaced) if below.len() < MOST => unlimited = replaced,
                _ => return formula,
            }
        }
        if below.is_empty() || unlimited != Formula::FALSE {
            return formula;
        }
        let below = graph.any(&below);
        graph.all(&[formula, below])
    })
}

impl Graph {
    /// The first maximum in the order of the graph of which one operand is a constant: node,
    /// constant and the other operands.
    fn first_limit(&self, formula: Formula) -> Option<(NodeId, NodeId, Vec<NodeId>)> {
        let parts = self.subterms(formula).into_iter();
        let limits = parts.filter_map(|part| {
            let Subterm::Node(id) = part else { return None };
            let Node::Max(operands) = self.node(id) else {
                return None;
            };
            let is_constant = |id: &&NodeId| self.as_const(**id).is_some();
            let (limit, others): (Vec<NodeId>, _) = operands.iter().partition(is_constant);
            Some((id, *limit.first()?, others))
        });
        limits.min()
    }
}
