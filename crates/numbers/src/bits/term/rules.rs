//! Constructors of the nodes of a term graph. They fold constants, use the ranges of operands, and
//! bring equal values into the same form, so that they become the same node.
//!
//! Every rule is an identity of integers; the tests compare the results of each constructor with
//! those of [`Big`](crate::bits::Big).

use super::graph::{Bitwise, Connective, Formula, Graph, Node, NodeId};
use super::range::Interval;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

impl Graph {
    pub(super) fn input(&mut self, index: u32, width: u32) -> NodeId {
        self.intern(Node::Input { index, width }, Interval::unsigned(width))
    }

    /// The node that is 1 where `formula` holds, and 0 elsewhere.
    pub(super) fn bool_node(&mut self, formula: Formula) -> NodeId {
        match formula.as_constant() {
            Some(value) => self.constant(BigInt::from(u8::from(value))),
            None => self.intern(Node::Bool(formula), Interval::unsigned(1)),
        }
    }

    pub(super) fn mul(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if let Some(factor) = self.as_const(a).cloned() {
            return self.scale(b, factor);
        }
        if let Some(factor) = self.as_const(b).cloned() {
            return self.scale(a, factor);
        }
        let range = self.range(a).mul(self.range(b));
        self.intern(Node::Mul(a.min(b), a.max(b)), range)
    }

    pub(super) fn ite(&mut self, cond: Formula, then: NodeId, otherwise: NodeId) -> NodeId {
        if let Some(value) = cond.as_constant() {
            return if value { then } else { otherwise };
        }
        if cond.is_negated() {
            return self.ite(cond.negated(), otherwise, then);
        }
        let then = self.assume(cond, true, then);
        let otherwise = self.assume(cond, false, otherwise);
        if then == otherwise {
            return then;
        }
        let minus_one = BigInt::from(-1);
        // If the two values differ by a constant, the choice is `otherwise + difference * [cond]`.
        let difference = self.sum(
            [(then, BigInt::one()), (otherwise, minus_one.clone())],
            BigInt::zero(),
        );
        if let Some(difference) = self.as_const(difference).cloned() {
            let chosen = self.bool_node(cond);
            return self.sum(
                [(otherwise, BigInt::one()), (chosen, difference)],
                BigInt::zero(),
            );
        }
        if self.scale(otherwise, minus_one.clone()) == then {
            return self.neg_if(cond, otherwise);
        }
        if self.scale(then, minus_one) == otherwise {
            return self.neg_if(cond.negated(), then);
        }
        let range = self.range(then).union(&self.range_unless(cond, otherwise));
        self.intern(Node::Ite(cond, then, otherwise), range)
    }

    /// The range of `node` where `cond` does not hold. If `cond` is the equation "node = least
    /// value", the least value is excluded; for example, an exponent field that is not 0 is at
    /// least 1.
    fn range_unless(&self, cond: Formula, node: NodeId) -> Interval {
        let range = self.range(node).clone();
        if let Connective::Eq(a, b) = *self.connective(cond) {
            let least = self.as_const(a).or(self.as_const(b));
            // If `node` is a constant, excluding its only value would leave an empty range.
            let is_choice = (a == node || b == node) && range.single().is_none();
            if is_choice && least == Some(&range.lo) {
                return Interval::new(range.lo + 1, range.hi);
            }
        }
        range
    }

    /// If `node` is a choice by `cond`, the alternative that it takes where `cond` is `value`;
    /// otherwise `node`.
    fn assume(&self, cond: Formula, value: bool, node: NodeId) -> NodeId {
        match self.node(node) {
            Node::Ite(inner, then, otherwise) if *inner == cond => {
                if value {
                    *then
                } else {
                    *otherwise
                }
            }
            _ => node,
        }
    }

    pub(super) fn neg_if(&mut self, cond: Formula, node: NodeId) -> NodeId {
        if let Some(value) = cond.as_constant() {
            return if value {
                self.scale(node, BigInt::from(-1))
            } else {
                node
            };
        }
        if let Some(value) = self.as_const(node).cloned() {
            // The result is `value - 2 * value * [cond]`.
            let chosen = self.bool_node(cond);
            return self.sum([(chosen, &value * -2)], value);
        }
        let (atom, coefficient, offset) = self.affine(node);
        let is_scaled = !coefficient.is_one() && offset.is_zero();
        if cond == self.sign(node) {
            // |coefficient * atom| = |coefficient| * |atom|.
            if is_scaled {
                let sign = self.sign(atom);
                let magnitude = self.neg_if(sign, atom);
                return self.scale(magnitude, coefficient.abs());
            }
            if let Node::NegIf(_, of) = *self.node(node)
                && self.range(of).is_unsigned()
            {
                return of;
            }
            let mut range = self.range(node).symmetric();
            range.lo = BigInt::zero();
            return self.intern(Node::NegIf(cond, node), range);
        }
        if let Node::NegIf(inner, of) = *self.node(node) {
            let cond = self.xor(cond, inner);
            return self.neg_if(cond, of);
        }
        if is_scaled {
            let chosen = self.neg_if(cond, atom);
            return self.scale(chosen, coefficient);
        }
        if cond.is_negated() {
            let opposite = self.neg_if(cond.negated(), node);
            return self.scale(opposite, BigInt::from(-1));
        }
        let range = self.range(node).symmetric();
        self.intern(Node::NegIf(cond, node), range)
    }

    pub(super) fn max(&mut self, operands: &[NodeId]) -> NodeId {
        let mut flat = Vec::with_capacity(operands.len());
        for &operand in operands {
            match self.node(operand) {
                Node::Max(inner) => flat.extend_from_slice(inner),
                _ => flat.push(operand),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        // Drop the operands that never exceed `floor`, the greatest of all lower bounds. Keep one
        // operand whose lower bound is `floor`, so that the maximum is never less.
        let floor = flat
            .iter()
            .map(|&n| self.range(n).lo.clone())
            .max()
            .unwrap_or_default();
        let holders = flat.iter().copied().filter(|&n| self.range(n).lo == floor);
        let holder = holders.max_by_key(|&n| &self.range(n).hi);
        flat.retain(|&n| self.range(n).hi > floor || Some(n) == holder);
        if let [only] = flat[..] {
            return only;
        }
        let hi = flat
            .iter()
            .map(|&n| self.range(n).hi.clone())
            .max()
            .unwrap_or_default();
        self.intern(Node::Max(flat.into()), Interval::new(floor, hi))
    }

    /// A bitwise operation on unsigned nodes.
    pub(super) fn bitwise(&mut self, op: Bitwise, a: NodeId, b: NodeId) -> NodeId {
        if a == b {
            return match op {
                Bitwise::And | Bitwise::Or => a,
                Bitwise::Xor => self.constant(BigInt::zero()),
            };
        }
        let (a, b) = (a.min(b), a.max(b));
        for (constant, other) in [(a, b), (b, a)] {
            if self.is_zero(constant) {
                return if op == Bitwise::And { constant } else { other };
            }
        }
        let (bits_a, bits_b) = (self.range(a).bits(), self.range(b).bits());
        let bits = if op == Bitwise::And {
            bits_a.min(bits_b)
        } else {
            bits_a.max(bits_b)
        };
        self.intern(Node::Bitwise(op, a, b), Interval::unsigned(bits))
    }
}
