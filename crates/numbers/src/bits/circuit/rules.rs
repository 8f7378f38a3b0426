//! Rules that replace an operation by a simpler one; each is an identity of bit-vectors.

use super::node::{Binary, CircuitNodeId, CircuitOperation, CircuitSort};
use super::simplify::Builder;
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

impl Builder {
    /// A node with the value of the operation, if a rule gives one.
    pub(super) fn simpler(
        &mut self,
        operation: &CircuitOperation,
        sort: CircuitSort,
    ) -> Option<CircuitNodeId> {
        match *operation {
            CircuitOperation::Input(_) | CircuitOperation::Const(_) => None,
            CircuitOperation::Not(x) => match self.operation(x) {
                CircuitOperation::Not(of) => Some(*of),
                _ => None,
            },
            CircuitOperation::Extract(x, low) => self.extract(x, low, sort),
            CircuitOperation::Extend(x, signed) => self.extend(x, signed, sort),
            CircuitOperation::Mux(c, x, y) => self.choice(c, x, y, sort),
            CircuitOperation::Binary(binary, x, y) => match binary {
                Binary::Shl | Binary::Lshr | Binary::Ashr => self.shift(binary, x, y, sort),
                Binary::Equals | Binary::Less | Binary::SignedLess => self.compare(binary, x, y),
                _ => self.arithmetic(binary, x, y, sort),
            },
        }
    }

    fn is(&self, id: CircuitNodeId, value: u32) -> bool {
        self.value(id).is_some_and(|known| *known == value.into())
    }

    fn is_ones(&self, id: CircuitNodeId) -> bool {
        let ones = (BigUint::one() << self.sort(id).width()) - 1u32;
        self.value(id).is_some_and(|known| *known == ones)
    }

    fn is_sign(&self, id: CircuitNodeId) -> bool {
        let sign = BigUint::one() << (self.sort(id).width() - 1);
        self.value(id).is_some_and(|known| *known == sign)
    }

    fn arithmetic(
        &mut self,
        binary: Binary,
        x: CircuitNodeId,
        y: CircuitNodeId,
        sort: CircuitSort,
    ) -> Option<CircuitNodeId> {
        // A constant operand of a symmetric operation becomes the second operand.
        let symmetric = !matches!(binary, Binary::Sub | Binary::Concat);
        if symmetric && self.value(x).is_some() {
            let swapped = CircuitOperation::Binary(binary, y, x);
            return Some(self.make(swapped, sort));
        }
        match binary {
            Binary::Concat if self.is(x, 0) => {
                Some(self.make(CircuitOperation::Extend(y, false), sort))
            }
            Binary::Concat => None,
            Binary::Add | Binary::Sub | Binary::Or | Binary::Xor if self.is(y, 0) => Some(x),
            Binary::And | Binary::Or if x == y => Some(x),
            Binary::Xor | Binary::Sub if x == y => Some(self.constant(sort, 0u32)),
            Binary::And | Binary::Mul if self.is(y, 0) => Some(y),
            Binary::And if self.is_ones(y) => Some(x),
            Binary::Or if self.is_ones(y) => Some(y),
            Binary::Xor if self.is_ones(y) => Some(self.make(CircuitOperation::Not(x), sort)),
            Binary::Mul if self.is(y, 1) => Some(x),
            _ => None,
        }
    }

    /// A shift by a constant selects other bits of the operand.
    fn shift(
        &mut self,
        binary: Binary,
        x: CircuitNodeId,
        amount: CircuitNodeId,
        sort: CircuitSort,
    ) -> Option<CircuitNodeId> {
        let width = sort.width();
        let amount = self.value(amount)?.to_u32().unwrap_or(width).min(width);
        if amount == 0 {
            return Some(x);
        }
        if binary == Binary::Ashr {
            let low = amount.min(width - 1);
            let kept = self.make(
                CircuitOperation::Extract(x, low),
                CircuitSort::Word(width - low),
            );
            return Some(self.make(CircuitOperation::Extend(kept, true), sort));
        }
        if amount == width {
            return Some(self.constant(sort, 0u32));
        }
        let rest = CircuitSort::Word(width - amount);
        Some(match binary {
            Binary::Shl => {
                let kept = self.make(CircuitOperation::Extract(x, 0), rest);
                let zeros = self.constant(CircuitSort::Word(amount), 0u32);
                self.make(CircuitOperation::Binary(Binary::Concat, kept, zeros), sort)
            }
            _ => {
                let kept = self.make(CircuitOperation::Extract(x, amount), rest);
                self.make(CircuitOperation::Extend(kept, false), sort)
            }
        })
    }

