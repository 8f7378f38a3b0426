//! Constructors of truth values.

use super::graph::{Condition, Graph};
use super::node::{Literal, Node, NodeId};
use super::range::Range;

impl Graph {
    /// Whether two integers are equal.
    pub(super) fn eq(&mut self, a: NodeId, b: NodeId) -> Condition {
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return Condition::TRUE;
        }
        let (x, y) = (self.range(a), self.range(b));
        if x.hi < y.lo || y.hi < x.lo {
            return Condition::FALSE;
        }
        for (constant, of) in [(a, b), (b, a)] {
            if let Some(value) = self.as_const(constant) {
                return self.is(of, value);
            }
        }
        self.truth(Node::Eq(a, b))
    }

    /// Whether an integer equals `value`, which lies in the range of the integer.
    fn is(&mut self, of: NodeId, value: i128) -> Condition {
        match *self.node(of) {
            Node::Const(constant) => return Condition::Const(constant == value),
            Node::Select(node, then, otherwise) => {
                let holds = Condition::Literal(Literal {
                    node,
                    negated: false,
                });
                return match (then == value, otherwise == value) {
                    (true, true) => Condition::TRUE,
                    (true, false) => holds,
                    (false, true) => holds.not(),
                    (false, false) => Condition::FALSE,
                };
            }
            Node::NegIf(_, inner) if value == 0 => return self.zero(inner),
            Node::Sum(ref terms, constant) => {
                if let [(inner, factor)] = **terms {
                    let rest = value - constant;
                    return match rest % factor {
                        0 => {
                            let value = self.constant(rest / factor);
                            self.eq(inner, value)
                        }
                        _ => Condition::FALSE,
                    };
                }
            }
            _ => {}
        }
        let value = self.constant(value);
        self.truth(Node::Eq(of.min(value), of.max(value)))
    }

    fn zero(&mut self, of: NodeId) -> Condition {
        let zero = self.constant(0);
        self.eq(of, zero)
    }

    /// Whether `a` is less than `b`.
    pub(super) fn lt(&mut self, a: NodeId, b: NodeId) -> Condition {
        let (x, y) = (self.range(a), self.range(b));
        if x.hi < y.lo {
            return Condition::TRUE;
        }
        if a == b || x.lo >= y.hi {
            return Condition::FALSE;
        }
        // Only the least value of `a` is below the constant `b`.
        if x.lo == y.hi - 1 && self.as_const(b).is_some() {
            let least = self.constant(x.lo);
            return self.eq(a, least);
        }
        self.truth(Node::Lt(a, b))
    }

    /// The bit `index` of an integer that stands for a bit-vector of `width` bits.
    pub(super) fn bit(&mut self, id: NodeId, index: u32, width: u32) -> Condition {
        if index + 1 == width && self.range(id).is_signed() {
            let signed = self.wrap(id, width, true);
            let zero = self.constant(0);
            return self.lt(signed, zero);
        }
        let above = self.shr_const(id, index);
        let bit = self.wrap(above, 1, false);
        match *self.node(bit) {
            Node::Const(value) => Condition::Const(value == 1),
            // A right shift that leaves one bit gives the highest bit of an unsigned number.
            Node::ShrConst(of, index) => self.truth(Node::Bit(of, index)),
            Node::Wrap { of, .. } => match *self.node(of) {
                Node::ShrConst(of, index) => self.truth(Node::Bit(of, index)),
                _ => self.truth(Node::Bit(of, 0)),
            },
            _ => self.is(bit, 1),
        }
    }

    /// Whether a right shift of `of`, which is not negative, by `amount` loses a one.
    pub(super) fn lost(&mut self, of: NodeId, amount: NodeId) -> Condition {
        if self.range(amount) == Range::point(0) || self.range(of) == Range::point(0) {
            return Condition::FALSE;
        }
        self.truth(Node::Lost(of, amount))
    }

    pub(super) fn and(&mut self, a: Condition, b: Condition) -> Condition {
        let (a, b) = match (a, b) {
            (Condition::Const(false), _) | (_, Condition::Const(false)) => return Condition::FALSE,
            (Condition::Const(true), other) | (other, Condition::Const(true)) => return other,
            (Condition::Literal(a), Condition::Literal(b)) => (a.min(b), a.max(b)),
        };
        if a == b {
            return Condition::Literal(a);
        }
        if a.node == b.node {
            return Condition::FALSE;
        }
        self.truth(Node::And(a, b))
    }

    pub(super) fn xor(&mut self, a: Condition, b: Condition) -> Condition {
        let (a, b) = match (a, b) {
            (Condition::Const(value), other) | (other, Condition::Const(value)) => {
                return if value { other.not() } else { other };
            }
            (Condition::Literal(a), Condition::Literal(b)) => (a, b),
        };
        let negated = a.negated != b.negated;
        if a.node == b.node {
            return Condition::Const(negated);
        }
        let (low, high) = (a.node.min(b.node), a.node.max(b.node));
        match (self.truth(Node::Xor(low, high)), negated) {
            (same, false) => same,
            (other, true) => other.not(),
        }
    }

    pub(super) fn choose(&mut self, c: Condition, a: Condition, b: Condition) -> Condition {
        let Literal { node, negated } = match c {
            Condition::Const(value) => return if value { a } else { b },
            Condition::Literal(literal) => literal,
        };
        let (a, b) = if negated { (b, a) } else { (a, b) };
        if a == b {
            return a;
        }
        let c = Condition::Literal(Literal {
            node,
            negated: false,
        });
        match (a, b) {
            (Condition::Const(true), _) => self.and(c.not(), b.not()).not(),
            (Condition::Const(false), _) => self.and(c.not(), b),
            (_, Condition::Const(true)) => self.and(c, a.not()).not(),
            (_, Condition::Const(false)) => self.and(c, a),
            (Condition::Literal(a), Condition::Literal(b)) => self.truth(Node::Choose(node, a, b)),
        }
    }
}
