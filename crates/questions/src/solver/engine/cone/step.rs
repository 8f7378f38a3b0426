//! A step of a copied formula: a node or a connective that refers to its operands by index.

use mmasmt_numbers::bits::term::{Connective, Formula, Interval, Node};

/// The index of a node in the graph.
pub(in crate::solver::engine) type NodeIndex = usize;

/// A reference to a formula: the index of its connective (0 is "true"), and whether it is negated.
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

/// A copied node or connective.
#[derive(Clone, Debug)]
pub(in crate::solver::engine) enum ConeStep {
    Node(NodeIndex, Node<NodeIndex, FormulaRef>, Interval),
    Connective(NodeIndex, Connective<NodeIndex, FormulaRef>),
}
