//! Cut points: nodes that are replaced by fresh inputs of the same range.

use super::step::{ConeStep, FormulaRef, NodeIndex};
use mmasmt_numbers::bits::term::{Connective, Graph, Interval, Node, NodeId, Subterm};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;

/// The number of the first input that stands for a freed node; the inputs of a question have lower
/// numbers.
const FIRST: u32 = 1 << 31;
/// The most inputs that may stand for freed nodes.
const MOST: u32 = 1 << 20;
/// The greatest width of one input in bits.
const WIDEST: u32 = 64;

/// Converts the number of an input to its number among the inputs of freed nodes; `None` for inputs
/// of the question.
pub fn freed_number(index: u32) -> Option<u32> {
    index.checked_sub(FIRST).filter(|number| *number < MOST)
}

/// The freed nodes, and the inputs and constraints that replace them.
pub(super) struct FreeNodes {
    nodes: FxHashSet<NodeId>,
    /// The number of inputs created so far.
    inputs: u32,
    /// The index of the next new node, and the index of the next new connective; the graph uses
    /// neither of these indices.
    next: [NodeIndex; 2],
    /// The range constraints of the freed nodes.
    pub within: Vec<FormulaRef>,
}

impl FreeNodes {
    pub fn new(graph: &Graph, nodes: &[NodeId]) -> Self {
        // A `NegIf` cannot be freed: in the circuits, a sum negates its terms itself, so a `NegIf`
        // under a sum has no circuit of its own.
        let is_free = |id: &&NodeId| {
            !matches!(
                graph.node(**id),
                Node::Const(_) | Node::Input { .. } | Node::NegIf(..)
            )
        };
        let (nodes_end, connectives_end) = graph.size();
        FreeNodes {
            nodes: nodes.iter().filter(is_free).copied().collect(),
            inputs: 0,
            next: [nodes_end, connectives_end],
            within: Vec::new(),
        }
    }

    pub fn has(&self, part: Subterm) -> bool {
        matches!(part, Subterm::Node(id) if self.nodes.contains(&id))
    }

    /// Adds steps that replace `id` by fresh inputs, and constrain these to the range of `id`.
    pub fn put(&mut self, graph: &Graph, id: NodeId, steps: &mut Vec<ConeStep>) {
        let (place, range) = (id.index(), graph.range(id));
        let is_signed = !range.is_unsigned();
        let width = (range.bits() + u32::from(is_signed)).max(1);
        let word = self.word(width, steps);
        let node = Node::Wrap {
            of: word,
            width,
            signed: is_signed,
        };
        steps.push(ConeStep::Node(place, node, range.clone()));
        let all = if is_signed {
            Interval::signed(width)
        } else {
            Interval::unsigned(width)
        };
        if range.lo > all.lo {
            let least = self.constant(&range.lo, steps);
            self.not_below(place, least, steps);
        }
        if range.hi < all.hi {
            let greatest = self.constant(&range.hi, steps);
            self.not_below(greatest, place, steps);
        }
    }

    /// A word of this width made of fresh inputs.
    fn word(&mut self, width: u32, steps: &mut Vec<ConeStep>) -> NodeIndex {
        let low_width = width.min(WIDEST);
        let low = self.place();
        let index = FIRST + self.inputs;
        self.inputs += 1;
        let input = Node::Input {
            index,
            width: low_width,
        };
        steps.push(ConeStep::Node(low, input, Interval::unsigned(low_width)));
        if width == low_width {
            return low;
        }
        let high = self.word(width - low_width, steps);
        let both = self.place();
        let node = Node::Concat {
            high,
            low,
            low_width,
        };
        steps.push(ConeStep::Node(both, node, Interval::unsigned(width)));
        both
    }

    fn constant(&mut self, value: &BigInt, steps: &mut Vec<ConeStep>) -> NodeIndex {
        let place = self.place();
        let range = Interval::point(value.clone());
        steps.push(ConeStep::Node(place, Node::Const(value.clone()), range));
        place
    }

    /// Constrains `first` to be at least `second`.
    fn not_below(&mut self, first: NodeIndex, second: NodeIndex, steps: &mut Vec<ConeStep>) {
        let [_, next] = &mut self.next;
        let index = *next;
        *next += 1;
        steps.push(ConeStep::Connective(index, Connective::Lt(first, second)));
        self.within.push(FormulaRef {
            index,
            is_negated: true,
        });
    }

    fn place(&mut self) -> NodeIndex {
        let [next, _] = &mut self.next;
        let place = *next;
        *next += 1;
        place
    }
}
