//! The error of a result in several units.

use super::exact_sum::ExactSum;
use super::quotient::Quotient;
use mmasmt_numbers::float::{Dyadic, Format};
use num_bigint::BigInt;
use num_traits::One;

/// The unit in which the distance of a result from the exact sum is measured. Its name is the
/// suffix of a bound in `error=BOUND`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The number 1.
    Absolute,
    /// The unit in the last place of the result; for a zero or a subnormal result, the least
    /// positive number of its format.
    Ulp,
    /// The magnitude of the exact sum.
    Relative,
    /// The sum of the magnitudes of the terms: Σ|a\[k\]·b\[k\]| + |c|.
    RelativeToSum,
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 4] = [
        Measure::Absolute,
        Measure::Ulp,
        Measure::Relative,
        Measure::RelativeToSum,
    ];

    /// The measure called `abs`, `ulp`, `rel` or `sum`; `None` for another name.
    pub fn named(name: &str) -> Option<Measure> {
        Measure::ALL
            .into_iter()
            .find(|measure| measure.name() == name)
    }

    /// The name of the measure: `abs`, `ulp`, `rel` or `sum`.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Absolute => "abs",
            Measure::Ulp => "ulp",
            Measure::Relative => "rel",
            Measure::RelativeToSum => "sum",
        }
    }

    /// The unit of the measure, for a person.
    pub fn describe(self) -> &'static str {
        match self {
            Measure::Absolute => "absolute",
            Measure::Ulp => "last places of the result",
            Measure::Relative => "relative to the exact sum",
            Measure::RelativeToSum => "relative to the sum of magnitudes",
        }
    }

    /// The distance of the register `d` of `format` from the exact sum; `None` if `d` is not
    /// finite.
    pub fn error(self, format: &Format, d: u64, exact: &ExactSum) -> Option<Quotient> {
        let error = Dyadic::of(format, d)?.minus(&exact.value);
        let power = |exponent| Dyadic::new(BigInt::one(), exponent);
        Some(match self {
            Measure::Absolute => Quotient::new(&error, &power(0)),
            Measure::Ulp => Quotient::new(&error, &power(format.number(d)?.exponent)),
            Measure::Relative => Quotient::new(&error, &exact.value),
            Measure::RelativeToSum => Quotient::new(&error, &exact.magnitudes),
        })
    }
}