    fn extract(&mut self, x: CircuitNodeId, low: u32, sort: CircuitSort) -> Option<CircuitNodeId> {
        let (width, whole) = (sort.width(), self.sort(x).width());
        if width == whole && self.sort(x) == sort {
            return Some(x);
        }
        match *self.operation(x) {
            CircuitOperation::Extract(of, further) => {
                Some(self.make(CircuitOperation::Extract(of, low + further), sort))
            }
            CircuitOperation::Extend(of, signed) => {
                let inner = self.sort(of).width();
                if low + width <= inner {
                    Some(self.make(CircuitOperation::Extract(of, low), sort))
                } else if low >= inner && !signed {
                    Some(self.constant(sort, 0u32))
                } else if low == 0 && width > inner {
                    Some(self.make(CircuitOperation::Extend(of, signed), sort))
                } else {
                    None
                }
            }
            CircuitOperation::Binary(Binary::Concat, high, rest) => {
                let border = self.sort(rest).width();
                if low + width <= border {
                    Some(self.make(CircuitOperation::Extract(rest, low), sort))
                } else if low >= border {
                    Some(self.make(CircuitOperation::Extract(high, low - border), sort))
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    fn extend(
        &mut self,
        x: CircuitNodeId,
        signed: bool,
        sort: CircuitSort,
    ) -> Option<CircuitNodeId> {
        if self.sort(x) == sort {
            return Some(x);
        }
        match *self.operation(x) {
            // The sign of a zero-extended word is zero, so that any extension of it is a zero
            // extension.
            CircuitOperation::Extend(of, inner) if !inner || signed => {
                let signed = inner && signed;
                Some(self.make(CircuitOperation::Extend(of, signed), sort))
            }
            _ => None,
        }
    }

    fn choice(
        &mut self,
        c: CircuitNodeId,
        x: CircuitNodeId,
        y: CircuitNodeId,
        sort: CircuitSort,
    ) -> Option<CircuitNodeId> {
        if x == y {
            return Some(x);
        }
        if let Some(value) = self.value(c) {
            return Some(if value.is_zero() { y } else { x });
        }
        if let CircuitOperation::Not(of) = *self.operation(c) {
            return Some(self.make(CircuitOperation::Mux(of, y, x), sort));
        }
        if sort == CircuitSort::Truth {
            let binary = |binary, other| CircuitOperation::Binary(binary, c, other);
            if self.is(x, 1) {
                return Some(self.make(binary(Binary::Or, y), sort));
            }
            if self.is(y, 0) {
                return Some(self.make(binary(Binary::And, x), sort));
            }
        }
        None
    }

    fn compare(
        &mut self,
        binary: Binary,
        x: CircuitNodeId,
        y: CircuitNodeId,
    ) -> Option<CircuitNodeId> {
        let truth = CircuitSort::Truth;
        if x == y {
            return Some(self.constant(truth, u32::from(binary == Binary::Equals)));
        }
        match binary {
            Binary::Less if self.is(y, 0) || self.is_ones(x) => Some(self.constant(truth, 0u32)),
            // No two's complement number is less than the least one.
            Binary::SignedLess if self.is_sign(y) => Some(self.constant(truth, 0u32)),
            Binary::Equals if self.value(x).is_some() => {
                Some(self.make(CircuitOperation::Binary(binary, y, x), truth))
            }
            Binary::Equals => {
                // A choice between two constants equals the first where its condition holds, and
                // the second where it does not.
                let CircuitOperation::Mux(c, then, otherwise) = *self.operation(x) else {
                    return None;
                };
                let known = self.value(y)?;
                let is_then = self.value(then)? == known;
                let is_otherwise = self.value(otherwise)? == known;
                Some(match (is_then, is_otherwise) {
                    (true, _) => c,
                    (false, true) => self.make(CircuitOperation::Not(c), truth),
                    (false, false) => self.constant(truth, 0u32),
                })
            }
            _ => None,
        }
    }
}
