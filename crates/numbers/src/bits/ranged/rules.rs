//! Constructors of nodes: they fold constants and use ranges. Every rule is an identity of
//! integers.

use super::graph::{RangedCondition, RangedGraph};
use super::node::{RangedLiteral, RangedNode, RangedNodeId};
use super::range::SignedRange;
use crate::bits::term::Bitwise;

impl RangedGraph {
    pub(super) fn mul(&mut self, a: RangedNodeId, b: RangedNodeId, width: u32) -> RangedNodeId {
        let (a, b) = (a.min(b), a.max(b));
        for (factor, of) in [(a, b), (b, a)] {
            if let Some(factor) = self.as_const(factor)
                && self
                    .range(of)
                    .times(factor)
                    .is_some_and(|range| range.bits() < 126)
            {
                return self.sum(&[(of, factor)], 0);
            }
        }
        let exact = self.range(a).product(&self.range(b));
        match exact.filter(|range| range.bits() < 126) {
            Some(range) => self.intern(RangedNode::Mul(a, b), range),
            None => self.intern(
                RangedNode::MulLow(a, b, width),
                SignedRange::unsigned(width),
            ),
        }
    }

    pub(super) fn ite(
        &mut self,
        cond: RangedCondition,
        then: RangedNodeId,
        otherwise: RangedNodeId,
    ) -> RangedNodeId {
        let RangedLiteral { node, negated } = match cond {
            RangedCondition::Const(true) => return then,
            RangedCondition::Const(false) => return otherwise,
            RangedCondition::Literal(literal) => literal,
        };
        let (then, otherwise) = if negated {
            (otherwise, then)
        } else {
            (then, otherwise)
        };
        let then = match *self.node(then) {
            RangedNode::Ite(inner, of, _) if inner == node => of,
            _ => then,
        };
        let otherwise = match *self.node(otherwise) {
            RangedNode::Ite(inner, _, of) if inner == node => of,
            _ => otherwise,
        };
        if then == otherwise {
            return then;
        }
        // The choice has one outcome if the second value is the constant wherever one part of the
        // conjunction holds.
        if let (RangedNode::And(one, other), Some(value)) = (self.node(node), self.as_const(then)) {
            let parts = [*one, *other];
            if parts
                .into_iter()
                .any(|part| self.value_where(part, otherwise) == Some(value))
            {
                return otherwise;
            }
        }
        if let (Some(then), Some(otherwise)) = (self.as_const(then), self.as_const(otherwise)) {
            return self.select(node, then, otherwise);
        }
        let (x, y) = (self.linear(then), self.linear(otherwise));
        if x.0 == y.0 {
            let chosen = self.select(node, x.1 - y.1, 0);
            return self.sum(&[(otherwise, 1), (chosen, 1)], 0);
        }
        let range = self.range_where(node, true, then);
        let range = range.union(&self.range_where(node, false, otherwise));
        self.intern(RangedNode::Ite(node, then, otherwise), range)
    }

    /// The value of `id` where the literal holds, if it is a constant there.
    fn value_where(&self, literal: RangedLiteral, id: RangedNodeId) -> Option<i128> {
        let of_literal = |condition| condition == literal.node;
        match *self.node(id) {
            RangedNode::Const(value) => Some(value),
            RangedNode::Select(condition, then, otherwise) if of_literal(condition) => {
                Some(if literal.negated { otherwise } else { then })
            }
            RangedNode::Ite(condition, then, otherwise) if of_literal(condition) => {
                let chosen = if literal.negated { otherwise } else { then };
                self.value_where(literal, chosen)
            }
            RangedNode::Sum(ref terms, constant) => match **terms {
                [(of, factor)] => Some(self.value_where(literal, of)? * factor + constant),
                _ => None,
            },
            _ => None,
        }
    }

    /// The range of `id` where the condition has the value `holds`.
    fn range_where(&self, condition: RangedNodeId, holds: bool, id: RangedNodeId) -> SignedRange {
        let range = self.range(id);
        let Some((of, implied)) = self.implied(condition, holds) else {
            return range;
        };
        let known = self.range(of).intersection(&implied);
        let ((terms, offset), (known_terms, known_offset)) = (self.linear(id), self.linear(of));
        let opposite = known_terms.iter().map(|(node, factor)| (*node, -factor));
        let moved = if terms == known_terms {
            known.plus(&SignedRange::point(offset - known_offset))
        } else if opposite.eq(terms.iter().copied()) {
            let negative = known.times(-1);
            negative.and_then(|range| range.plus(&SignedRange::point(offset + known_offset)))
        } else {
            None
        };
        moved.map_or(range, |moved| range.intersection(&moved))
    }

