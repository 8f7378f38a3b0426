//! Supersets of finite sets of numbers, given by a common unit and a greatest magnitude.

use mmasmt_numbers::float::{Dyadic, Format, Rounding};
use num_bigint::BigUint;
use num_traits::Zero;

/// A superset of a set of numbers: numbers `n * 2^unit`, where `n` is an integer and `|n| <= most`.
/// The superset always holds zero, and the negative of each number in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiples {
    unit: i64,
    most: BigUint,
    /// Every number is a sum of numbers from these sets. A set is listed once, even if several
    /// summands come from it.
    summands: Vec<Summand>,
    /// No number but zero has a magnitude below `2^least`.
    least: i64,
}

/// The values of one summand: numbers `n * 2^unit`, where `unit` is the unit of the whole sum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Summand {
    /// An upper bound of `|n|`.
    most: BigUint,
    /// An upper bound of the number of significant bits of `n`.
    bits: u64,
    /// The lowest bit of `n` that may be set.
    lowest: u64,
}

impl Summand {
    /// A lower bound of `most - |n|` over every `n` that has a bit set at or below `place`; `None`
    /// if there is no such `n`.
    fn slack(&self, place: u64) -> Option<BigUint> {
        let full = (BigUint::from(1u32) << self.bits) - 1u32;
        let low = full << place;
        let slack = if low < self.most {
            &self.most - low
        } else {
            BigUint::zero()
        };
        (place >= self.lowest).then_some(slack)
    }
}

impl Multiples {
    /// The set that holds zero alone.
    pub fn zero() -> Self {
        Multiples {
            unit: 0,
            most: BigUint::zero(),
            summands: Vec::new(),
            least: 0,
        }
    }

    /// The set of numbers `n * 2^unit` with `|n| <= most` that have at most `bits` significant bits
    /// and are zero or at least `2^least` in magnitude.
    pub fn new(unit: i64, most: BigUint, bits: u64, least: i64) -> Self {
        if most.is_zero() {
            return Multiples::zero();
        }
        Multiples {
            unit,
            summands: vec![Summand {
                most: most.clone(),
                bits: bits.min(most.bits()),
                lowest: 0,
            }],
            most,
            least: least.max(unit),
        }
    }

    /// Whether the set holds no number but zero.
    pub fn is_zero(&self) -> bool {
        self.most.is_zero()
    }

    /// A `u` such that all numbers are multiples of `2^u`; `None` if zero is the only number.
    pub fn unit(&self) -> Option<i64> {
        (!self.is_zero()).then_some(self.unit)
    }

    /// An upper bound of the magnitudes in units of `2^u`, `u` of [`unit`](Self::unit).
    pub fn most(&self) -> &BigUint {
        &self.most
    }

    /// A `t` such that all magnitudes are below `2^t`; `None` if zero is the only number.
    pub fn top(&self) -> Option<i64> {
        (!self.is_zero()).then(|| self.unit + self.most.bits() as i64)
    }

    /// A number that no magnitude exceeds.
    pub fn greatest(&self) -> Dyadic {
        Dyadic::new(self.most.clone().into(), self.unit)
    }

    /// An `l` such that every nonzero magnitude is at least `2^l`; `None` if zero is the only
    /// number.
    pub fn least(&self) -> Option<i64> {
        (!self.is_zero()).then_some(self.least)
    }

    /// Whether a nonzero number can have a magnitude below `2^exponent`.
    pub fn goes_below(&self, exponent: i64) -> bool {
        !self.is_zero() && self.least < exponent
    }

    /// An upper bound of the number of significant bits that a number in the set has.
    pub fn bits(&self) -> u64 {
        match &self.summands[..] {
            [] => 0,
            [only] if only.most == self.most => only.bits,
            _ => {
                let bits = |place| self.most_at(place).bits().saturating_sub(place);
                (0..self.most.bits()).map(bits).max().unwrap_or(0)
            }
        }
    }

    /// An upper bound, in units, of the magnitudes of the numbers that have a bit set at or below
    /// `place`; zero if there are no such numbers. If a number has such a bit, so has one of its
    /// summands. A summand has a limited number of significant bits: if `place` is low, the summand
    /// is small.
    fn most_at(&self, place: u64) -> BigUint {
        let summands = self.summands.iter();
        let slack = summands.filter_map(|summand| summand.slack(place)).min();
        slack.map_or(BigUint::zero(), |slack| &self.most - slack)
    }

    /// Whether every number is an integer of at most `bits` bits times a power of two. That power
    /// is at least `2^least` and may differ from number to number.
    pub fn has_bits(&self, bits: u64, least: i64) -> bool {
        // Every integer up to 2^bits, including 2^bits itself, has at most `bits` significant bits.
        self.stay_within(bits, least, 0)
    }

