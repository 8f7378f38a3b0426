//! What a formula needs of the graph, operands first: a copy that may leave this thread.

use crate::bits::term::{Connective, Formula, Node, NodeId, Part, Range, with_graph};

/// The nodes and connectives that a formula depends on, each once, after its operands.
#[derive(Clone, Debug)]
pub struct Slice {
    pub(super) steps: Vec<Step>,
    pub(super) root: Formula,
}

/// A node or a connective, as the graph has it.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Node(NodeId, Node, Range),
    Connective(usize, Connective),
}

impl Slice {
    /// What `formula` of this thread's graph needs.
    pub fn of(formula: Formula) -> Self {
        with_graph(|graph| {
            let step = |part| match part {
                Part::Node(id) => Step::Node(id, graph.node(id).clone(), graph.range(id).clone()),
                Part::Formula(formula) => {
                    Step::Connective(formula.index(), graph.connective(formula).clone())
                }
            };
            Slice {
                steps: graph.parts(formula).into_iter().map(step).collect(),
                root: formula,
            }
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
