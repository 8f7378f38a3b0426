//! Quotients of exact binary fractions, compared without rounding.

use mmasmt_numbers::float::Dyadic;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// A quotient of two non-negative numbers. `0/0` is 0; any other number divided by 0 is infinite.
#[derive(Clone, Debug)]
pub struct Quotient {
    numerator: Dyadic,
    denominator: Dyadic,
}

impl Quotient {
    /// The magnitude of `numerator` divided by that of `denominator`.
    pub fn new(numerator: &Dyadic, denominator: &Dyadic) -> Self {
        let magnitude = |x: &Dyadic| Dyadic::new(x.mantissa().abs(), x.exponent());
        let denominator = if numerator.mantissa().is_zero() {
            Dyadic::new(BigInt::from(1), 0)
        } else {
            magnitude(denominator)
        };
        Quotient {
            numerator: magnitude(numerator),
            denominator,
        }
    }

    /// Twice the quotient.
    #[must_use]
    pub fn doubled(&self) -> Quotient {
        Quotient {
            numerator: self.numerator.shifted(1),
            denominator: self.denominator.clone(),
        }
    }

    /// The infinite quotient.
    pub fn infinite() -> Self {
        let number = |mantissa: i32| Dyadic::new(BigInt::from(mantissa), 0);
        Quotient::new(&number(1), &number(0))
    }

    /// Whether the quotient is infinite.
    pub fn is_infinite(&self) -> bool {
        self.denominator.mantissa().is_zero()
    }

    /// The two numbers of `bits` significant bits that enclose the quotient: the greatest one that
    /// is not above it, and the least one that is not below it; `None` if the quotient is infinite.
    /// `bits` is at least 1.
    pub fn between(&self, bits: u32) -> Option<[Dyadic; 2]> {
        if self.is_infinite() {
            return None;
        }
        let (numerator, denominator) = (self.numerator.mantissa(), self.denominator.mantissa());
        // The quotient of the mantissas gets `bits` bits, or one more.
        let missing = i64::from(bits) + denominator.bits() as i64 - numerator.bits() as i64;
        let up = missing.max(0);
        let (quotient, rest) = (numerator << up).div_rem(denominator);
        let excess = (quotient.bits() as i64 - i64::from(bits)).max(0);
        let low: BigInt = &quotient >> excess;
        let exact = rest.is_zero() && &low << excess == quotient;
        let high = &low + BigInt::from(u8::from(!exact));
        let unit = self.numerator.exponent() - self.denominator.exponent() - up + excess;
        Some([low, high].map(|mantissa| Dyadic::new(mantissa, unit)))
    }

    /// The quotient as a host number, cut to 53 bits, for tables and plots; infinite for the
    /// infinite quotient.
    pub fn approximate(&self) -> f64 {
        let Some([below, _]) = self.between(53) else {
            return f64::INFINITY;
        };
        // Scales in two steps, since one power of two may be beyond the normal numbers of the host.
        let half = (below.exponent() / 2) as i32;
        let rest = (below.exponent() - i64::from(half)) as i32;
        below.mantissa().to_f64().unwrap_or(f64::INFINITY) * 2f64.powi(half) * 2f64.powi(rest)
    }
}

impl Ord for Quotient {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.is_infinite() || other.is_infinite() {
            return self.is_infinite().cmp(&other.is_infinite());
        }
        let left = self.numerator.times(&other.denominator);
        let right = other.numerator.times(&self.denominator);
        match left.minus(&right) {
            rest if rest.is_negative() => Ordering::Less,
            rest if rest.mantissa().is_zero() => Ordering::Equal,
            _ => Ordering::Greater,
        }
    }
}

impl PartialOrd for Quotient {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Quotient {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Quotient {}

/// Written as `0x1.8p-3`. A quotient of more than 33 significant bits is truncated, with a leading
/// `~`.
impl fmt::Display for Quotient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.between(33) {
            None => f.write_str("infinite"),
            Some([below, above]) if below == above => write!(f, "{below}"),
            Some([below, _]) => write!(f, "~{below}"),
        }
    }
}
