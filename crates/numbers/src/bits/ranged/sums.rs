//! Sums, and parts of sums: shifts and truncations by constants.

use super::graph::RangedGraph;
use super::node::{RangedNode, RangedNodeId};
use super::range::SignedRange;

/// A linear form: nodes with coefficients, and a constant.
pub type LinearForm = (Vec<(RangedNodeId, i128)>, i128);

/// The most terms of a sum whose terms are scaled one by one where the whole sum is.
const MOST_SCALED: usize = 2;

impl RangedGraph {
    /// The node as a linear form; a node that is not a sum has itself as its only term.
    pub fn linear(&self, id: RangedNodeId) -> LinearForm {
        match self.node(id) {
            RangedNode::Const(value) => (Vec::new(), *value),
            RangedNode::Sum(terms, constant) => (terms.to_vec(), *constant),
            _ => (vec![(id, 1)], 0),
        }
    }

    /// The sum of nodes times coefficients, and of a constant. If there are several parts, a part
    /// that is itself a sum of several terms is not flattened: either other nodes need that sum
    /// too, or the whole costs no more this way. Neither is a sum of many terms that is scaled.
    pub(super) fn sum(&mut self, parts: &[(RangedNodeId, i128)], constant: i128) -> RangedNodeId {
        let flat = self.flattened(parts, constant);
        let (terms, constant) = flat.unwrap_or_else(|| (parts.to_vec(), constant));
        self.sum_of((terms, constant))
    }

    fn flattened(&self, parts: &[(RangedNodeId, i128)], constant: i128) -> Option<LinearForm> {
        let variables = parts.iter().filter(|(id, _)| self.as_const(*id).is_none());
        let alone = variables.count() <= 1;
        let (mut terms, mut total): LinearForm = (Vec::new(), constant);
        for &(id, factor) in parts {
            let (inner, offset) = self.linear(id);
            let is_scaled = factor.unsigned_abs() != 1;
            if inner.len() <= 1 || alone && !(is_scaled && inner.len() > MOST_SCALED) {
                total = total.checked_add(offset.checked_mul(factor)?)?;
                for (node, coefficient) in inner {
                    terms.push((node, coefficient.checked_mul(factor)?));
                }
            } else {
                terms.push((id, factor));
            }
        }
        let form = (terms, total);
        self.range_of(&form).map(|_| form)
    }

    /// The range of a linear form; `None` if an end does not fit `i128`.
    fn range_of(&self, (terms, constant): &LinearForm) -> Option<SignedRange> {
        let mut range = SignedRange::point(*constant);
        for (node, coefficient) in terms {
            range = range.plus(&self.range(*node).times(*coefficient)?)?;
        }
        Some(range)
    }

    /// The node of a linear form. If its range does not fit `i128`, the graph is marked as
    /// overflowed.
    fn sum_of(&mut self, (mut terms, constant): LinearForm) -> RangedNodeId {
        terms.sort_unstable_by_key(|(node, _)| *node);
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        terms.retain(|(_, coefficient)| *coefficient != 0);
        match terms[..] {
            [] => return self.constant(constant),
            [(node, 1)] if constant == 0 => return node,
            [(node, factor)] => {
                if let RangedNode::Select(condition, then, otherwise) = *self.node(node) {
                    let [then, otherwise] =
                        [then, otherwise].map(|value| value * factor + constant);
                    return self.select(condition, then, otherwise);
                }
            }
            _ => {}
        }
        let form = (terms, constant);
        let Some(mut range) = self.range_of(&form) else {
            self.overflowed = true;
            return self.constant(0);
        };
        // A maximum minus one of its operands is not negative.
        if self.distance(&form.0, constant).is_some() {
            range.lo = range.lo.max(0);
        }
        self.intern(RangedNode::Sum(form.0.into(), constant), range)
    }

    /// If the linear form is a maximum minus one of its operands: the maximum and this operand.
    pub fn distance(
        &self,
        terms: &[(RangedNodeId, i128)],
        constant: i128,
    ) -> Option<(RangedNodeId, RangedNodeId)> {
        let (greatest, of) = match *terms {
            [(a, 1), (b, -1)] => (a, b),
            [(a, -1), (b, 1)] => (b, a),
            _ => return None,
        };
        let RangedNode::Max(all) = self.node(greatest) else {
            return None;
        };
        let is_like =
            |operand: &&RangedNodeId| self.linear(**operand) == (vec![(of, 1)], -constant);
        Some((greatest, *all.iter().find(is_like)?))
    }

    /// The first constant where the node `condition` is true, else the second constant.
    pub(super) fn select(
        &mut self,
        condition: RangedNodeId,
        then: i128,
        otherwise: i128,
    ) -> RangedNodeId {
        let range = SignedRange::point(then).union(&SignedRange::point(otherwise));
        self.intern(RangedNode::Select(condition, then, otherwise), range)
    }

