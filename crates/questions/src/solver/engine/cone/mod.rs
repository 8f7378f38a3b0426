//! A copy of the part of the term graph that formulas depend on, operands first. The copy can be
//! used outside of the graph's scope and on other threads.

mod free;
mod step;

pub use free::freed_number;
pub(super) use step::{ConeStep, FormulaRef, NodeIndex};

use free::FreeNodes;
use mmasmt_numbers::bits::term::{Formula, Node, NodeId, Subterm, with_graph};

/// The nodes and connectives that formulas depend on. Each occurs once, after its operands.
#[derive(Clone, Debug)]
pub struct Cone {
    pub(super) steps: Vec<ConeStep>,
    /// The formulas that are asserted.
    pub(super) roots: Vec<FormulaRef>,
}

impl Cone {
    /// The part of this thread's graph that `formula` depends on.
    pub fn of(formula: Formula) -> Self {
        Cone::of_all(&[formula], &[])
    }

    /// The part of this thread's graph that any of `formulas` depends on. Fresh inputs replace the
    /// nodes `free`, and the range of each freed node is added to the asserted formulas.
    pub fn of_all(formulas: &[Formula], free: &[NodeId]) -> Self {
        with_graph(|graph| {
            let mut freed = FreeNodes::new(graph, free);
            let roots: Vec<_> = formulas.iter().map(|f| Subterm::Formula(*f)).collect();
            let parts = graph.subterms_until(&roots, |part| freed.has(part));
            let mut steps = Vec::with_capacity(parts.len());
            for part in parts {
                match part {
                    Subterm::Node(id) if freed.has(part) => freed.put(graph, id, &mut steps),
                    Subterm::Node(id) => {
                        let node = graph.node(id).map_operands(NodeId::index, FormulaRef::from);
                        steps.push(ConeStep::Node(id.index(), node, graph.range(id).clone()));
                    }
                    Subterm::Formula(formula) => {
                        let connective = graph
                            .connective(formula)
                            .map_operands(NodeId::index, FormulaRef::from);
                        steps.push(ConeStep::Connective(formula.index(), connective));
                    }
                }
            }
            let mut roots = freed.within;
            roots.extend(formulas.iter().map(|formula| FormulaRef::from(*formula)));
            Cone { steps, roots }
        })
    }

    /// The inputs that the formulas depend on, as pairs of number and width, in the order of the
    /// numbers.
    pub fn inputs(&self) -> Vec<(u32, u32)> {
        let input = |step: &ConeStep| match step {
            ConeStep::Node(_, Node::Input { index, width }, _) => Some((*index, *width)),
            _ => None,
        };
        let mut inputs: Vec<_> = self.steps.iter().filter_map(input).collect();
        inputs.sort_unstable();
        inputs
    }
}
