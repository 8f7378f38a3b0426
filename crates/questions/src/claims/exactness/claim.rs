//! Proofs of claims from multiples and magnitudes.

use super::cases::Cases;
use super::finding::{ExactnessConclusion, Finding};
use super::integers::has_other_integers;
use super::operands::DomainOperands;
use super::rounded::SumConversion;
use super::sum::{OverflowValue, Sum, SumLeaf, Zero};
use super::units::Units;
use crate::claims::property::{
    Bound, BoundUnit, CarryBits, Claim, Domain, EqualResults, ErrorLimit, OrderIndependent,
    Property, RelativeBound, Rounds, RoundsPartialSums, ZeroPadding,
};
use mmasmt_core::machines::algorithms::descriptions::Program;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, Overflow, Rounding};

/// The finding from which the claim follows for all finite operands of its domain; `None` if
/// multiples and magnitudes do not show the claim. The domain may still contain no operands.
/// `finite` says that only finite operands are asked about.
pub fn holds(claim: &Claim, finite: bool) -> Option<Finding> {
    let Claim {
        property,
        model,
        domain,
        ..
    } = claim;
    let operands = DomainOperands::of(&model.signature(), domain)?;
    let is_finite = || finite || domain.is_finite();
    let question = ClaimSubject {
        model,
        domain,
        operands,
    };
    match property {
        Property::Equal(EqualResults(other)) => {
            is_finite().then(|| question.equals(model, other))?
        }
        Property::CarryBits(CarryBits(models)) => {
            let [left, right] = &**models;
            is_finite().then(|| question.equals(left, right))?
        }
        Property::RoundsPartialSums(RoundsPartialSums(other)) => {
            is_finite().then(|| question.has_values_of(other))?
        }
        // These speak of finite results, or of sums that the result has: infinities of sums that are
        // rounded once do not count.
        Property::Rounds(Rounds(rounding)) => {
            question.whole(question.or_infinite(), |rounded| rounded == *rounding)
        }
        Property::ExactSums(_) | Property::Faithful(_) => {
            question.whole(question.or_infinite(), |_| true)
        }
        // A sum that is beyond a register on the way is a number of its own.
        Property::Exact(_) => question.whole(question.once(), |_| false),
        Property::NoOverflow(_) if has_other_integers(model) => None,
        Property::NoOverflow(_) => question.whole(question.once(), |_| false),
        Property::AccumulatesIn(_) => question.whole(question.once(), |_| true),
        Property::Error(ErrorLimit::Units(bound)) => question.is_within(bound),
        Property::Error(ErrorLimit::Relative(bound)) => question.is_relatively_within(bound),
        Property::OrderIndependent(OrderIndependent(orders))
            if is_finite() && !orders.is_empty() =>
        {
            question.in_any_order()
        }
        Property::MonotoneInC(_) | Property::MonotoneInProducts(_) if is_finite() => {
            question.is_monotone()
        }
        Property::SignSymmetric(_) if is_finite() => question.is_symmetric(),
        Property::ZeroPadding(ZeroPadding(shorter)) if is_finite() => {
            question.equals_shorter(shorter)
        }
        _ => None,
    }
}

/// A model, and the operands that it is asked about.
struct ClaimSubject<'x> {
    model: &'x Model,
    domain: &'x Domain,
    operands: DomainOperands,
}

/// The results of two models.
struct Results {
    both: [Sum; 2],
    /// Whether a nonzero value may have become zero because it was too small.
    has_lost: bool,
}

impl Results {
    fn of([left, right]: [&Program; 2], operands: &DomainOperands) -> Option<Results> {
        let mut units = Units::default();
        let mut run = |model: &Program| {
            let sum = units.run(model, &operands.products, operands.addend());
            sum.map(canonical)
        };
        Some(Results {
            both: [run(left)?, run(right)?],
            has_lost: units.rounded.has_lost,
        })
    }

    fn are_equal(&self) -> bool {
        let [x, y] = &self.both;
        // Several leaves, of which some overflowed, may be any number.
        let is_known = x.overflow != OverflowValue::Unknown || x.leaves.len() == 1;
        x == y && x.zero != Zero::Unknown && is_known
    }
}

/// The sum of all terms, rounded once or not at all.
struct WholeSum {
    sum: Sum,
    rounding: Option<Rounding>,
    /// Whether rounding to nearest even and rounding towards zero give the same result.
    either_way: bool,
}

