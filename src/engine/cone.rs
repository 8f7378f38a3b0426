//! What a formula needs of the graph, operands first: a copy that may leave its scope and thread.

use crate::bits::term::{Connective, Formula, Node, NodeId, Range, Subterm, with_graph};

/// A node by its place in the graph.
pub(super) type NodeIndex = usize;

/// A formula by the place of its connective, 0 for "true", and whether that is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FormulaRef {
    pub index: NodeIndex,
    pub is_negated: bool,
}

impl From<Formula> for FormulaRef {
    fn from(formula: Formula) -> Self {
        FormulaRef {
            index: formula.index(),
            is_negated: formula.is_negated(),
        }
    }
}

/// The nodes and connectives that a formula depends on, each once, after its operands.
#[derive(Clone, Debug)]
pub struct Cone {
    pub(super) steps: Vec<ConeStep>,
    pub(super) root: FormulaRef,
}

/// A node or a connective, as the graph has it.
#[derive(Clone, Debug)]
pub(super) enum ConeStep {
    Node(NodeIndex, Node<NodeIndex, FormulaRef>, Range),
    Connective(NodeIndex, Connective<NodeIndex, FormulaRef>),
}

impl Cone {
    /// What `formula` of this thread's graph needs.
    pub fn of(formula: Formula) -> Self {
        with_graph(|graph| {
            let step = |part| match part {
                Subterm::Node(id) => {
                    let node = graph.node(id).map_operands(NodeId::index, FormulaRef::from);
                    ConeStep::Node(id.index(), node, graph.range(id).clone())
                }
                Subterm::Formula(formula) => {
                    let connective = graph
                        .connective(formula)
                        .map_operands(NodeId::index, FormulaRef::from);
                    ConeStep::Connective(formula.index(), connective)
                }
            };
            Cone {
                steps: graph.subterms(formula).into_iter().map(step).collect(),
                root: formula.into(),
            }
        })
    }

    /// The inputs that occur, as number and width, by number.
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
