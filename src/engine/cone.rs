//! The cone of influence of a formula, as a copy that is independent of scope and thread.

use crate::bits::term::{Connective, Formula, Node, NodeId, Range, Subterm, with_graph};

/// Index of a node or connective in the graph.
pub(super) type NodeIndex = usize;

/// A formula: index of its connective, 0 for "true", and whether it is negated.
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

/// The nodes and connectives that a formula depends on, each once, operands first.
#[derive(Clone, Debug)]
pub struct Cone {
    pub(super) steps: Vec<ConeStep>,
    pub(super) root: FormulaRef,
}

/// A node with its range, or a connective.
#[derive(Clone, Debug)]
pub(super) enum ConeStep {
    Node(NodeIndex, Node<NodeIndex, FormulaRef>, Range),
    Connective(NodeIndex, Connective<NodeIndex, FormulaRef>),
}

impl Cone {
    /// The cone of `formula`, which belongs to this thread's graph.
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

    /// Number and width of each input that occurs, by number.
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
