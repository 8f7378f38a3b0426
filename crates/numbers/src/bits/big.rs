//! [`Big`]: bit-vectors of any width in big integers.

use super::{Bv, Concrete, Mux};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};

/// A bit-vector of any width: a big integer less than `2^width`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Big {
    bits: BigUint,
    width: u32,
}

impl Big {
    /// The low `width` bits of `value` in two's complement.
    pub fn from_int(width: u32, value: &BigInt) -> Self {
        let low = Self::masked(value.magnitude().clone(), width);
        match value.sign() {
            Sign::Minus => low.neg(),
            _ => low,
        }
    }

    fn masked(bits: BigUint, width: u32) -> Self {
        let bits = if bits.bits() > u64::from(width) {
            bits & ((BigUint::one() << width) - 1u32)
        } else {
            bits
        };
        Big { bits, width }
    }

    fn same_width(&self, other: &Self) -> u32 {
        debug_assert_eq!(self.width, other.width, "operands of different widths");
        self.width
    }

    /// The value as a two's complement number.
    pub fn signed(&self) -> BigInt {
        let value = BigInt::from(self.bits.clone());
        if self.msb() {
            value - (BigInt::one() << self.width)
        } else {
            value
        }
    }

    /// The value as a shift amount, at most `limit`.
    fn amount(&self, limit: u32) -> u32 {
        self.bits.to_u32().unwrap_or(limit).min(limit)
    }
}

impl Mux<bool> for Big {
    fn mux(cond: &bool, then: &Self, otherwise: &Self) -> Self {
        then.same_width(otherwise);
        if *cond {
            then.clone()
        } else {
            otherwise.clone()
        }
    }
}

impl Bv for Big {
    type Bool = bool;

    fn lit(width: u32, value: u64) -> Self {
        let bits = BigUint::from(value);
        debug_assert!(bits.bits() <= u64::from(width), "{value} in {width} bits");
        Big { bits, width }
    }
    fn width(&self) -> u32 {
        self.width
    }

    fn add(&self, other: &Self) -> Self {
        Self::masked(&self.bits + &other.bits, self.same_width(other))
    }
    fn sub(&self, other: &Self) -> Self {
        let width = self.same_width(other);
        let bits = if self.bits >= other.bits {
            &self.bits - &other.bits
        } else {
            (BigUint::one() << width) - &other.bits + &self.bits
        };
        Big { bits, width }
    }
    fn mul(&self, other: &Self) -> Self {
        Self::masked(&self.bits * &other.bits, self.same_width(other))
    }
    fn and(&self, other: &Self) -> Self {
        Self::masked(&self.bits & &other.bits, self.same_width(other))
    }
    fn or(&self, other: &Self) -> Self {
        Self::masked(&self.bits | &other.bits, self.same_width(other))
    }
    fn xor(&self, other: &Self) -> Self {
        Self::masked(&self.bits ^ &other.bits, self.same_width(other))
    }
    fn not(&self) -> Self {
        let ones = (BigUint::one() << self.width) - 1u32;
        Self::masked(ones - &self.bits, self.width)
    }

    fn shl(&self, amount: &Self) -> Self {
        Self::masked(&self.bits << amount.amount(self.width), self.width)
    }
    fn lshr(&self, amount: &Self) -> Self {
        Self::masked(&self.bits >> amount.amount(self.width), self.width)
    }
    fn ashr(&self, amount: &Self) -> Self {
        Self::from_int(self.width, &(self.signed() >> amount.amount(self.width)))
    }

    fn concat(&self, low: &Self) -> Self {
        let bits = (&self.bits << low.width) | &low.bits;
        Big {
            bits,
            width: self.width + low.width,
        }
    }
    fn extract(&self, high: u32, low: u32) -> Self {
        debug_assert!(
            low <= high && high < self.width,
            "bits {high} to {low} of {}",
            self.width
        );
        Self::masked(&self.bits >> low, high - low + 1)
    }
    fn zext(&self, width: u32) -> Self {
        debug_assert!(self.width <= width, "{} to {width} bits", self.width);
        Big {
            bits: self.bits.clone(),
            width,
        }
    }
    fn sext(&self, width: u32) -> Self {
        debug_assert!(self.width <= width, "{} to {width} bits", self.width);
        Self::from_int(width, &self.signed())
    }

    fn equals(&self, other: &Self) -> bool {
        self.same_width(other);
        self.bits == other.bits
    }
    fn ult(&self, other: &Self) -> bool {
        self.same_width(other);
        self.bits < other.bits
    }
    fn slt(&self, other: &Self) -> bool {
        self.same_width(other);
        self.signed() < other.signed()
    }

    fn neg_if(&self, cond: &bool) -> Self {
        if *cond && !self.bits.is_zero() {
            Big {
                bits: (BigUint::one() << self.width) - &self.bits,
                width: self.width,
            }
        } else {
            self.clone()
        }
    }
    fn widen_low(&self, amount: u32) -> Self {
        Big {
            bits: &self.bits << amount,
            width: self.width + amount,
        }
    }
    fn lshr_sticky(&self, amount: &Self) -> (Self, bool) {
        let by = u64::from(amount.amount(self.width));
        let lost = self.bits.trailing_zeros().is_some_and(|zeros| zeros < by);
        (self.lshr(amount), lost)
    }
    fn normalise(&self, count_width: u32) -> (Self, Self) {
        let zeros = u64::from(self.width) - self.bits.bits();
        let shifted = Big {
            bits: &self.bits << zeros,
            width: self.width,
        };
        (shifted, Self::lit(count_width, zeros))
    }

    fn bit(&self, index: u32) -> bool {
        debug_assert!(index < self.width, "bit {index} of {}", self.width);
        self.bits.bit(u64::from(index))
    }
    fn is_zero(&self) -> bool {
        self.bits.is_zero()
    }
}

impl Concrete for Big {
    fn to_big(&self) -> BigUint {
        self.bits.clone()
    }
    fn to_u64(&self) -> u64 {
        self.bits.iter_u64_digits().next().unwrap_or(0)
    }
}
