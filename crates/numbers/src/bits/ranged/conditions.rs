//! Constructors of truth values.

use super::graph::{RangedCondition, RangedGraph};
use super::node::{RangedLiteral, RangedNode, RangedNodeId};
use super::range::SignedRange;

impl RangedGraph {
    /// Whether two integers are equal.
    pub(super) fn eq(&mut self, a: RangedNodeId, b: RangedNodeId) -> RangedCondition {
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return RangedCondition::TRUE;
        }
        let (x, y) = (self.range(a), self.range(b));
        if x.hi < y.lo || y.hi < x.lo {
            return RangedCondition::FALSE;
        }
        for (constant, of) in [(a, b), (b, a)] {
            if let Some(value) = self.as_const(constant) {
                return self.is(of, value);
            }
        }
        self.truth(RangedNode::Eq(a, b))
    }

    /// Whether an integer equals `value`, which lies in the range of the integer.
    fn is(&mut self, of: RangedNodeId, value: i128) -> RangedCondition {
        match *self.node(of) {
            RangedNode::Const(constant) => return RangedCondition::Const(constant == value),
            RangedNode::Select(node, then, otherwise) => {
                let holds = RangedCondition::Literal(RangedLiteral {
                    node,
                    negated: false,
                });
                return match (then == value, otherwise == value) {
                    (true, true) => RangedCondition::TRUE,
                    (true, false) => holds,
                    (false, true) => holds.not(),
                    (false, false) => RangedCondition::FALSE,
                };
            }
            RangedNode::NegIf(_, inner) if value == 0 => return self.zero(inner),
            RangedNode::Sum(ref terms, constant) => {
                if let [(inner, factor)] = **terms {
                    let rest = value - constant;
                    return match rest % factor {
                        0 => {
                            let value = self.constant(rest / factor);
                            self.eq(inner, value)
                        }
                        _ => RangedCondition::FALSE,
                    };
                }
            }
            _ => {}
        }
        let value = self.constant(value);
        self.truth(RangedNode::Eq(of.min(value), of.max(value)))
    }

    fn zero(&mut self, of: RangedNodeId) -> RangedCondition {
        let zero = self.constant(0);
        self.eq(of, zero)
    }

    /// Whether `a` is less than `b`.
    pub(super) fn lt(&mut self, a: RangedNodeId, b: RangedNodeId) -> RangedCondition {
        let (x, y) = (self.range(a), self.range(b));
        if x.hi < y.lo {
            return RangedCondition::TRUE;
        }
        if a == b || x.lo >= y.hi {
            return RangedCondition::FALSE;
        }
        // Only the least value of `a` is below the constant `b`.
        if x.lo == y.hi - 1 && self.as_const(b).is_some() {
            let least = self.constant(x.lo);
            return self.eq(a, least);
        }
        self.truth(RangedNode::Lt(a, b))
    }

    /// The bit `index` of an integer that stands for a bit-vector of `width` bits.
    pub(super) fn bit(&mut self, id: RangedNodeId, index: u32, width: u32) -> RangedCondition {
        if index + 1 == width && self.range(id).is_signed() {
            let signed = self.wrap(id, width, true);
            let zero = self.constant(0);
            return self.lt(signed, zero);
        }
        let above = self.shr_const(id, index);
        let bit = self.wrap(above, 1, false);
        match *self.node(bit) {
            RangedNode::Const(value) => RangedCondition::Const(value == 1),
            // A right shift that leaves one bit gives the highest bit of an unsigned number.
            RangedNode::ShrConst(of, index) => self.truth(RangedNode::Bit(of, index)),
            RangedNode::Wrap { of, .. } => match *self.node(of) {
                RangedNode::ShrConst(of, index) => self.truth(RangedNode::Bit(of, index)),
                _ => self.truth(RangedNode::Bit(of, 0)),
            },
            _ => self.is(bit, 1),
        }
    }

    /// Whether a right shift of `of`, which is not negative, by `amount` loses a one.
    pub(super) fn lost(&mut self, of: RangedNodeId, amount: RangedNodeId) -> RangedCondition {
        if self.range(amount) == SignedRange::point(0) || self.range(of) == SignedRange::point(0) {
            return RangedCondition::FALSE;
        }
        self.truth(RangedNode::Lost(of, amount))
    }

    pub(super) fn and(&mut self, a: RangedCondition, b: RangedCondition) -> RangedCondition {
        let (a, b) = match (a, b) {
            (RangedCondition::Const(false), _) | (_, RangedCondition::Const(false)) => {
                return RangedCondition::FALSE;
            }
            (RangedCondition::Const(true), other) | (other, RangedCondition::Const(true)) => {
                return other;
            }
            (RangedCondition::Literal(a), RangedCondition::Literal(b)) => (a.min(b), a.max(b)),
        };
        if a == b {
            return RangedCondition::Literal(a);
        }
        if a.node == b.node {
            return RangedCondition::FALSE;
        }
        self.truth(RangedNode::And(a, b))
    }

    pub(super) fn xor(&mut self, a: RangedCondition, b: RangedCondition) -> RangedCondition {
        let (a, b) = match (a, b) {
            (RangedCondition::Const(value), other) | (other, RangedCondition::Const(value)) => {
                return if value { other.not() } else { other };
            }
            (RangedCondition::Literal(a), RangedCondition::Literal(b)) => (a, b),
        };
        let negated = a.negated != b.negated;
        if a.node == b.node {
            return RangedCondition::Const(negated);
        }
        let (low, high) = (a.node.min(b.node), a.node.max(b.node));
        match (self.truth(RangedNode::Xor(low, high)), negated) {
            (same, false) => same,
            (other, true) => other.not(),
        }
    }

    pub(super) fn choose(
        &mut self,
        c: RangedCondition,
        a: RangedCondition,
        b: RangedCondition,
    ) -> RangedCondition {
        let RangedLiteral { node, negated } = match c {
            RangedCondition::Const(value) => return if value { a } else { b },
            RangedCondition::Literal(literal) => literal,
        };
        let (a, b) = if negated { (b, a) } else { (a, b) };
        if a == b {
            return a;
        }
        let c = RangedCondition::Literal(RangedLiteral {
            node,
            negated: false,
        });
        match (a, b) {
            (RangedCondition::Const(true), _) => self.and(c.not(), b.not()).not(),
            (RangedCondition::Const(false), _) => self.and(c.not(), b),
            (_, RangedCondition::Const(true)) => self.and(c, a.not()).not(),
            (_, RangedCondition::Const(false)) => self.and(c, a),
            (RangedCondition::Literal(a), RangedCondition::Literal(b)) => {
                self.truth(RangedNode::Choose(node, a, b))
            }
        }
    }
}
