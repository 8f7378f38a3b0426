//! The multiplications in a formula.

use super::graph::{Formula, Node, NodeId, with_graph};
use super::symbol::Term;
use super::walk::Subterm;

/// A multiplication of two unsigned numbers, neither of them constant.
#[derive(Clone, Debug)]
pub struct Multiplication {
    /// The result, as wide as both factors together.
    pub product: Term,
    /// The factors, each as wide as its range needs.
    pub factors: [Term; 2],
}

/// The multiplications in `formula`, each after those that its factors depend on.
pub fn multiplications(formula: Formula) -> Vec<Multiplication> {
    let found: Vec<(NodeId, [(NodeId, u32); 2])> = with_graph(|graph| {
        let parts = graph.subterms(formula).into_iter();
        let found = parts.filter_map(|part| {
            let Subterm::Node(product) = part else {
                return None;
            };
            let &Node::Mul(x, y) = graph.node(product) else {
                return None;
            };
            let is_unsigned = [x, y].iter().all(|id| graph.range(*id).is_unsigned());
            let wide = |id| (id, graph.range(id).bits());
            is_unsigned.then_some((product, [x, y].map(wide)))
        });
        found.collect()
    });
    let term = |(node, width)| Term::of(width, node);
    let multiplication = |(product, factors): (NodeId, [(NodeId, u32); 2])| Multiplication {
        product: term((product, factors[0].1 + factors[1].1)),
        factors: factors.map(term),
    };
    found.into_iter().map(multiplication).collect()
}
