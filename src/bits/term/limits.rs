//! Limits that matter only below them.
//!
//! Two units often differ in a lower limit of the largest exponent and in nothing else. Where the
//! largest exponent is above the limit the two are one, and the graph sees that once the limit is
//! left out; a solver would have to prove two whole units equal. What is left is the case below.

use super::graph::{Formula, Graph, Node, NodeId, edit_graph};
use rustc_hash::FxHashSet;

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
        let mut limits = Vec::new();
        let (mut nodes, mut formulas) = (Vec::new(), vec![formula]);
        let (mut seen_nodes, mut seen_formulas) = (FxHashSet::default(), FxHashSet::default());
        while !nodes.is_empty() || !formulas.is_empty() {
            while let Some(formula) = formulas.pop() {
                if seen_formulas.insert(formula.index()) {
                    let (more_nodes, more) = self.connective(formula).operands();
                    nodes.extend(more_nodes);
                    formulas.extend(more);
                }
            }
            if let Some(id) = nodes.pop()
                && seen_nodes.insert(id)
            {
                if let Node::Max(operands) = self.node(id) {
                    let (limit, others): (Vec<NodeId>, _) = operands
                        .iter()
                        .partition(|id| self.as_const(**id).is_some());
                    limits.extend(limit.first().map(|limit| (id, *limit, others)));
                }
                let (more, more_formulas) = self.node(id).operands();
                nodes.extend(more);
                formulas.extend(more_formulas);
            }
        }
        limits.into_iter().min()
    }
}
