//! The side that a node depends on, and the value of a node where a field of a register is zero.

use super::side::Side;
use mmasmt_numbers::bits::ranged::{RangedGraph, RangedNode, RangedNodeId};

/// The side that each node of a graph depends on; `None` for a node that depends on constants alone,
/// or on inputs that are not all of one side.
pub(super) struct Origins(Vec<Origin>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Constants,
    Of(Side),
}

impl Origins {
    /// The origins of nodes, where `sides` has the side of each input.
    pub(super) fn of(graph: &RangedGraph, sides: &[Side]) -> Origins {
        let mut origins: Vec<Origin> = Vec::with_capacity(graph.count());
        for (_, node) in graph.nodes() {
            let mut origin = match node {
                RangedNode::Input { index, .. } => {
                    let side = sides.get(*index as usize);
                    Origin::Of(side.copied().unwrap_or(Side::Neither))
                }
                _ => Origin::Constants,
            };
            node.operands(|operand| {
                origin = match (origin, origins[operand.index()]) {
                    (Origin::Constants, other) | (other, Origin::Constants) => other,
                    (one, other) if one == other => one,
                    _ => Origin::Of(Side::Neither),
                };
            });
            origins.push(origin);
        }
        Origins(origins)
    }

    /// The side that a node depends on, if it depends on one side alone.
    pub(super) fn side(&self, id: RangedNodeId) -> Option<Side> {
        match self.0[id.index()] {
            Origin::Of(side @ (Side::Left | Side::Right)) => Some(side),
            _ => None,
        }
    }
}

/// Bits of one register that are assumed to be zeros.
#[derive(Clone, Copy)]
pub(super) struct ZeroBits<'g> {
    graph: &'g RangedGraph,
    register: RangedNodeId,
    bits: u128,
}

impl<'g> ZeroBits<'g> {
    /// The bits of a register that make up the node `field`, if the node is a field of an input or of
    /// a number of binary32.
    pub(super) fn of(graph: &'g RangedGraph, field: RangedNodeId) -> Option<ZeroBits<'g>> {
        let (of, most) = match *graph.node(field) {
            RangedNode::Wrap {
                of,
                width,
                signed: false,
            } => (of, width),
            _ => (field, 128),
        };
        let (of, by) = match *graph.node(of) {
            RangedNode::ShrConst(of, by) => (of, by),
            _ => (of, 0),
        };
        let width = match *graph.node(of) {
            RangedNode::Input { width, .. } => width,
            _ => graph.binary32(of).map(|_| u32::BITS)?,
        };
        let width = width.checked_sub(by)?.clamp(1, most);
        Some(ZeroBits {
            graph,
            register: of,
            bits: (u128::MAX >> (128 - width)) << by,
        })
    }

    /// Bits of one register that are zeros where the condition holds; `None` if no such bits are
    /// known.
    pub(super) fn implied(graph: &'g RangedGraph, condition: RangedNodeId) -> Option<ZeroBits<'g>> {
        match *graph.node(condition) {
            RangedNode::Eq(x, y) if *graph.node(x) == RangedNode::Const(0) => {
                ZeroBits::of(graph, y)
            }
            RangedNode::Eq(x, y) if *graph.node(y) == RangedNode::Const(0) => {
                ZeroBits::of(graph, x)
            }
            RangedNode::And(one, other) => {
                let parts = [one, other].into_iter().filter(|part| !part.negated);
                let parts = parts.filter_map(|part| ZeroBits::implied(graph, part.node));
                parts.reduce(|one, other| ZeroBits {
                    bits: one.bits
                        | if one.register == other.register {
                            other.bits
                        } else {
                            0
                        },
                    ..one
                })
            }
            _ => None,
        }
    }

    /// True if these are exactly these bits of the register.
    pub(super) fn are(&self, register: RangedNodeId, bits: u128) -> bool {
        (self.register, self.bits) == (register, bits)
    }

    /// The value of the node where all bits of this set are zeros; `None` if the value depends on
    /// other bits or is not known.
    pub(super) fn value(&self, id: RangedNodeId) -> Option<i128> {
        let field = ZeroBits::of(self.graph, id);
        if field
            .is_some_and(|field| field.register == self.register && field.bits & !self.bits == 0)
        {
            return Some(0);
        }
        match *self.graph.node(id) {
            RangedNode::Const(value) => Some(value),
            RangedNode::Select(c, then, otherwise) => {
                Some(if self.holds(c)? { then } else { otherwise })
            }
            RangedNode::Ite(c, then, otherwise) => {
                self.value(if self.holds(c)? { then } else { otherwise })
            }
            RangedNode::Sum(ref terms, constant) => terms.iter().try_fold(constant, |sum, term| {
                sum.checked_add(self.value(term.0)?.checked_mul(term.1)?)
            }),
            _ => None,
        }
    }

    fn holds(&self, condition: RangedNodeId) -> Option<bool> {
        match *self.graph.node(condition) {
            RangedNode::Eq(x, y) => Some(self.value(x)? == self.value(y)?),
            RangedNode::Lt(x, y) => Some(self.value(x)? < self.value(y)?),
            _ => None,
        }
    }
}
