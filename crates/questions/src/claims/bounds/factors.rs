//! The factors for which a bound holds, and the products whose exponent is computed too great.

use mmasmt_core::machines::algorithms::{Signature, ZeroRule};
use mmasmt_core::numbers::float::{Exponents, Format};

/// The factors for which a bound holds: zeros, and numbers of these exponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factors {
    /// Exponents of `a`.
    pub a: Exponents,
    /// Exponents of `b`.
    pub b: Exponents,
    /// How the cost of subnormal factors and parts is counted.
    pub underflow: Underflow,
}

/// How the cost of subnormal factors and parts is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Underflow {
    /// As a number that does not shrink with the operands, for factors of any exponent.
    Absolute,
    /// Relative to the products, as the least exponent allows.
    Relative,
}

impl Factors {
    /// All finite factors.
    pub fn finite(signature: &Signature) -> Factors {
        Factors {
            a: Exponents::finite(&signature.a),
            b: Exponents::finite(&signature.b),
            underflow: Underflow::Absolute,
        }
    }

    /// Normal numbers and zeros: the part of a bound that does not shrink with the operands is
    /// smaller.
    pub fn normal(signature: &Signature) -> Factors {
        Factors {
            a: Exponents::normal(&signature.a),
            b: Exponents::normal(&signature.b),
            underflow: Underflow::Absolute,
        }
    }

    /// Numbers of these exponents, which their formats have.
    pub fn between(exponents: Exponents) -> Factors {
        Factors {
            a: exponents,
            b: exponents,
            underflow: Underflow::Relative,
        }
    }

    /// The same factors as if there were no subnormal numbers.
    pub(super) fn as_normal(self, [a, b]: [&Format; 2]) -> Factors {
        let raised = |of: Exponents, format: &Format| Exponents {
            lowest: of.lowest.max(format.min_exponent()),
            ..of
        };
        Factors {
            a: raised(self.a, a),
            b: raised(self.b, b),
            ..self
        }
    }
}

/// Products whose computed exponent is greater than that of their value: products of a subnormal
/// factor, or of a zero under its rule.
pub(super) struct Low {
    /// The greatest exponent of such a product, if there are any and it is counted so.
    pub exponent: Option<i64>,
    /// The largest excess of the computed exponent over the true one, if it is counted so.
    pub excess: Option<i64>,
}

pub(super) fn low_products([a, b]: [&Format; 2], zero: ZeroRule, factors: Factors) -> Low {
    let highest = |format: &Format, of: Exponents| format.max_exponent().min(of.highest);
    let [highest_a, highest_b] = [highest(a, factors.a), highest(b, factors.b)];
    let with = |low_a: i32, low_b: i32| (low_a + highest_b).max(low_b + highest_a);
    let missing = |format: &Format, of: Exponents| (format.min_exponent() - of.lowest).max(0);
    let [missing_a, missing_b] = [missing(a, factors.a), missing(b, factors.b)];
    let of_a = (missing_a > 0).then(|| a.min_exponent() + highest_b);
    let of_b = (missing_b > 0).then(|| b.min_exponent() + highest_a);
    let of_subnormal = of_a.max(of_b);
    let of_zeros = match zero {
        ZeroRule::Skip => None,
        ZeroRule::Raw => Some(with(a.min_exponent(), b.min_exponent())),
        // Zeros count as 2^-126 in every format.
        ZeroRule::Min => Some(with(-126, -126)),
    };
    let excess = missing_a + missing_b;
    match factors.underflow {
        Underflow::Absolute => Low {
            exponent: of_subnormal.max(of_zeros).map(i64::from),
            excess: None,
        },
        Underflow::Relative => Low {
            exponent: of_zeros.map(i64::from),
            excess: (excess > 0).then_some(excess.into()),
        },
    }
}