impl ClaimSubject<'_> {
    fn finding(&self, conclusion: ExactnessConclusion) -> Option<Finding> {
        Some(Finding::of(&self.operands.terms(), conclusion))
    }

    fn equals(&self, left: &Model, right: &Model) -> Option<Finding> {
        let [left, right] = [left, right].map(|model| model.algorithm().steps());
        let models = [&left?, &right?];
        if let Some(results) = Results::of(models, &self.operands).filter(Results::are_equal) {
            return self.finding(self.alike(results.has_lost));
        }
        let signature = self.model.signature();
        let cases = Cases::of(&self.operands, &signature, self.domain)?;
        let are_equal = |operands: &DomainOperands| {
            Results::of(models, operands).is_some_and(|results| results.are_equal())
        };
        self.finding(ExactnessConclusion::AlikeInCases(cases.all(are_equal)?))
    }

    fn alike(&self, has_lost: bool) -> ExactnessConclusion {
        match self.model.signature().is_integer() {
            true => ExactnessConclusion::SaturatedAlike,
            false if has_lost => ExactnessConclusion::LostAlike,
            false => ExactnessConclusion::Alike,
        }
    }

    fn has_values_of(&self, other: &Model) -> Option<Finding> {
        let [left, right] = [self.model, other].map(|model| model.algorithm().steps());
        let results = Results::of([&left?, &right?], &self.operands)?;
        let [x, y] = &results.both;
        let are_finite = [x, y]
            .iter()
            .all(|sum| sum.overflow == OverflowValue::Nothing);
        let is_same = are_finite && x.leaves == y.leaves;
        is_same.then(|| self.finding(self.alike(results.has_lost)))?
    }

    fn equals_shorter(&self, shorter: &Model) -> Option<Finding> {
        let count = shorter.signature().products as usize;
        let mut units = Units::default();
        let padded = self.operands.clone().with_zeros_from(count);
        let [long, short] = [self.model, shorter].map(|model| model.algorithm().steps());
        let x = units.run(&long?, &padded.products, padded.addend())?;
        let first = self.operands.products.get(..count)?;
        let y = units.run(&short?, first, self.operands.addend())?;
        let results = Results {
            both: [canonical(x), canonical(y)],
            has_lost: units.rounded.has_lost,
        };
        let are_equal = results.are_equal();
        are_equal.then(|| self.finding(self.alike(results.has_lost)))?
    }

    /// The result, if it is finite and is the sum of all terms, rounded at most once; else `None`.
    fn once(&self) -> Option<WholeSum> {
        self.rounded_once(|overflow, _| overflow == OverflowValue::Nothing)
    }

    /// The same, where the sum may also become an infinity as it is rounded, or the greatest number as IEEE 754 says.
    fn or_infinite(&self) -> Option<WholeSum> {
        self.rounded_once(|overflow, is_ieee| overflow != OverflowValue::Unknown || is_ieee)
    }

    /// `is_taken` is given what the result may be in place of the sum, and whether that is as in IEEE 754.
    fn rounded_once(&self, is_taken: impl Fn(OverflowValue, bool) -> bool) -> Option<WholeSum> {
        let mut units = Units::default();
        let c = self.operands.addend();
        let steps = self.model.algorithm().steps()?;
        let sum = units.run(&steps, &self.operands.products, c)?;
        let mut all = self.operands.leaves();
        // An integer unit without an accumulator has the sum of its products alone.
        if self.model.signature().is_integer() && !self.model.reads_c() {
            all.retain(|leaf| *leaf != SumLeaf::Addend);
        }
        all.sort_unstable();
        let sum = in_order(sum);
        if sum.leaves == all {
            return is_taken(sum.overflow, false).then_some(WholeSum {
                sum,
                rounding: None,
                either_way: false,
            });
        }
        let [SumLeaf::Rounded(number)] = sum.leaves[..] else {
            return None;
        };
        let rounded = units.rounded.get(number)?;
        let (rounding, either_way) = match rounded.how {
            SumConversion::Rounded { rounding, .. } => (rounding, false),
            SumConversion::RoundedEitherWay => (Rounding::Rne, true),
            SumConversion::Flushed | SumConversion::Saturated { .. } | SumConversion::Wrapped => {
                return None;
            }
        };
        let is_whole = rounded.leaves == all && rounded.format == self.result();
        let is_ieee = rounded.format.has_infinity() && rounded.overflows_by(Overflow::Ieee);
        (is_whole && is_taken(sum.overflow, is_ieee)).then_some(WholeSum {
            sum,
            rounding: Some(rounding),
            either_way,
        })
    }

    fn result(&self) -> Format {
        self.model.signature().d
    }

    fn whole(
        &self,
        whole: Option<WholeSum>,
        is_as_claimed: impl Fn(Rounding) -> bool,
    ) -> Option<Finding> {
        let whole = whole?;
        let holds = match whole.rounding {
            None => true,
            Some(_) if whole.either_way && is_as_claimed(Rounding::Rz) => true,
            Some(rounding) => is_as_claimed(rounding),
        };
        holds.then(|| self.finding(whole.conclusion()))?
    }

    /// The finding if the relative error is within the bound. A bound relative to the exact sum
    /// implies the same bound relative to the sum of magnitudes, which is not smaller.
    fn is_relatively_within(&self, bound: &RelativeBound) -> Option<Finding> {
        let whole = self.once()?;
        let format = self.result();
        let holds = whole.rounding.is_none_or(|rounding| {
            // Sums below the normal numbers are not rounded if all terms are multiples of the least
            // positive number.
            let unit = self.operands.terms().unit();
            let is_exact_below = unit.is_none_or(|unit| unit >= i64::from(format.least_exponent()));
            let places = 1 - i64::from(format.precision()) - i64::from(rounding == Rounding::Rne);
            is_exact_below && is_power_within(places, bound.mantissa, bound.exponent)
        });
        holds.then(|| self.finding(whole.conclusion()))?
    }

    fn is_within(&self, bound: &Bound) -> Option<Finding> {
        let whole = self.once()?;
        let at_least = |places: i64| is_power_within(places, bound.mantissa, bound.exponent);
        let holds = match (whole.rounding, bound.unit) {
            (None, _) => true,
            // The error is at most one ulp of the result, or half an ulp if rounding is to nearest.
            (Some(Rounding::Rne), BoundUnit::Ulp) => at_least(-1),
            (Some(_), BoundUnit::Ulp) => at_least(0),
            // Compare with the last place of the greatest result.
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

    /// Factors that change places take the scale of their new block, so the sum stays the same where all blocks have
    /// one scale.
    fn in_any_order(&self) -> Option<Finding> {
        if !self.has_one_scale() {
            return None;
        }
        let any = ClaimSubject {
            model: self.model,
            domain: self.domain,
            operands: self.operands.clone().in_any_order(),
        };
        let whole = any.once()?;
        let is_symmetric = match whole.sum.zero {
            Zero::Plus => true,
            // The order does not matter if the sign of the zero depends on all products alike.
            Zero::SharedBy(all) => {
                let products = all.iter().filter(|minus| minus.leaf() != SumLeaf::Addend);
                products.count() == any.operands.products.len()
            }
            Zero::Unknown => false,
        };
        is_symmetric.then(|| any.finding(ExactnessConclusion::of(whole.rounding)))?
    }

    /// Whether no two blocks have different scales in an input of the domain.
    fn has_one_scale(&self) -> bool {
        let signature = self.model.signature();
        let blocks = signature.scale_count() as usize;
        let first = 2 * signature.products as usize + 1;
        (1..blocks).all(|block| {
            [first, first + blocks]
                .iter()
                .all(|side| self.domain.are_same(*side, side + block))
        })
    }

    fn is_monotone(&self) -> Option<Finding> {
        let whole = self.once()?;
        let is_plus = whole.sum.zero == Zero::Plus;
        is_plus.then(|| self.finding(whole.conclusion()))?
    }

    /// The finding if the model is symmetric in the sign. Sets of multiples are symmetric in the
    /// sign, so the analysis of the operands also holds for their negatives.
    fn is_symmetric(&self) -> Option<Finding> {
        let signature = self.model.signature();
        let formats = [signature.a, signature.c, signature.d];
        let has_both = |format: &Format| format.is_signed() && format.has_negative_zero();
        let is_odd = |rounding| matches!(rounding, Rounding::Rne | Rounding::Rz | Rounding::Ra);
        let are_symmetric = formats.iter().all(has_both);
        are_symmetric.then(|| self.whole(self.once(), is_odd))?
    }
}

/// Whether `2^power` is at most `mantissa * 2^exponent`.
fn is_power_within(power: i64, mantissa: u64, exponent: i64) -> bool {
    mantissa
        .checked_ilog2()
        .is_some_and(|leading| i64::from(leading) + exponent >= power)
}

impl WholeSum {
    fn conclusion(&self) -> ExactnessConclusion {
        ExactnessConclusion::of(self.rounding)
    }
}

/// The canonical form of a sum, in which equal sums are identical: leaves are sorted, and a sum
/// that is always zero has no leaves.
fn canonical(sum: Sum) -> Sum {
    if sum.values.is_zero() {
        in_order(Sum {
            leaves: Vec::new(),
            ..sum
        })
    } else {
        in_order(sum)
    }
}

/// The sum with its leaves in sorted order.
fn in_order(mut sum: Sum) -> Sum {
    sum.leaves.sort_unstable();
    if let Zero::SharedBy(leaves) = &mut sum.zero {
        leaves.sort_unstable();
    }
    sum
}
