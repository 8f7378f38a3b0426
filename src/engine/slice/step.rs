//! One part of a copy of formulas: a node or a connective, with its operands by their places.

use crate::bits::term::{Connective, Formula, Node, Range};

/// A node by its place in the graph.
pub(in crate::engine) type Place = usize;

/// A formula by the place of its connective, 0 for "true", and whether that is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Truth {
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

/// A node or a connective, as the graph has it.
#[derive(Clone, Debug)]
pub(in crate::engine) enum Step {
    Node(Place, Node<Place, Truth>, Range),
    Connective(Place, Connective<Place, Truth>),
}
