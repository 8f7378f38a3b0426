//! Restricts a claim about lower limits of maxima to the inputs below a limit.
//!
//! Two units often differ only in a lower limit of the largest exponent, `max(limit, e1, e2, ...)`.
//! Above the limit both units compute the same, which the graph shows by simplification once the
//! limit is removed. The solver then has to search only where all exponents are below a limit.

use super::graph::{Formula, Graph, Node, NodeId, edit_graph};
use super::walk::Subterm;

/// The most limits that are removed.
const MOST: usize = 64;

/// If `formula` simplifies to false without its lower limits, returns an equivalent formula:
/// `formula` and "for some maximum, all operands except the limit are below the limit". Otherwise
/// returns `formula`.
pub fn below_limits(formula: Formula) -> Formula {
    edit_graph(|graph| {
        let mut unlimited = formula;
        let mut below = Vec::new();
        // Limits are removed one at a time, as removing one can expose the next one.
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
    /// The first maximum, in the order of the graph, that has a constant operand: its node, the
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
