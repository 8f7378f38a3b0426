//! Finite sets of numbers, as far as multiples and magnitudes tell them.

use crate::float::{Dyadic, Format, Rounding};
use num_bigint::BigUint;
use num_traits::Zero;

/// Numbers `n * 2^unit`, where `n` is an integer and `|n| <= most`: a superset of a set of numbers. It
/// holds zero and is symmetric in the sign, whatever that set is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Multiples {
    unit: i64,
    most: BigUint,
    /// No number has more significant bits.
    bits: u64,
    /// No number but zero is below `2^least`.
    least: i64,
}

impl Multiples {
    /// Zero alone.
    pub fn zero() -> Self {
        Multiples {
            unit: 0,
            most: BigUint::zero(),
            bits: 0,
            least: 0,
        }
    }

    /// Numbers `n * 2^unit` with `|n| <= most`, of at most `bits` significant bits, none but zero below
    /// `2^least`.
    pub fn new(unit: i64, most: BigUint, bits: u64, least: i64) -> Self {
        if most.is_zero() {
            return Multiples::zero();
        }
        Multiples {
            unit,
            bits: bits.min(most.bits()),
            most,
            least: least.max(unit),
        }
    }

    /// Whether it holds no number but zero.
    pub fn is_zero(&self) -> bool {
        self.most.is_zero()
    }

    /// The exponent of what all are multiples of; none for zero alone.
    pub fn unit(&self) -> Option<i64> {
        (!self.is_zero()).then_some(self.unit)
    }

    /// All numbers are below `2^top` in magnitude; none for zero alone.
    pub fn top(&self) -> Option<i64> {
        (!self.is_zero()).then(|| self.unit + self.most.bits() as i64)
    }

    /// Whether a number other than zero can be below `2^exponent`.
    pub fn goes_below(&self, exponent: i64) -> bool {
        !self.is_zero() && self.least < exponent
    }

    /// No number has more significant bits.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// Whether all numbers are integers of at most so many bits, times a power of two that is at least
    /// `2^least` and need not be the same for all.
    pub fn has_bits(&self, bits: u64, least: i64) -> bool {
        // All integers up to 2^bits have so many bits, that power included.
        let are_short = || self.bits <= bits || self.most <= BigUint::from(1u32) << bits;
        self.is_zero() || self.unit >= least && are_short()
    }

    /// The products of any two.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Multiples::new(
            self.unit + other.unit,
            &self.most * &other.most,
            self.bits + other.bits,
            self.least + other.least,
        )
    }

    /// The sums of any two.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let unit = self.unit.min(other.unit);
        let most = self.most_in(unit) + other.most_in(unit);
        Multiples::new(unit, most, u64::MAX, unit)
    }

    /// The numbers of both.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let unit = self.unit.min(other.unit);
        Multiples::new(
            unit,
            self.most_in(unit).max(other.most_in(unit)),
            self.bits.max(other.bits),
            self.least.min(other.least),
        )
    }

    /// The greatest magnitude, in units of `2^unit`, which is not greater than its own.
    fn most_in(&self, unit: i64) -> BigUint {
        &self.most << (self.unit - unit)
    }

    /// Whether one exceeds the greatest number of the format.
    pub fn exceeds(&self, format: &Format) -> bool {
        if self.is_zero() {
            return false;
        }
        let greatest = format.register_of(format.max_finite());
        let Some(greatest) = Dyadic::of(format, greatest) else {
            return true;
        };
        let unit = self.unit.min(greatest.exponent());
        self.most_in(unit) > greatest.mantissa().magnitude() << (greatest.exponent() - unit)
    }

    /// Whether the format represents all of them.
    pub fn are_in(&self, format: &Format) -> bool {
        let (bits, least) = (format.precision().into(), format.least_exponent().into());
        self.has_bits(bits, least) && !self.exceeds(format)
    }

    /// The numbers rounded to the format, as if that had no greatest number.
    #[must_use]
    pub fn rounded(&self, format: &Format, rounding: Rounding) -> Self {
        if self.is_zero() {
            return self.clone();
        }
        let (precision, least) = (
            u64::from(format.precision()),
            i64::from(format.least_exponent()),
        );
        let below = (least - self.unit).max(0) as u64;
        let lost = self.most.bits().saturating_sub(precision).max(below);
        let mut kept = &self.most >> lost;
        if rounding != Rounding::Rz && (&kept << lost) != self.most {
            kept += 1u32;
        }
        let unit = self.unit.max(least);
        let most = kept << (lost - (unit - self.unit) as u64);
        Multiples::new(unit, most, precision, self.least)
    }
}
