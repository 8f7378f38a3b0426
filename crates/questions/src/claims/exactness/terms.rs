//! Terms of a sum that are aligned to a grid, which is a common last place: their exponents, and
//! whether alignment cuts any of their bits.

use super::operand::{OperandValues, highest_exponent};
use super::sum::Sum;
use super::units::Product;
use mmasmt_numbers::float::Format;

/// The exponent of a zero in the search for the largest exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZeroRule {
    /// No exponent: a zero takes no part in the search.
    Skip,
    /// The exponent that its field means.
    Raw,
    /// The exponent -126.
    Min,
}

impl ZeroRule {
    /// Whether a zero takes part in the search.
    pub fn counts_zero(self) -> bool {
        self != ZeroRule::Skip
    }
}

/// The exponent that a zero has under [`ZeroRule::Min`].
const ZERO_EXPONENT: i64 = -126;

/// A term of a sum on a grid.
#[derive(Clone)]
pub struct GridTerm {
    pub sum: Sum,
    /// The greatest exponent with which the term takes part in alignment; `None` if the term never
    /// does.
    pub exponent: Option<i64>,
    /// The greatest distance from the term's own exponent down to its last place; `None` if this
    /// distance is not known.
    pub fraction: Option<u32>,
}

impl GridTerm {
    /// Whether no bit of the term is cut if `places` places are kept below the largest exponent.
    /// The largest exponent is the exponent of this term or that of another term; no other term has
    /// an exponent above `others`.
    pub fn is_kept(&self, others: Option<i64>, places: u32) -> bool {
        let Some(unit) = self.sum.values.unit() else {
            return true;
        };
        let above = |exponent: i64| unit >= exponent - i64::from(places);
        let by_itself = self.fraction.is_some_and(|fraction| fraction <= places);
        others.is_none_or(above) && (by_itself || self.exponent.is_some_and(above))
    }

    /// The term after alignment cut its magnitude `places` places below `limit`, or at a higher
    /// place. The term becomes zero if all its values are below the lowest place kept.
    pub fn cut(self, limit: Option<i64>, places: u32) -> GridTerm {
        let lowest = limit.map(|limit| limit - i64::from(places));
        let top = self.sum.values.top();
        if lowest.zip(top).is_some_and(|(lowest, top)| top <= lowest) {
            GridTerm {
                sum: Sum::nothing().with_unknown_zero(),
                ..self
            }
        } else {
            self
        }
    }
}

/// The exact sum of the terms, if alignment cuts no bit while each term keeps its own number of places below the largest
/// exponent, or below `limit` if that is greater. `None` if a bit may be cut.
pub(super) fn uncut(terms: Vec<(GridTerm, u32)>, limit: Option<i64>) -> Option<GridTerm> {
    let exponents = terms.iter().filter_map(|(term, _)| term.exponent);
    let mut exponents: Vec<_> = exponents.collect();
    exponents.sort_unstable();
    let (largest, second) = (exponents.pop(), exponents.pop());
    let others = |term: &GridTerm| {
        if term.exponent == largest {
            limit.max(second)
        } else {
            limit.max(largest)
        }
    };
    let is_kept = |(term, places): &(GridTerm, u32)| term.is_kept(others(term), *places);
    if !terms.iter().all(is_kept) {
        return None;
    }
    // If several terms take part in alignment, the last place of their sum is not known.
    let fraction = match second {
        None => terms
            .iter()
            .find_map(|(term, _)| term.exponent.and(term.fraction)),
        Some(_) => None,
    };
    let sum = terms.into_iter().map(|(term, _)| term.sum);
    let sum = sum.reduce(Sum::plus);
    Some(GridTerm {
        sum: sum.unwrap_or_else(Sum::nothing),
        exponent: limit.max(largest),
        fraction: fraction.filter(|_| limit.is_none()),
    })
}

/// The greatest exponent that alignment may use for an operand.
pub fn exponent_of(operand: &OperandValues, format: &Format, rule: ZeroRule) -> i64 {
    let highest = highest_exponent(&operand.values, format);
    match rule {
        ZeroRule::Min => highest.max(ZERO_EXPONENT),
        ZeroRule::Skip | ZeroRule::Raw => highest,
    }
}

/// The product as a term of a sum on a grid, with the rules for zeros of its factors and of its scales; `up` is
/// added to its exponent.
pub(super) fn product_term(
    product: &Product,
    [a, b]: [&Format; 2],
    (rule, of_scales): (ZeroRule, [ZeroRule; 2]),
    up: u32,
) -> GridTerm {
    let sum = product.exact();
    let scales = || product.scales.iter().flatten();
    let up_to = scales()
        .zip(of_scales)
        .map(|((scale, format), rule)| exponent_of(scale, format, rule));
    let up_to = up_to.sum::<i64>() + i64::from(up);
    let places: u32 = scales().map(|(_, format)| format.fraction_bits).sum();
    let factors = exponent_of(&product.a, a, rule) + exponent_of(&product.b, b, rule);
    // A product takes part if all that it is made of does.
    let is_absent =
        |operand: &OperandValues, rule| rule == ZeroRule::Skip && operand.values.is_zero();
    let mut all = scales().zip(of_scales);
    let takes_part = !is_absent(&product.a, rule)
        && !is_absent(&product.b, rule)
        && !all.any(|((scale, _), rule)| is_absent(scale, rule));
    GridTerm {
        sum,
        exponent: takes_part.then_some(factors + up_to),
        fraction: Some(a.fraction_bits + b.fraction_bits + places + up),
    }
}

/// The accumulator as a term of a sum on a grid.
pub(super) fn addend_term(c: Sum, format: &Format, rule: ZeroRule) -> GridTerm {
    let highest = highest_exponent(&c.values, format);
    GridTerm {
        exponent: match rule {
            ZeroRule::Skip => (!c.values.is_zero()).then_some(highest),
            ZeroRule::Raw => Some(highest),
            ZeroRule::Min => Some(highest.max(ZERO_EXPONENT)),
        },
        fraction: Some(if c.values.goes_below(format.min_exponent().into()) {
            format.fraction_bits
        } else {
            (c.values.bits() as u32).saturating_sub(1)
        }),
        sum: c,
    }
}