    /// Whether every number whose lowest set bit is `2^p` is at most `2^(bits + p) + beyond * 2^p`,
    /// and no number has a set bit below `2^least`.
    fn stay_within(&self, bits: u64, least: i64, beyond: u32) -> bool {
        let greatest = |place: u64| ((BigUint::from(1u32) << bits) + beyond) << place;
        let mut places = (0..).take_while(|place| self.most > greatest(*place));
        let mut are_within = || places.all(|place| self.most_at(place) <= greatest(place));
        self.is_zero() || self.unit >= least && are_within()
    }

    /// Whether, if nothing overflows, rounding to nearest even gives the same number as rounding
    /// towards zero. This is so if every number that the format does not hold lies midway between a
    /// power of two, which has the even significand, and the next greater number of the format.
    pub fn has_ties_above_powers_alone(&self, format: &Format) -> bool {
        let least = format.least_exponent().into();
        self.stay_within(format.precision().into(), least, 1)
    }

    /// The set of all products of a number of `self` and a number of `other`.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Multiples::new(
            self.unit + other.unit,
            &self.most * &other.most,
            self.bits() + other.bits(),
            self.least + other.least,
        )
    }

    /// The set of all sums of a number of `self` and a number of `other`.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let unit = self.unit.min(other.unit);
        let mut summands: Vec<Summand> = [self, other]
            .iter()
            .flat_map(|set| set.summands_in(unit))
            .collect();
        summands.sort_unstable();
        summands.dedup();
        Multiples {
            unit,
            most: self.most_in(unit) + other.most_in(unit),
            summands,
            least: unit,
        }
    }

    /// The set of all numbers that are in `self`, in `other` or in both sets.
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
            self.bits().max(other.bits()),
            self.least.min(other.least),
        )
    }

    /// The greatest magnitude in units of `2^unit`; `unit` must not exceed the unit of the set.
    fn most_in(&self, unit: i64) -> BigUint {
        &self.most << (self.unit - unit)
    }

    /// The sets of summands, in units of `2^unit`; `unit` must not exceed the unit of this set.
    fn summands_in(&self, unit: i64) -> impl Iterator<Item = Summand> {
        let (summands, finer) = (self.summands.iter(), self.unit - unit);
        summands.map(move |summand| Summand {
            most: &summand.most << finer,
            bits: summand.bits,
            lowest: summand.lowest + finer as u64,
        })
    }

    /// The subset that holds zero and the numbers whose magnitude is at least `2^least`.
    #[must_use]
    pub fn none_below(self, least: i64) -> Self {
        Multiples {
            least: self.least.max(least),
            ..self
        }
    }

    /// Whether a number in the set exceeds the greatest number of the format.
    pub fn exceeds(&self, format: &Format) -> bool {
        if self.is_zero() {
            return false;
        }
        let Some(greatest) = Dyadic::of(format, format.greatest()) else {
            return true;
        };
        let unit = self.unit.min(greatest.exponent());
        self.most_in(unit) > greatest.mantissa().magnitude() << (greatest.exponent() - unit)
    }

    /// True if a number of the set exceeds every number of the other set.
    pub fn is_beyond(&self, other: &Self) -> bool {
        let unit = self.unit.min(other.unit);
        !self.is_zero() && self.most_in(unit) > other.most_in(unit)
    }

    /// The numbers that are at most the greatest number of the format, and that number.
    #[must_use]
    pub fn up_to_greatest(&self, format: &Format) -> Self {
        let Some(greatest) = Dyadic::of(format, format.greatest()) else {
            return self.clone();
        };
        // What is beyond it may become the greatest number.
        let unit = self.unit.min(greatest.exponent());
        let end = greatest.mantissa().magnitude();
        let top = greatest.exponent() + end.bits() as i64 - 1;
        let most = (end << (greatest.exponent() - unit)).min(self.most_in(unit));
        Multiples::new(unit, most, self.bits().max(end.bits()), self.least.min(top))
    }

    /// Whether the format represents every number in the set.
    pub fn are_in(&self, format: &Format) -> bool {
        let (bits, least) = (format.precision().into(), format.least_exponent().into());
        self.has_bits(bits, least) && !self.exceeds(format)
    }

    /// The set of the numbers rounded to the format, as if the format had no greatest number.
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

    /// Whether the number is in the set.
    pub fn has(&self, number: &Dyadic) -> bool {
        let magnitude = number.mantissa().magnitude();
        let Some(zeros) = magnitude.trailing_zeros() else {
            return true;
        };
        if self.is_zero() || number.exponent() < self.unit {
            return false;
        }
        debug_assert_eq!(zeros, 0);
        let place = (number.exponent() - self.unit) as u64;
        let own = magnitude << place;
        let leading = number.exponent() + magnitude.bits() as i64 - 1;
        own <= self.most_at(place) && magnitude.bits() <= self.bits() && leading >= self.least
    }
}
