//! Claims that hold because nothing is lost.

use super::finding::{Conclusion, Finding};
use super::operands::Operands;
use super::sum::{Beyond, How, Leaf, Sum, Zero};
use super::units::Units;
use crate::algorithms::Signature;
use crate::float::{Format, Rounding};
use crate::model::Model;
use crate::property::{Bound, BoundUnit, Claim, Domain, Property};

/// Why the claim holds for all finite operands of its domain, if that is known: it is no more than
/// multiples and magnitudes tell. The domain is not empty then. `finite` says that no others are asked
/// about.
pub(crate) fn holds(claim: &Claim, finite: bool) -> Option<Finding> {
    let Claim {
        property,
        model,
        domain,
        ..
    } = claim;
    let operands = Operands::of(&model.signature(), domain)?;
    let is_finite = || finite || domain.is_finite();
    let question = Asked { model, operands };
    match property {
        Property::Equal(other) => is_finite().then(|| question.equals(model, other))?,
        Property::CarryBits(models) => {
            let [left, right] = &**models;
            is_finite().then(|| question.equals(left, right))?
        }
        Property::RoundsPartialSums(other) => is_finite().then(|| question.has_values_of(other))?,
        Property::Rounds(rounding) => question.whole(|rounded| rounded == *rounding),
        Property::ExactSums | Property::Faithful | Property::AccumulatesIn(_) => {
            question.whole(|_| true)
        }
        Property::Error(bound) => question.is_within(bound),
        Property::OrderIndependent(orders) if is_finite() && !orders.is_empty() => {
            question.in_any_order()
        }
        Property::MonotoneInC | Property::MonotoneInProducts if is_finite() => {
            question.is_monotone()
        }
        Property::SignSymmetric if is_finite() => question.is_symmetric(),
        Property::ZeroPadding(shorter) if is_finite() => question.equals_shorter(shorter),
        _ => None,
    }
}

/// Whether it is known that the domain holds finite inputs of the signature.
pub(crate) fn has_finite(signature: &Signature, domain: &Domain) -> bool {
    !domain.has_gaps() && Operands::of(signature, domain).is_some()
}

/// A model on operands.
struct Asked<'x> {
    model: &'x Model,
    operands: Operands,
}

/// The sum of all terms, rounded once or not at all.
struct Whole {
    sum: Sum,
    rounding: Option<Rounding>,
    /// Whether it could be rounded towards zero as well.
    either_way: bool,
}

