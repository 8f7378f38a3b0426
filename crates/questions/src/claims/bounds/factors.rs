//! The factors for which a bound holds, and the products whose computed exponent is too great.

use mmasmt_core::machines::algorithms::{Signature, ZeroRule};
use mmasmt_core::numbers::float::{Exponents, Format};

/// The factors for which a bound holds: zeros, and numbers with these exponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factors {
    /// Exponents of `a`.
    pub a: Exponents,
    /// Exponents of `b`.
    pub b: Exponents,
    /// How a bound counts the error from subnormal factors, and from subnormal parts of split
    /// factors.
    pub underflow: Underflow,
}

/// How a bound counts the error from subnormal factors, and from subnormal parts of split factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Underflow {
    /// The error is absolute: it does not shrink with the operands. The factors may have any
    /// exponent.
    Absolute,
    /// The error is relative to the products. This is possible because the factors have a least
    /// exponent.
    Relative,
}

impl Factors {
    /// All finite factors of the formats.
    pub fn finite(signature: &Signature) -> Factors {
        Factors {
            a: Exponents::finite(&signature.a),
            b: Exponents::finite(&signature.b),
            underflow: Underflow::Absolute,
        }
    }

    /// Normal factors and zeros. For them, the part of a bound that does not shrink with the
    /// operands is smaller.
    pub fn normal(signature: &Signature) -> Factors {
        Factors {
            a: Exponents::normal(&signature.a),
            b: Exponents::normal(&signature.b),
            underflow: Underflow::Absolute,
        }
    }

    /// Zeros and numbers with these exponents, for `a` and for `b`. The formats of `a` and of `b`
    /// have all these exponents.
    pub fn between(exponents: Exponents) -> Factors {
        Factors {
            a: exponents,
            b: exponents,
            underflow: Underflow::Relative,
        }
    }

    /// The same factors, but exponents below the least normal exponent are raised to that exponent.
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

/// The low products: products whose computed exponent is greater than the exponent of their value.
/// A low product has a subnormal factor, or a zero factor to which the rule for zeros gives an
/// exponent.
pub(super) struct Low {
    /// The greatest computed exponent of a low product whose error is counted as absolute; `None`
    /// if there is no such product.
    pub exponent: Option<i64>,
    /// The most by which the computed exponent of a low product exceeds its true exponent. Only
    /// products whose error is counted as relative to the product are considered; `None` if there
    /// is no such product.
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
        // Every zero factor counts as 2^-126, whatever its format.
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
