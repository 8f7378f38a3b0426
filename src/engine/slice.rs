//! What a formula needs of the graph, operands first: a copy that may leave its scope and thread.

use crate::bits::term::{Connective, Formula, Node, NodeId, Part, Range, with_graph};

/// A node by its place in the graph.
pub(super) type Place = usize;

/// A formula by the place of its connective, 0 for "true", and whether that is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Truth {
    pub index: Place,
    pub is_negated: bool,
}

impl From<Formula> for Truth {
    fn from(formula: Formula) -> Self {
        Truth {
            index: formula.index(),
            is_negated: formula.is_negated(),
        }
    }
}

/// The nodes and connectives that a formula depends on, each once, after its operands.
#[derive(Clone, Debug)]
pub struct Slice {
    pub(super) steps: Vec<Step>,
    pub(super) root: Truth,
}

/// A node or a connective, as the graph has it.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Node(Place, Node<Place, Truth>, Range),
    Connective(Place, Connective<Place, Truth>),
}

impl Slice {
    /// What `formula` of this thread's graph needs.
    pub fn of(formula: Formula) -> Self {
        with_graph(|graph| {
            let step = |part| match part {
                Part::Node(id) => {
                    let node = graph.node(id).told(NodeId::index, Truth::from);
                    Step::Node(id.index(), node, graph.range(id).clone())
                }
                Part::Formula(formula) => {
                    let connective = graph.connective(formula).told(NodeId::index, Truth::from);
                    Step::Connective(formula.index(), connective)
                }
            };
            Slice {
                steps: graph.parts(formula).into_iter().map(step).collect(),
                root: formula.into(),
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