impl Asked<'_> {
    fn finding(&self, conclusion: Conclusion) -> Option<Finding> {
        Some(Finding::of(&self.operands.terms(), conclusion))
    }

    fn results(&self, models: [&Model; 2]) -> Option<[Sum; 2]> {
        let mut units = Units::default();
        let mut run = |model: &Model| {
            let c = self.operands.addend();
            let sum = units.run(model.algorithm(), &self.operands.products, c);
            sum.map(in_order)
        };
        let [left, right] = models;
        Some([run(left)?, run(right)?])
    }

    fn equals(&self, left: &Model, right: &Model) -> Option<Finding> {
        let [x, y] = self.results([left, right])?;
        let is_known = x.zero != Zero::Unknown;
        (x == y && is_known).then(|| self.finding(self.alike()))?
    }

    fn alike(&self) -> Conclusion {
        match self.model.signature().is_integer() {
            true => Conclusion::SaturatedAlike,
            false => Conclusion::Alike,
        }
    }

    fn has_values_of(&self, other: &Model) -> Option<Finding> {
        let [x, y] = self.results([self.model, other])?;
        let are_finite = [&x, &y].iter().all(|sum| sum.overflow == Beyond::Nothing);
        let is_same = are_finite && x.leaves == y.leaves;
        is_same.then(|| self.finding(self.alike()))?
    }

    fn equals_shorter(&self, shorter: &Model) -> Option<Finding> {
        let count = shorter.signature().products as usize;
        let mut units = Units::default();
        let padded = self.operands.clone().with_zeros_from(count);
        let x = units.run(self.model.algorithm(), &padded.products, padded.addend())?;
        let first = self.operands.products.get(..count)?;
        let y = units.run(shorter.algorithm(), first, self.operands.addend())?;
        let (x, y) = (in_order(x), in_order(y));
        let is_known = x.zero != Zero::Unknown;
        (x == y && is_known).then(|| self.finding(self.alike()))?
    }

    /// The result, where it is the sum of all terms, rounded once at most, and finite.
    fn once(&self) -> Option<Whole> {
        let mut units = Units::default();
        let c = self.operands.addend();
        let sum = units.run(self.model.algorithm(), &self.operands.products, c)?;
        if sum.overflow != Beyond::Nothing {
            return None;
        }
        let mut all = self.operands.leaves();
        all.sort_unstable();
        let sum = in_order(sum);
        if sum.leaves == all {
            return Some(Whole {
                sum,
                rounding: None,
                either_way: false,
            });
        }
        let [Leaf::Rounded(number)] = sum.leaves[..] else {
            return None;
        };
        let rounded = units.rounded.get(number)?;
        let (rounding, either_way) = match rounded.how {
            How::Rounded { rounding, .. } => (rounding, false),
            How::RoundedEitherWay => (Rounding::Rne, true),
            How::Saturated { .. } => return None,
        };
        let is_whole = rounded.leaves == all && rounded.format == self.result();
        is_whole.then_some(Whole {
            sum,
            rounding: Some(rounding),
            either_way,
        })
    }

    fn result(&self) -> Format {
        self.model.signature().d
    }

    fn whole(&self, is_as_claimed: impl Fn(Rounding) -> bool) -> Option<Finding> {
        let whole = self.once()?;
        let holds = match whole.rounding {
            None => true,
            Some(_) if whole.either_way && is_as_claimed(Rounding::Rz) => true,
            Some(rounding) => is_as_claimed(rounding),
        };
        holds.then(|| self.finding(whole.conclusion()))?
    }

    fn is_within(&self, bound: &Bound) -> Option<Finding> {
        let whole = self.once()?;
        let at_least = |places: i64| {
            let leading = 63 - i64::from(bound.mantissa.leading_zeros());
            bound.mantissa > 0 && leading + bound.exponent >= places
        };
        let holds = match (whole.rounding, bound.unit) {
            (None, _) => true,
            // One last place of the result at most, and half of one to nearest.
            (Some(Rounding::Rne), BoundUnit::Ulp) => at_least(-1),
            (Some(_), BoundUnit::Ulp) => at_least(0),
            // The last place of the greatest result.
            (Some(rounding), BoundUnit::One) => {
                let (format, top) = (self.result(), whole.sum.values.top());
                let place = top.map(|top| top - i64::from(format.precision()));
                let place = place
                    .unwrap_or(i64::MIN)
                    .max(format.least_exponent().into());
                at_least(place - i64::from(rounding == Rounding::Rne))
            }
            (Some(_), BoundUnit::Max) => false,
        };
        holds.then(|| self.finding(whole.conclusion()))?
    }

    fn in_any_order(&self) -> Option<Finding> {
        let any = Asked {
            model: self.model,
            operands: self.operands.clone().in_any_order(),
        };
        let whole = any.once()?;
        let is_symmetric = match whole.sum.zero {
            Zero::Plus => true,
            // All products are among them, or not all are treated alike.
            Zero::SharedBy(leaves) => {
                let products = leaves.iter().filter(|leaf| **leaf != Leaf::Addend);
                products.count() == any.operands.products.len()
            }
            Zero::Unknown => false,
        };
        is_symmetric.then(|| any.finding(Conclusion::of(whole.rounding)))?
    }

    fn is_monotone(&self) -> Option<Finding> {
        let whole = self.once()?;
        let is_plus = whole.sum.zero == Zero::Plus;
        is_plus.then(|| self.finding(whole.conclusion()))?
    }

    /// Sets of multiples hold the negative of each of their numbers: what is known of operands holds of
    /// their negatives.
    fn is_symmetric(&self) -> Option<Finding> {
        let signature = self.model.signature();
        let formats = [signature.a, signature.c, signature.d];
        let has_both = |format: &Format| format.is_signed() && format.has_negative_zero();
        let is_odd = |rounding| matches!(rounding, Rounding::Rne | Rounding::Rz | Rounding::Ra);
        formats.iter().all(has_both).then(|| self.whole(is_odd))?
    }
}

impl Whole {
    fn conclusion(&self) -> Conclusion {
        Conclusion::of(self.rounding)
    }
}

/// Its leaves in order.
fn in_order(mut sum: Sum) -> Sum {
    sum.leaves.sort_unstable();
    if let Zero::SharedBy(leaves) = &mut sum.zero {
        leaves.sort_unstable();
    }
    sum
}
