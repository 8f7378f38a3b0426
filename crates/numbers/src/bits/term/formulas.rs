//! Constructors of formulas: each simplifies its result.

use super::graph::{Connective, Formula, Graph, Node, NodeId};
use super::range::{Interval, power};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

impl Formula {
    /// The constant `value`.
    pub(super) fn constant(value: bool) -> Formula {
        if value { Formula::TRUE } else { Formula::FALSE }
    }
}

impl Graph {
    /// The conjunction of `parts`. Nested conjunctions are flattened and operands sorted, so that
    /// any order of the same parts gives one formula.
    pub(super) fn all(&mut self, parts: &[Formula]) -> Formula {
        let mut flat = Vec::with_capacity(parts.len());
        for &part in parts {
            match self.connective(part) {
                Connective::And(inner) if !part.is_negated() => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.retain(|&part| part != Formula::TRUE);
        flat.sort_unstable();
        flat.dedup();
        let contradicts = flat.windows(2).any(|pair| pair[0].negated() == pair[1]);
        if contradicts || flat.contains(&Formula::FALSE) {
            return Formula::FALSE;
        }
        match flat[..] {
            [] => Formula::TRUE,
            [only] => only,
            _ => self.intern_formula(Connective::And(flat.into())),
        }
    }

    pub(super) fn any(&mut self, parts: &[Formula]) -> Formula {
        let negated: Vec<_> = parts.iter().map(|part| part.negated()).collect();
        self.all(&negated).negated()
    }

    pub(super) fn xor(&mut self, a: Formula, b: Formula) -> Formula {
        let flip = a.is_negated() != b.is_negated();
        let (a, b) = (a.without_sign(), b.without_sign());
        let result = if a == b {
            Formula::FALSE
        } else if a == Formula::TRUE {
            b.negated()
        } else if b == Formula::TRUE {
            a.negated()
        } else {
            self.intern_formula(Connective::Xor(a.min(b), a.max(b)))
        };
        if flip { result.negated() } else { result }
    }

    pub(super) fn choose(&mut self, cond: Formula, then: Formula, otherwise: Formula) -> Formula {
        if cond.is_negated() {
            return self.choose(cond.negated(), otherwise, then);
        }
        if then == otherwise || cond == Formula::TRUE {
            return then;
        }
        if then == otherwise.negated() {
            return self.xor(cond, otherwise);
        }
        if then.as_constant().is_some() || otherwise.as_constant().is_some() {
            let chosen = self.all(&[cond, then]);
            let other = self.all(&[cond.negated(), otherwise]);
            return self.any(&[chosen, other]);
        }
        if then.is_negated() {
            return self
                .choose(cond, then.negated(), otherwise.negated())
                .negated();
        }
        self.intern_formula(Connective::Ite(cond, then, otherwise))
    }

    /// Whether two integers are equal.
    pub(super) fn eq(&mut self, a: NodeId, b: NodeId) -> Formula {
        if a == b {
            return Formula::TRUE;
        }
        if self.range(a).is_disjoint(self.range(b)) {
            return Formula::FALSE;
        }
        let (a, b) = (a.min(b), a.max(b));
        if let Some(value) = self.as_const(a).cloned() {
            return self.eq_constant(b, &value);
        }
        if let Some(value) = self.as_const(b).cloned() {
            return self.eq_constant(a, &value);
        }
        if let (
            &Node::Concat {
                high,
                low,
                low_width,
            },
            &Node::Concat {
                high: other_high,
                low: other_low,
                low_width: other_width,
            },
        ) = (self.node(a), self.node(b))
            && low_width == other_width
        {
            let parts = [self.eq(high, other_high), self.eq(low, other_low)];
            return self.all(&parts);
        }
        let difference = self.sum([(a, BigInt::one()), (b, BigInt::from(-1))], BigInt::zero());
        let range = self.range(difference);
        if range.lo.is_positive() || range.hi.is_negative() {
            return Formula::FALSE;
        }
        self.intern_formula(Connective::Eq(a, b))
    }

    fn eq_constant(&mut self, node: NodeId, value: &BigInt) -> Formula {
        let (atom, coefficient, offset) = self.affine(node);
        if atom != node {
            let (quotient, remainder) = (value - offset).div_rem(&coefficient);
            return if remainder.is_zero() {
                let quotient = self.constant(quotient);
                self.eq(atom, quotient)
            } else {
                Formula::FALSE
            };
        }
        match *self.node(node) {
            Node::Bool(formula) if value.is_one() => formula,
            Node::Bool(formula) => formula.negated(),
            Node::Concat {
                high,
                low,
                low_width,
            } => {
                let (quotient, remainder) = value.div_mod_floor(&power(low_width));
                let (quotient, remainder) = (self.constant(quotient), self.constant(remainder));
                let parts = [self.eq(high, quotient), self.eq(low, remainder)];
                self.all(&parts)
            }
            _ => {
                let constant = self.constant(value.clone());
                self.intern_formula(Connective::Eq(node.min(constant), node.max(constant)))
            }
        }
    }

    /// Whether the integer `a` is less than `b`.
    pub(super) fn lt(&mut self, a: NodeId, b: NodeId) -> Formula {
        let (range_a, range_b) = (self.range(a), self.range(b));
        if range_a.hi < range_b.lo {
            return Formula::TRUE;
        }
        if range_a.lo >= range_b.hi || a == b {
            return Formula::FALSE;
        }
        // Only the least value of `a` is below the constant `b`, or only the greatest value of `b`
        // is above the constant `a`.
        if range_b.single().is_some() && &range_a.lo + 1 == range_b.lo {
            let least = self.constant(range_a.lo.clone());
            return self.eq(a, least);
        }
        if range_a.single().is_some() && range_a.hi == &range_b.hi - 1 {
            let greatest = self.constant(range_b.hi.clone());
            return self.eq(b, greatest);
        }
        let difference = self.sum([(a, BigInt::one()), (b, BigInt::from(-1))], BigInt::zero());
        let range = self.range(difference).clone();
        if range.hi.is_negative() {
            return Formula::TRUE;
        }
        if !range.lo.is_negative() {
            return Formula::FALSE;
        }
        self.intern_formula(Connective::Lt(a, b))
    }

    /// Bit `index` of the two's complement representation of a node.
    pub(super) fn bit(&mut self, node: NodeId, index: u32) -> Formula {
        let range = self.range(node);
        if let Some(value) = range.single() {
            return Formula::constant(value.bit(u64::from(index)));
        }
        if index >= range.bits() {
            if range.is_unsigned() {
                return Formula::FALSE;
            }
            if range.hi.is_negative() {
                return Formula::TRUE;
            }
        }
        // Two's complement repeats the sign above the magnitude.
        let index = index.min(range.bits());
        if !range.is_unsigned() && index == range.bits() {
            return self.sign(node);
        }
        if Interval::new(power(index), power(index + 1) - 1).contains(range) {
            return Formula::TRUE;
        }
        match self.node(node).clone() {
            Node::Bool(formula) => formula,
            Node::Wrap { of, width, .. } if index < width => self.bit(of, index),
            Node::ShrConst { of, amount } => self.bit(of, index + amount),
            Node::Concat {
                high, low_width, ..
            } if index >= low_width => self.bit(high, index - low_width),
            Node::Concat { low, .. } => self.bit(low, index),
            Node::Sum { terms, constant } if constant.is_zero() && terms.len() == 1 => {
                let (atom, coefficient) = &terms[0];
                let shift = coefficient.trailing_zeros().unwrap_or(0) as u32;
                if *coefficient != power(shift) {
                    return self.intern_formula(Connective::Bit(node, index));
                }
                if index < shift {
                    return Formula::FALSE;
                }
                self.bit(*atom, index - shift)
            }
            _ => self.intern_formula(Connective::Bit(node, index)),
        }
    }

    /// Whether the node is negative.
    pub(super) fn sign(&mut self, node: NodeId) -> Formula {
        if let Node::Wrap {
            of,
            width,
            signed: true,
        } = *self.node(node)
        {
            return self.bit(of, width - 1);
        }
        let (atom, coefficient, offset) = self.affine(node);
        if offset.is_zero() && atom != node {
            let zero = self.constant(BigInt::zero());
            return if coefficient.is_positive() {
                self.sign(atom)
            } else {
                self.lt(zero, atom)
            };
        }
        if let Node::NegIf(cond, of) = *self.node(node)
            && self.range(of).is_unsigned()
        {
            let zero = self.constant(BigInt::zero());
            let nonzero = self.eq(of, zero).negated();
            return self.all(&[cond, nonzero]);
        }
        let zero = self.constant(BigInt::zero());
        self.lt(node, zero)
    }
}
