//! What formulas need of the graph, operands first: a copy that may leave its scope and thread.

mod free;
mod step;

pub(super) use free::freed_number;
pub(super) use step::{Place, Step, Truth};

use crate::bits::term::{Formula, Node, NodeId, Part, with_graph};
use free::Freed;

/// The nodes and connectives that formulas depend on, each once, after its operands.
#[derive(Clone, Debug)]
pub struct Slice {
    pub(super) steps: Vec<Step>,
    /// All of these are asserted.
    pub(super) roots: Vec<Truth>,
}

impl Slice {
    /// What `formula` of this thread's graph needs.
    pub fn of(formula: Formula) -> Self {
        Slice::of_all(&[formula], &[])
    }

    /// What all of these need together, where the nodes `free` are any numbers of their ranges: each
    /// of them becomes an input, and that it is in its range is one more formula.
    pub fn of_all(formulas: &[Formula], free: &[NodeId]) -> Self {
        with_graph(|graph| {
            let mut freed = Freed::new(graph, free);
            let roots: Vec<_> = formulas.iter().map(|f| Part::Formula(*f)).collect();
            let parts = graph.parts_to(&roots, |part| freed.has(part));
            let mut steps = Vec::with_capacity(parts.len());
            for part in parts {
                match part {
                    Part::Node(id) if freed.has(part) => freed.put(graph, id, &mut steps),
                    Part::Node(id) => {
                        let node = graph.node(id).told(NodeId::index, Truth::from);
                        steps.push(Step::Node(id.index(), node, graph.range(id).clone()));
                    }
                    Part::Formula(formula) => {
                        let connective = graph.connective(formula).told(NodeId::index, Truth::from);
                        steps.push(Step::Connective(formula.index(), connective));
                    }
                }
            }
            let mut roots = freed.within;
            roots.extend(formulas.iter().map(|formula| Truth::from(*formula)));
            Slice { steps, roots }
        })
    }

    /// The inputs that occur, as number and width, by number.
    pub fn inputs(&self) -> Vec<(u32, u32)> {
        let input = |step: &Step| match step {
            Step::Node(_, Node::Input { index, width }, _) => Some((*index, *width)),
            _ => None,
        };
        let mut inputs: Vec<_> = self.steps.iter().filter_map(input).collect();
        inputs.sort_unstable();
        inputs
    }
}
