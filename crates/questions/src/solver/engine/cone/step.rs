//! One part of a copy of formulas: a node or a connective, with its operands by their places.

use mmasmt_core::numbers::bits::term::{Connective, Formula, Node, Range};

/// A node by its place in the graph.
pub(in crate::solver::engine) type NodeIndex = usize;

/// A formula by the place of its connective, 0 for "true", and whether that is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solver::engine) struct FormulaRef {
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

/// A node or a connective, as the graph has it.
#[derive(Clone, Debug)]
pub(in crate::solver::engine) enum ConeStep {
    Node(NodeIndex, Node<NodeIndex, FormulaRef>, Range),
    Connective(NodeIndex, Connective<NodeIndex, FormulaRef>),
}
