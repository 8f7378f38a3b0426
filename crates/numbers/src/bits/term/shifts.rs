//! Constructors of shifts, truncations and concatenations.

use super::graph::{Graph, Node, NodeId};
use super::range::{Interval, power};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

impl Graph {
    /// `of * 2^amount` modulo `2^width`; the amount is unsigned.
    pub(super) fn shl(&mut self, of: NodeId, amount: NodeId, width: u32) -> NodeId {
        if let Some(amount) = self.as_const(amount) {
            return match amount.to_u32().filter(|&amount| amount < width) {
                Some(amount) => {
                    let scaled = self.scale(of, power(amount));
                    self.wrap(scaled, width, false)
                }
                None => self.constant(BigInt::zero()),
            };
        }
        if self.is_zero(of) {
            return of;
        }
        let exact = self.range(of).shl(self.range(amount), width);
        let exact = exact
            .filter(Interval::is_unsigned)
            .filter(|r| r.bits() <= width);
        // If all shifted values fit in `width` bits, every width that holds all of them gives the
        // same value: use the least of these widths.
        let (range, width) = match exact {
            Some(range) => {
                let width = range.bits();
                (range, width)
            }
            None => (Interval::unsigned(width), width),
        };
        self.intern(Node::Shl { of, amount, width }, range)
    }

    /// `of / 2^amount`, rounded down; the amount is unsigned.
    pub(super) fn shr(&mut self, of: NodeId, amount: NodeId) -> NodeId {
        if let Some(amount) = self.as_const(amount).cloned() {
            let most = self.range(of).bits() + 1;
            let amount = amount.to_u32().map_or(most, |amount| amount.min(most));
            return self.shr_const(of, amount);
        }
        // After a shift by any `amount`, the result is a multiple of `2^spare`: shift only the bits
        // above the `spare` lowest bits, which are zeros.
        let most = self.range(amount).hi.to_u32().unwrap_or(u32::MAX);
        let spare = self.trailing_zeros(of).saturating_sub(most);
        if spare > 0 && !self.is_zero(of) {
            let above = self.shr_const(of, spare);
            let shifted = self.shr(above, amount);
            return self.scale(shifted, power(spare));
        }
        let range = self.range(of).shr(self.range(amount));
        self.intern(Node::Shr { of, amount }, range)
    }

    /// `of / 2^amount`, rounded down.
    pub(super) fn shr_const(&mut self, of: NodeId, amount: u32) -> NodeId {
        if amount == 0 {
            return of;
        }
        let range = self.range(of).shr(&Interval::point(BigInt::from(amount)));
        match self.node(of).clone() {
            Node::ShrConst { of, amount: inner } => return self.shr_const(of, inner + amount),
            Node::Concat {
                high, low_width, ..
            } if amount >= low_width => {
                return self.shr_const(high, amount - low_width);
            }
            Node::Concat {
                high,
                low,
                low_width,
            } => {
                let low = self.shr_const(low, amount);
                return self.concat(high, low, low_width - amount);
            }
            Node::Wrap { of, width, signed } if amount < width => {
                let above = self.shr_const(of, amount);
                return self.wrap(above, width - amount, signed);
            }
            Node::Sum { terms, constant } => {
                if let Some(quotient) = self.divide_sum(&terms, &constant, amount) {
                    return quotient;
                }
            }
            _ => {}
        }
        self.intern(Node::ShrConst { of, amount }, range)
    }

    /// The sum of `terms` and `constant`, divided by `2^amount` and rounded down. `None` unless
    /// some terms are multiples of `2^amount` and the rest of the sum is a number in `0..2^amount`.
    fn divide_sum(
        &mut self,
        terms: &[(NodeId, BigInt)],
        constant: &BigInt,
        amount: u32,
    ) -> Option<NodeId> {
        let divisor = power(amount);
        let (quotient, remainder) = constant.div_mod_floor(&divisor);
        let (whole, rest): (Vec<_>, Vec<_>) = terms
            .iter()
            .cloned()
            .partition(|(_, c)| c.is_multiple_of(&divisor));
        if whole.is_empty() {
            return None;
        }
        let rest = self.sum(rest, remainder);
        if !Interval::unsigned(amount).contains(self.range(rest)) {
            return None;
        }
        let whole: Vec<_> = whole
            .into_iter()
            .map(|(node, c)| (node, c / &divisor))
            .collect();
        Some(self.sum(whole, quotient))
    }