    pub(super) fn neg_if(&mut self, cond: RangedCondition, id: RangedNodeId) -> RangedNodeId {
        let RangedLiteral { node, negated } = match cond {
            RangedCondition::Const(true) => return self.sum(&[(id, -1)], 0),
            RangedCondition::Const(false) => return id,
            RangedCondition::Literal(literal) => literal,
        };
        if let Some(value) = self.as_const(id) {
            let (then, otherwise) = if negated {
                (value, -value)
            } else {
                (-value, value)
            };
            return self.select(node, then, otherwise);
        }
        if let RangedNode::NegIf(inner, of) = *self.node(id)
            && inner == node
        {
            return if negated {
                self.sum(&[(of, -1)], 0)
            } else {
                of
            };
        }
        let mut range = self.range(id);
        let negative = SignedRange {
            lo: -range.hi,
            hi: -range.lo,
        };
        let is_own_sign = matches!(*self.node(node), RangedNode::Lt(of, zero) if of == id && self.as_const(zero) == Some(0));
        range = range.union(&negative);
        if is_own_sign {
            range.lo = 0;
        }
        let made = self.intern(RangedNode::NegIf(node, id), range);
        if negated {
            self.sum(&[(made, -1)], 0)
        } else {
            made
        }
    }

    pub(super) fn max(&mut self, operands: &[RangedNodeId]) -> RangedNodeId {
        let mut all = operands.to_vec();
        all.sort_unstable();
        all.dedup();
        let lows = all.iter().map(|id| self.range(*id).lo);
        let floor = lows.max().unwrap_or_default();
        // `floor` is the greatest of the lower ends of the ranges. Operands that never exceed it
        // are dropped, except one operand that is never below it.
        let holder = all.iter().copied().find(|id| self.range(*id).lo == floor);
        all.retain(|id| self.range(*id).hi > floor || Some(*id) == holder);
        if let [only] = all[..] {
            return only;
        }
        let highs = all.iter().map(|id| self.range(*id).hi);
        let range = SignedRange {
            lo: floor,
            hi: highs.max().unwrap_or(floor),
        };
        self.intern(RangedNode::Max(all.into()), range)
    }

    /// A bitwise operation on numbers that are not negative.
    pub(super) fn bitwise(
        &mut self,
        op: Bitwise,
        a: RangedNodeId,
        b: RangedNodeId,
    ) -> RangedNodeId {
        let (a, b) = (a.min(b), a.max(b));
        for (constant, other) in [(a, b), (b, a)] {
            match (self.as_const(constant), op) {
                (Some(0), Bitwise::And) => return constant,
                (Some(0), _) => return other,
                (Some(mask), Bitwise::And) if mask & (mask + 1) == 0 => {
                    return self.wrap(other, mask.count_ones(), false);
                }
                _ => {}
            }
        }
        if a == b {
            return match op {
                Bitwise::And | Bitwise::Or => a,
                Bitwise::Xor => self.constant(0),
            };
        }
        let (x, y) = (self.range(a), self.range(b));
        let bits = match op {
            Bitwise::And => x.bits().min(y.bits()),
            Bitwise::Or | Bitwise::Xor => x.bits().max(y.bits()),
        };
        self.intern(RangedNode::Bitwise(op, a, b), SignedRange::unsigned(bits))
    }

    /// `of * 2^amount` modulo `2^width`.
    pub(super) fn shl(
        &mut self,
        of: RangedNodeId,
        amount: RangedNodeId,
        width: u32,
    ) -> RangedNodeId {
        if let Some(amount) = self.as_const(amount) {
            if amount >= i128::from(width) {
                return self.constant(0);
            }
            let low = self.wrap(of, width - amount as u32, false);
            return self.sum(&[(low, 1 << amount)], 0);
        }
        let (x, n) = (self.range(of), self.range(amount));
        let most = x.bits() as i128 + n.hi;
        if x.lo >= 0 && most <= i128::from(width) {
            let range = SignedRange {
                lo: x.lo << n.lo,
                hi: x.hi << n.hi,
            };
            return self.intern(RangedNode::Shl(of, amount, most as u32), range);
        }
        self.intern(
            RangedNode::Shl(of, amount, width),
            SignedRange::unsigned(width),
        )
    }

    /// `of / 2^amount`, rounded down.
    pub(super) fn shr(&mut self, of: RangedNodeId, amount: RangedNodeId) -> RangedNodeId {
        if let Some(amount) = self.as_const(amount) {
            return self.shr_const(of, amount.min(127) as u32);
        }
        let range = self.range(of).shifted_down(&self.range(amount));
        self.intern(RangedNode::Shr(of, amount), range)
    }

    /// The number of leading zeros of `of`, which is not negative, in `width` bits.
    pub(super) fn zeros(&mut self, of: RangedNodeId, width: u32) -> RangedNodeId {
        let range = self.range(of);
        let zeros = |value: i128| i128::from(width) - i128::from(SignedRange::point(value).bits());
        let range = SignedRange {
            lo: zeros(range.hi),
            hi: zeros(range.lo),
        };
        self.intern(RangedNode::Zeros(of, width), range)
    }
}