    /// The node divided by `2^amount`, rounded down.
    pub(super) fn shr_const(&mut self, id: RangedNodeId, amount: u32) -> RangedNodeId {
        if amount == 0 {
            return id;
        }
        let by = amount.min(127);
        match self.node(id).clone() {
            RangedNode::Const(value) => return self.constant(value >> by),
            RangedNode::Select(condition, then, otherwise) => {
                return self.select(condition, then >> by, otherwise >> by);
            }
            RangedNode::ShrConst(of, inner) => return self.shr_const(of, inner + amount),
            RangedNode::Sum(terms, constant) if by < 126 => {
                // If the quotient of the other terms is the same for all inputs, the terms that are
                // multiples of `unit` are divided exactly.
                let unit = 1i128 << by;
                let is_multiple = |(_, coefficient): &(RangedNodeId, i128)| coefficient % unit == 0;
                let (whole, rest): (Vec<_>, Vec<_>) = terms.iter().copied().partition(is_multiple);
                let divided = |(node, coefficient)| (node, coefficient >> by);
                let whole: Vec<_> = whole.into_iter().map(divided).collect();
                if let Some(range) = self.range_of(&(rest, constant))
                    && range.lo >> by == range.hi >> by
                {
                    return self.sum(&whole, range.lo >> by);
                }
                // Zeros below all terms are dropped first, so that the terms stay narrow.
                let zeros = self.zeros_below(&terms, constant).min(by);
                if zeros > 0 {
                    let terms: Vec<_> = terms
                        .iter()
                        .map(|term| self.divided(*term, zeros))
                        .collect();
                    let narrow = self.sum(&terms, constant >> zeros);
                    return self.shr_const(narrow, by - zeros);
                }
            }
            _ => {}
        }
        let range = self
            .range(id)
            .shifted_down(&SignedRange::point(i128::from(amount)));
        self.intern(RangedNode::ShrConst(id, amount), range)
    }

    /// The number of zeros below every term and the constant, for all inputs.
    fn zeros_below(&self, terms: &[(RangedNodeId, i128)], constant: i128) -> u32 {
        let below = |(node, coefficient): &(RangedNodeId, i128)| match *self.node(*node) {
            RangedNode::Select(_, then, otherwise) => {
                coefficient.trailing_zeros() + (then | otherwise).trailing_zeros()
            }
            _ => coefficient.trailing_zeros(),
        };
        let least = terms.iter().map(below).min();
        least.unwrap_or(0).min(constant.trailing_zeros())
    }

    /// The term divided by `2^zeros`, where [`zeros_below`](Self::zeros_below) has found as many.
    fn divided(
        &mut self,
        (node, coefficient): (RangedNodeId, i128),
        zeros: u32,
    ) -> (RangedNodeId, i128) {
        match *self.node(node) {
            RangedNode::Select(condition, then, otherwise) => {
                let own = coefficient.trailing_zeros().min(zeros);
                let [then, otherwise] = [then, otherwise].map(|value| value >> (zeros - own));
                let chosen = self.select(condition, then, otherwise);
                (chosen, coefficient >> own)
            }
            _ => (node, coefficient >> zeros),
        }
    }

    /// The node modulo `2^width`: the unsigned number, or the two's complement one if `signed`.
    pub(super) fn wrap(&mut self, id: RangedNodeId, width: u32, signed: bool) -> RangedNodeId {
        let wanted = if signed {
            SignedRange::signed(width)
        } else {
            SignedRange::unsigned(width)
        };
        if wanted.contains(&self.range(id)) {
            return id;
        }
        let residue = |value: i128| {
            let low = value & ((1 << width) - 1);
            if signed && low >> (width - 1) == 1 {
                low - (1 << width)
            } else {
                low
            }
        };
        match self.node(id).clone() {
            RangedNode::Const(value) => return self.constant(residue(value)),
            RangedNode::Select(condition, then, otherwise) => {
                return self.select(condition, residue(then), residue(otherwise));
            }
            RangedNode::Wrap {
                of, width: inner, ..
            } if width <= inner => return self.wrap(of, width, signed),
            RangedNode::Sum(terms, constant) => {
                let unit = 1i128 << width;
                let mut kept = terms.to_vec();
                kept.retain(|(_, coefficient)| coefficient % unit != 0);
                for low in [residue(constant), residue(constant) - unit, constant] {
                    let form = (kept.clone(), low);
                    if self
                        .range_of(&form)
                        .is_some_and(|range| wanted.contains(&range))
                    {
                        return self.sum(&form.0, low);
                    }
                }
                if kept.len() < terms.len() {
                    let rest = self.sum(&kept, residue(constant));
                    return self.wrap(rest, width, signed);
                }
            }
            _ => {}
        }
        let node = RangedNode::Wrap {
            of: id,
            width,
            signed,
        };
        self.intern(node, wanted)
    }
}
