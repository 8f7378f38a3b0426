//! Bit-vectors and truth values, each a constant or a part of a graph.

use super::graph::{RangedCondition, RangedGraph};
use super::node::{RangedLiteral, RangedNodeId};
use crate::bits::HostOperations;
use crate::bits::W128;
use crate::bits::bv::Bv;
use std::cell::{Ref, RefCell};
use std::rc::Rc;

/// The greatest width of a bit-vector. Sums of several bit-vectors of this width still fit `i128`.
pub const CAPACITY: u32 = 116;

/// A graph that several values share and extend.
type SharedRangedGraph = Rc<RefCell<RangedGraph>>;

/// A bit-vector of at most [`CAPACITY`] bits: a constant, or a node of a graph. Values of two
/// graphs are never operands of one operation.
#[derive(Clone, Debug)]
pub struct RangedBits {
    pub(super) width: u32,
    pub(super) content: RangedContent,
}

#[derive(Clone, Debug)]
pub(super) enum RangedContent {
    Const(W128),
    Node(SharedRangedGraph, RangedNodeId),
}

/// A truth value: a constant, or a condition of a graph.
#[derive(Clone, Debug)]
pub enum Truth {
    /// A constant, the same for all inputs.
    Const(bool),
    /// A condition of a graph.
    Node(SharedGraph, RangedLiteral),
}

/// The graph that a value belongs to.
#[derive(Clone, Debug)]
pub struct SharedGraph(pub(super) SharedRangedGraph);

/// The inputs of a new graph, and the assumptions about these inputs.
#[derive(Debug)]
pub struct RangedInputs(SharedRangedGraph);

impl Default for RangedInputs {
    fn default() -> Self {
        Self::with_host(HostOperations::None)
    }
}

impl RangedInputs {
    /// The inputs of a new graph, none so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// The inputs of a new graph that leaves the operations `host` to the processor.
    pub fn with_host(host: HostOperations) -> Self {
        RangedInputs(Rc::new(RefCell::new(RangedGraph::new(host))))
    }

    /// The next input, unsigned, of `width` bits.
    pub fn input(&self, width: u32) -> RangedBits {
        let id = self.0.borrow_mut().input(width);
        RangedBits {
            width,
            content: RangedContent::Node(self.0.clone(), id),
        }
    }

    /// Assumes that the condition has this value in all nodes that are made from now on.
    pub fn assume(&self, condition: &Truth, value: bool) {
        if let Truth::Node(_, literal) = condition {
            self.0.borrow_mut().assume(*literal, value);
        }
    }

    /// The graph of these inputs.
    pub fn graph(&self) -> Ref<'_, RangedGraph> {
        self.0.borrow()
    }

    /// The node of a value as an unsigned number, which is less than two to the power of its width.
    pub fn node_of(&self, value: &RangedBits) -> RangedNodeId {
        let mut graph = self.0.borrow_mut();
        let id = value.node(&mut graph);
        graph.wrap(id, value.width, false)
    }

    /// The node of a truth value: 1 where it is true, else 0.
    pub fn node_of_truth(&self, truth: &Truth) -> RangedNodeId {
        self.node_of(&RangedBits::from_prop(1, truth))
    }
}

impl Truth {
    pub(super) fn condition(&self) -> RangedCondition {
        match self {
            Truth::Const(value) => RangedCondition::Const(*value),
            Truth::Node(_, literal) => RangedCondition::Literal(*literal),
        }
    }

    /// If both values are constants, the result of `fold`; otherwise the result of `make` in the
    /// graph that the values belong to.
    pub(super) fn binary(
        &self,
        other: &Truth,
        fold: impl Fn(&bool, &bool) -> bool,
        make: impl FnOnce(&mut RangedGraph, RangedCondition, RangedCondition) -> RangedCondition,
    ) -> Truth {
        match (self, other) {
            (Truth::Const(a), Truth::Const(b)) => Truth::Const(fold(a, b)),
            (Truth::Node(graph, _), _) | (_, Truth::Node(graph, _)) => {
                let made = make(
                    &mut graph.0.borrow_mut(),
                    self.condition(),
                    other.condition(),
                );
                Truth::of(&graph.0, made)
            }
        }
    }

    pub(super) fn of(graph: &SharedRangedGraph, condition: RangedCondition) -> Truth {
        match condition {
            RangedCondition::Const(value) => Truth::Const(value),
            RangedCondition::Literal(literal) => Truth::Node(SharedGraph(graph.clone()), literal),
        }
    }

    /// The value, if it is the same for all inputs.
    pub fn as_constant(&self) -> Option<bool> {
        match self {
            Truth::Const(value) => Some(*value),
            Truth::Node(..) => None,
        }
    }
}

impl RangedBits {
    pub(super) fn constant(word: W128) -> RangedBits {
        RangedBits {
            width: word.width(),
            content: RangedContent::Const(word),
        }
    }

    /// The value, if it is a constant.
    pub fn as_constant(&self) -> Option<W128> {
        match self.content {
            RangedContent::Const(word) => Some(word),
            RangedContent::Node(..) => None,
        }
    }

    /// The graph of the value; `None` for a constant.
    pub(super) fn graph(&self) -> Option<&SharedRangedGraph> {
        match &self.content {
            RangedContent::Const(_) => None,
            RangedContent::Node(graph, _) => Some(graph),
        }
    }

    /// The node of an integer that equals the value modulo two to the power of its width.
    pub(super) fn node(&self, graph: &mut RangedGraph) -> RangedNodeId {
        match &self.content {
            RangedContent::Const(word) => graph.constant(word.bits() as i128),
            RangedContent::Node(_, id) => *id,
        }
    }

    pub(super) fn unsigned(&self, graph: &mut RangedGraph) -> RangedNodeId {
        let id = self.node(graph);
        graph.wrap(id, self.width, false)
    }

    pub(super) fn signed(&self, graph: &mut RangedGraph) -> RangedNodeId {
        let id = self.node(graph);
        graph.wrap(id, self.width, true)
    }

    /// The bit-vector of the integer `id`. Its node is the integer itself or, if the integer needs
    /// more than `width` bits and a sign, its low bits.
    pub(super) fn fitted(
        shared: &SharedRangedGraph,
        graph: &mut RangedGraph,
        width: u32,
        id: RangedNodeId,
    ) -> RangedBits {
        let range = graph.range(id);
        let limit = 1i128 << width;
        let fits = -limit <= range.lo && range.hi < limit;
        let id = if fits {
            id
        } else {
            graph.wrap(id, width, false)
        };
        let content = match graph.as_const(id) {
            Some(value) => RangedContent::Const(W128::masked(value as u128, width)),
            None => RangedContent::Node(shared.clone(), id),
        };
        RangedBits { width, content }
    }
}