    /// `terms`, with each node that is itself a sum modulo `2^width` replaced by that sum; and
    /// whether any node was replaced. The value modulo `2^width` stays the same.
    fn without_wraps(
        &self,
        mut terms: Vec<(NodeId, BigInt)>,
        width: u32,
    ) -> (Vec<(NodeId, BigInt)>, bool) {
        let mut unwrapped = false;
        for (node, _) in &mut terms {
            if let Node::Wrap {
                of, width: inner, ..
            } = *self.node(*node)
                && inner == width
                && matches!(self.node(of), Node::Sum { .. })
            {
                *node = of;
                unwrapped = true;
            }
        }
        (terms, unwrapped)
    }

    /// `of` modulo `2^width`, unsigned or as a two's complement number.
    pub(super) fn wrap(&mut self, of: NodeId, width: u32, signed: bool) -> NodeId {
        let target = if signed {
            Interval::signed(width)
        } else {
            Interval::unsigned(width)
        };
        let modulus = power(width);
        // If all values of `of` lie in one period of the modulus, adding a constant suffices.
        let period = (&self.range(of).lo - &target.lo).div_floor(&modulus);
        if &self.range(of).hi - &period * &modulus <= target.hi {
            return self.add_constant(of, -period * modulus);
        }
        match self.node(of).clone() {
            Node::Wrap {
                of, width: inner, ..
            } if inner >= width => return self.wrap(of, width, signed),
            Node::Sum { terms, constant } => {
                let reduced: Vec<_> = terms
                    .iter()
                    .filter(|(_, c)| !c.is_multiple_of(&modulus))
                    .cloned()
                    .collect();
                let remainder = constant.mod_floor(&modulus);
                let (reduced, unwrapped) = self.without_wraps(reduced, width);
                if reduced.len() < terms.len() || remainder != constant || unwrapped {
                    let reduced = self.sum(reduced, remainder);
                    return self.wrap(reduced, width, signed);
                }
            }
            Node::Concat { low, low_width, .. } if width <= low_width => {
                return self.wrap(low, width, signed);
            }
            Node::Concat {
                high,
                low,
                low_width,
            } => {
                let high = self.wrap(high, width - low_width, signed);
                return self.concat(high, low, low_width);
            }
            Node::Shl {
                of,
                amount,
                width: inner,
            } if inner > width => {
                let shifted = self.shl(of, amount, width);
                return self.wrap(shifted, width, signed);
            }
            Node::Ite(cond, a, b) if self.as_const(a).is_some() || self.as_const(b).is_some() => {
                let (a, b) = (self.wrap(a, width, signed), self.wrap(b, width, signed));
                return self.ite(cond, a, b);
            }
            _ => {}
        }
        self.intern(Node::Wrap { of, width, signed }, target)
    }

    /// `high * 2^low_width + low`, where `low` is an unsigned number of `low_width` bits.
    pub(super) fn concat(&mut self, high: NodeId, low: NodeId, low_width: u32) -> NodeId {
        if let Some(low) = self.as_const(low).cloned() {
            return self.sum([(high, power(low_width))], low);
        }
        if let Some(high) = self.as_const(high).cloned() {
            return self.add_constant(low, high * power(low_width));
        }
        if let Node::Concat {
            high,
            low: middle,
            low_width: middle_width,
        } = *self.node(high)
        {
            let low = self.concat(middle, low, low_width);
            return self.concat(high, low, middle_width + low_width);
        }
        let range = self
            .range(high)
            .scale(&power(low_width))
            .add(self.range(low));
        self.intern(
            Node::Concat {
                high,
                low,
                low_width,
            },
            range,
        )
    }

    /// The unsigned representative of the node modulo `2^width`.
    pub(super) fn unsigned(&mut self, node: NodeId, width: u32) -> NodeId {
        self.wrap(node, width, false)
    }

    /// The two's complement representative of the node modulo `2^width`.
    pub(super) fn signed(&mut self, node: NodeId, width: u32) -> NodeId {
        self.wrap(node, width, true)
    }

    /// A node that equals `node` modulo `2^width`: `node` itself if all its values fit in `width`
    /// bits, unsigned or in two's complement; otherwise an unsigned number of `width` bits.
    pub(super) fn fit(&mut self, node: NodeId, width: u32) -> NodeId {
        let range = self.range(node);
        if range.lo.is_negative() && Interval::signed(width).contains(range) {
            return node;
        }
        self.unsigned(node, width)
    }
}
