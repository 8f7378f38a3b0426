//! Intervals of integers of type `i128`, which bound the values of nodes.

/// All integers from `lo` to `hi`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedRange {
    /// The least value.
    pub lo: i128,
    /// The greatest value.
    pub hi: i128,
}

impl SignedRange {
    /// Truth values, as 0 and 1.
    pub(super) const TRUTH: SignedRange = SignedRange { lo: 0, hi: 1 };

    pub(super) fn point(value: i128) -> SignedRange {
        SignedRange {
            lo: value,
            hi: value,
        }
    }

    /// The unsigned numbers of `width` bits; `width` is less than 127.
    pub(super) fn unsigned(width: u32) -> SignedRange {
        SignedRange {
            lo: 0,
            hi: (1 << width) - 1,
        }
    }

    /// The two's complement numbers of `width` bits; `width` is less than 128.
    pub(super) fn signed(width: u32) -> SignedRange {
        let half = 1 << (width - 1);
        SignedRange {
            lo: -half,
            hi: half - 1,
        }
    }

    /// Whether a value may be negative.
    pub fn is_signed(&self) -> bool {
        self.lo < 0
    }

    /// The number of bits that hold every value, including a sign where a value may be negative.
    pub fn bits(&self) -> u32 {
        let magnitude =
            |value: i128| 128 - (if value < 0 { !value } else { value }).leading_zeros();
        magnitude(self.lo).max(magnitude(self.hi)) + u32::from(self.is_signed())
    }

    pub(super) fn contains(&self, other: &SignedRange) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    pub(super) fn union(&self, other: &SignedRange) -> SignedRange {
        SignedRange {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    /// The values that lie in both ranges. If there are none, the node is never evaluated, and the
    /// result is `self`.
    pub(super) fn intersection(&self, other: &SignedRange) -> SignedRange {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        if lo <= hi {
            SignedRange { lo, hi }
        } else {
            *self
        }
    }

    /// The values times `factor`; `None` if they do not fit `i128`.
    pub(super) fn times(&self, factor: i128) -> Option<SignedRange> {
        let ends = [self.lo.checked_mul(factor)?, self.hi.checked_mul(factor)?];
        Some(SignedRange {
            lo: ends[0].min(ends[1]),
            hi: ends[0].max(ends[1]),
        })
    }

    pub(super) fn plus(&self, other: &SignedRange) -> Option<SignedRange> {
        Some(SignedRange {
            lo: self.lo.checked_add(other.lo)?,
            hi: self.hi.checked_add(other.hi)?,
        })
    }

    pub(super) fn product(&self, other: &SignedRange) -> Option<SignedRange> {
        Some(self.times(other.lo)?.union(&self.times(other.hi)?))
    }

    /// The values divided by two to the power of each amount, rounded down.
    pub(super) fn shifted_down(&self, amount: &SignedRange) -> SignedRange {
        let by = |value: i128, amount: i128| value >> amount.clamp(0, 127);
        let (least, most) = (amount.lo, amount.hi);
        SignedRange {
            lo: by(self.lo, least).min(by(self.lo, most)),
            hi: by(self.hi, least).max(by(self.hi, most)),
        }
    }
}
