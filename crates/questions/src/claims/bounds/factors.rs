//! The factors for which a bound holds, and the products whose computed exponent is too great.

use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::algorithms::descriptions::ValueKind;
use mmasmt_numbers::float::{Dyadic, Exponents, Format};

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
    /// The exponent of a power of two that every product of the two scales of a block is below; `None` if the
    /// scales are any finite numbers, or there are none.
    pub scales_below: Option<i64>,
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
            scales_below: None,
        }
    }

    /// Normal factors and zeros. For them, the part of a bound that does not shrink with the
    /// operands is smaller.
    pub fn normal(signature: &Signature) -> Factors {
        Factors {
            a: Exponents::normal(&signature.a),
            b: Exponents::normal(&signature.b),
            underflow: Underflow::Absolute,
            scales_below: None,
        }
    }

    /// Zeros and numbers with these exponents, for `a` and for `b`. The formats of `a` and of `b`
    /// have all these exponents.
    pub fn between(exponents: Exponents) -> Factors {
        Factors {
            a: exponents,
            b: exponents,
            underflow: Underflow::Relative,
            scales_below: None,
        }
    }

    /// The same factors, where every product of the two scales of a block is below 2 to the power of `exponent`.
    #[must_use]
    pub fn with_scales_below(self, exponent: i64) -> Factors {
        let scales_below = Some(exponent);
        Factors {
            scales_below,
            ..self
        }
    }

    /// The same factors, with zeros whose scales are 1 as well, which fill up a run that has fewer products than its unit.
    pub(super) fn filled_up(self) -> Factors {
        Factors {
            scales_below: self.scales_below.map(|exponent| exponent.max(1)),
            ..self
        }
    }

    /// The same factors, but exponents below the least normal exponent are raised to that exponent.
    pub(super) fn as_normal(self, [a, b]: [Format; 2]) -> Factors {
        let raised = |of: Exponents, format: &Format| Exponents {
            lowest: of.lowest.max(format.min_exponent()),
            highest: of.highest.max(format.min_exponent()),
        };
        Factors {
            a: raised(self.a, &a),
            b: raised(self.b, &b),
            ..self
        }
    }
}

/// The low products: products whose computed exponent is greater than the exponent of their value.
/// A low product has a subnormal factor, or a zero factor to which the rule for zeros gives an
/// exponent.
pub(super) struct LowProducts {
    /// The greatest computed exponent of a low product whose error is counted as absolute; `None`
    /// if there is no such product.
    pub exponent: Option<i64>,
    /// The most by which the computed exponent of a low product exceeds its true exponent. Only
    /// products whose error is counted as relative to the product are considered; `None` if there
    /// is no such product.
    pub excess: Option<i64>,
}

/// The format of a factor, and the exponent of a zero factor, if zeros have one.
pub(super) type FactorFormat = (Format, Option<i64>);

pub(super) fn low_products([a, b]: [FactorFormat; 2], factors: Factors) -> LowProducts {
    // A subnormal number has the exponent of the least normal one.
    let highest = |format: &Format, of: Exponents| {
        let highest = format.max_exponent().min(of.highest);
        i64::from(highest.max(format.min_exponent()))
    };
    let [highest_a, highest_b] = [highest(&a.0, factors.a), highest(&b.0, factors.b)];
    let missing =
        |format: &Format, of: Exponents| i64::from((format.min_exponent() - of.lowest).max(0));
    let [missing_a, missing_b] = [missing(&a.0, factors.a), missing(&b.0, factors.b)];
    let of_a = (missing_a > 0).then(|| i64::from(a.0.min_exponent()) + highest_b);
    let of_b = (missing_b > 0).then(|| i64::from(b.0.min_exponent()) + highest_a);
    let of_subnormal = of_a.max(of_b);
    // A product takes part if both factors do: a zero that has an exponent, and a number or such a zero.
    let of_zero_a =
        a.1.map(|zero| zero + highest_b.max(b.1.unwrap_or(highest_b)));
    let of_zero_b =
        b.1.map(|zero| zero + highest_a.max(a.1.unwrap_or(highest_a)));
    let of_zeros = of_zero_a.max(of_zero_b);
    let excess = missing_a + missing_b;
    match factors.underflow {
        Underflow::Absolute => LowProducts {
            exponent: of_subnormal.max(of_zeros),
            excess: None,
        },
        Underflow::Relative => LowProducts {
            exponent: of_zeros,
            excess: (excess > 0).then_some(excess),
        },
    }
}

/// Whether the format has all finite numbers of `other`, the greatest ones too.
pub(in crate::claims) fn has_numbers_of(format: &Format, other: &Format) -> bool {
    let [own, greatest] = [format, other].map(|one| Dyadic::of(one, one.greatest()));
    let is_held = own
        .zip(greatest)
        .is_some_and(|(own, greatest)| !greatest.magnitude_exceeds(&own));
    format.has_all_of(other) && is_held
}

/// True if the code 0 of the register is zero: a scale has none.
pub(in crate::claims) fn has_zero(kind: &ValueKind) -> bool {
    matches!(kind, ValueKind::Register(format) if format.has_zero())
}
