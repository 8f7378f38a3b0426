//! Intervals of integers, which bound the values of nodes.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// All integers from `lo` to `hi`, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least value.
    pub lo: BigInt,
    /// The greatest value.
    pub hi: BigInt,
}

/// `2^exponent`.
pub fn power(exponent: u32) -> BigInt {
    BigInt::one() << exponent
}

impl Interval {
    /// The interval from `lo` to `hi`, which is not empty.
    pub fn new(lo: BigInt, hi: BigInt) -> Self {
        debug_assert!(lo <= hi, "empty range {lo} to {hi}");
        Interval { lo, hi }
    }

    /// The interval of one value.
    pub fn point(value: BigInt) -> Self {
        Interval {
            lo: value.clone(),
            hi: value,
        }
    }

    /// The unsigned numbers of `width` bits.
    pub fn unsigned(width: u32) -> Self {
        Interval {
            lo: BigInt::zero(),
            hi: power(width) - 1,
        }
    }

    /// The two's complement numbers of `width` bits.
    pub fn signed(width: u32) -> Self {
        Interval {
            lo: -power(width - 1),
            hi: power(width - 1) - 1,
        }
    }

    /// Whether all values are at least 0.
    pub fn is_unsigned(&self) -> bool {
        !self.lo.is_negative()
    }

    /// The value, if there is only one.
    pub fn single(&self) -> Option<&BigInt> {
        (self.lo == self.hi).then_some(&self.lo)
    }

    /// Whether `other` lies within this interval.
    pub fn contains(&self, other: &Interval) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// Whether the two intervals have no value in common.
    pub fn is_disjoint(&self, other: &Interval) -> bool {
        self.hi < other.lo || other.hi < self.lo
    }

    /// The smallest interval that contains both intervals.
    pub fn union(&self, other: &Interval) -> Interval {
        Interval::new(
            self.lo.clone().min(other.lo.clone()),
            self.hi.clone().max(other.hi.clone()),
        )
    }

    /// All sums of a value of this interval and a value of `other`.
    pub fn add(&self, other: &Interval) -> Interval {
        Interval::new(&self.lo + &other.lo, &self.hi + &other.hi)
    }

    /// The values times `factor`.
    pub fn scale(&self, factor: &BigInt) -> Interval {
        let (a, b) = (&self.lo * factor, &self.hi * factor);
        if a <= b {
            Interval::new(a, b)
        } else {
            Interval::new(b, a)
        }
    }

    /// An interval that has all products of a value of this interval and a value of `other`.
    pub fn mul(&self, other: &Interval) -> Interval {
        self.scale(&other.lo).union(&self.scale(&other.hi))
    }

    /// The smallest interval that contains the values and their negatives.
    pub fn symmetric(&self) -> Interval {
        self.union(&self.scale(&BigInt::from(-1)))
    }

    /// The values divided by `2^amount`, rounded down, for every amount of an unsigned range.
    pub fn shr(&self, amount: &Interval) -> Interval {
        let least = self.shift_amount(&amount.lo);
        let most = self.shift_amount(&amount.hi);
        let lo = if self.lo.is_negative() {
            &self.lo >> least
        } else {
            &self.lo >> most
        };
        let hi = if self.hi.is_negative() {
            &self.hi >> most
        } else {
            &self.hi >> least
        };
        Interval::new(lo, hi)
    }

    /// The values times `2^amount`, for every amount of an unsigned range; `None` if an amount
    /// exceeds `limit`.
    pub fn shl(&self, amount: &Interval, limit: u32) -> Option<Interval> {
        let most = amount.hi.to_u32().filter(|&most| most <= limit)?;
        let least = amount.lo.to_u32()?;
        Some(self.scale(&power(least)).union(&self.scale(&power(most))))
    }

    /// `amount` as a shift amount, but at most `bits() + 1`, which already makes every value 0 or
    /// -1.
    fn shift_amount(&self, amount: &BigInt) -> u32 {
        let all = self.bits() + 1;
        amount.to_u32().map_or(all, |amount| amount.min(all))
    }

    /// The number of bits that hold every value in two's complement, without the sign bit. If no
    /// value is negative, these are the bits of the greatest value.
    pub fn bits(&self) -> u32 {
        let magnitude = |value: &BigInt| {
            let value = if value.is_negative() {
                -value - 1
            } else {
                value.clone()
            };
            u32::try_from(value.bits()).unwrap_or(u32::MAX)
        };
        magnitude(&self.lo).max(magnitude(&self.hi))
    }
}
