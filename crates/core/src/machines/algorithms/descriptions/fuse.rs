//! Sums of numbers: exact, or fused, which means aligned to the greatest exponent and cut.

use super::align::{align, loses};
use super::magnitude::{again, rounded};
use super::number::{ExactNumber, TermSummary, exponent_width};
use super::program::{Extent, Fuse, FusedTerm, NegativeForm, SumZeros};
use crate::machines::algorithms::{FusedStages, Grid, SumOverflow, Summand, ValueLabel};
use mmasmt_numbers::bits::{Bv, Prop, mux};
use mmasmt_numbers::float::Rounding;

/// The exact sum, in fixed point.
pub(super) fn sum<B: Bv>(
    terms: &[(&ExactNumber<B>, Extent)],
    zeros: SumZeros,
    extent: &Extent,
) -> ExactNumber<B> {
    let placed = terms.iter().map(|(term, own)| placed(term, own, extent));
    let total = B::sum(&placed.collect::<Vec<_>>());
    of_sum(total, &gathered(terms), zeros, extent)
}

/// The exact sum whose two's complement is `total`.
pub(super) fn of_sum<B: Bv>(
    total: B,
    terms: &TermSummary<B>,
    zeros: SumZeros,
    extent: &Extent,
) -> ExactNumber<B> {
    let absent = match zeros {
        SumZeros::None => total.is_zero(),
        SumZeros::Terms => terms.absent.clone(),
        SumZeros::Field => B::Bool::constant(false),
    };
    of_complement(total, B::lit(1, 0), absent, terms, extent)
}

/// A term of an exact sum in two's complement, as wide as the sum.
#[inline(always)]
pub(super) fn placed<B: Bv>(term: &ExactNumber<B>, own: &Extent, extent: &Extent) -> B {
    let width = extent.width + 1;
    // The place of the last bit above that of the sum, for the lowest exponent.
    let place = own.lowest - own.fraction + extent.fraction;
    if let (Some(value), 0, true) = (&term.complement, place, own.lowest == own.highest) {
        return value.sext(width.max(value.width())).resize(width);
    }
    let low = u32::try_from(place).unwrap_or(0);
    let magnitude = term.significand.widen_low(low);
    let magnitude = magnitude
        .zext(width.max(magnitude.width()))
        .shl(&term.exponent);
    magnitude.resize(width).neg_if(&term.special.sign)
}

fn gathered<B: Bv>(terms: &[(&ExactNumber<B>, Extent)]) -> TermSummary<B> {
    let terms = terms.iter();
    terms.fold(TermSummary::none(), |all, (term, _)| all.with(term))
}

/// The number with this two's complement and exponent, made of `terms`.
fn of_complement<B: Bv>(
    total: B,
    exponent: B,
    absent: B::Bool,
    terms: &TermSummary<B>,
    extent: &Extent,
) -> ExactNumber<B> {
    let negative = total.msb();
    let magnitude = total.neg_if(&negative).resize(extent.width);
    ExactNumber {
        zero: total.is_zero(),
        significand: magnitude,
        exponent,
        special: terms.specials.of_sum(&negative),
        absent,
        signs: terms.signs.clone(),
        complement: Some(total),
        sticky: None,
    }
}

/// The form of a fused sum, from those of its terms.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Form {
    /// The least exponent of a term, and the width of exponents that are counted from it.
    lowest: i64,
    width: u32,
    /// The lower limit of the exponent, if it is above the least one.
    limit: Option<i64>,
    /// Fraction bits of the sum, and the most that a term has.
    fraction: u32,
    finest: i64,
    /// The width of the exact sum of what is kept, with its sign.
    exact: u32,
    /// The form of the sum.
    extent: Extent,
}

impl Form {
    pub(super) fn of(step: &Fuse, terms: &[Extent], extent: &Extent) -> Form {
        let lowest = step.lowest(terms).min(extent.lowest);
        let highest = terms.iter().map(|own| own.highest).max().unwrap_or(0);
        let limit = step.least.filter(|least| *least > lowest);
        let search = Extent {
            lowest,
            highest: highest.max(limit.unwrap_or(i64::MIN)),
            ..*extent
        };
        let finest = terms.iter().map(|own| own.fraction.max(0)).max();
        Form {
            lowest,
            width: exponent_width(&search),
            limit,
            fraction: step.fraction(),
            finest: finest.unwrap_or(0),
            exact: step.width.map_or(extent.width + 1, |_| wide(step, terms)),
            extent: *extent,
        }
    }

    /// What the stages record of a sum of this form.
    pub(super) fn grid(&self, (what, index): ValueLabel) -> Grid {
        Grid {
            exponent_offset: self.lowest as i32,
            what,
            index,
            term_fraction: self.finest as u32,
            fraction_bits: self.fraction,
            ..Grid::NONE
        }
    }

    /// The number as a term, and the exponent that it is compared by. A number that takes no part
    /// has the least exponent of all.
    #[inline(always)]
    pub(super) fn term<B: Bv>(
        &self,
        term: &ExactNumber<B>,
        own: &Extent,
        is_least_if_absent: bool,
    ) -> (Summand<B>, B) {
        let exponent = term.rebased(own.lowest, self.lowest, self.width);
        let exponent = match is_least_if_absent {
            true => exponent,
            false => mux(&term.absent, &B::lit(self.width, 0), &exponent),
        };
        (term.summand((self.finest - own.fraction) as u32), exponent)
    }

    /// A term on the grid of the sum, and whether alignment lost a one of it, if the sum keeps that.
    #[inline(always)]
    pub(super) fn aligned<B: Bv>(
        &self,
        step: &Fuse,
        (aligned, own): (&FusedTerm, &Extent),
        (term, exponent): (&Summand<B>, &B),
        (greatest, last): (&B, &B::Bool),
    ) -> (B, Option<B::Bool>) {
        let distance = greatest.sub(exponent);
        let room = (self.finest - own.fraction.max(0)) as u32;
        // Zeros below the significand of the term on the common grid are not shifted.
        let significand = term.significand.extract(term.significand.width() - 1, room);
        let fractions = (own.fraction.max(0) as u32, aligned.keep);
        let finer = self.fraction - aligned.keep;
        let value = cut(
            aligned,
            &term.special.sign,
            &significand,
            &distance,
            fractions,
            self.exact - finer,
        );
        let value = match aligned.vanish {
            Some(limit) => self.vanishing(
                limit,
                (aligned, own),
                &significand,
                (&distance, greatest),
                value,
            ),
            None => value,
        };
        let value = complemented(step.negate, (&term.special.sign, last), &term.zero, value);
        let lost = step.sticky.then(|| {
            let fractions = (fractions.0, aligned.kept());
            loses(&significand, &distance, fractions)
        });
        (value.widen_low(finer), lost)
    }

    /// The term, or zero where it is less than one last place and that is above 2 to the power of `limit`.
    fn vanishing<B: Bv>(
        &self,
        limit: i64,
        (aligned, own): (&FusedTerm, &Extent),
        significand: &B,
        (distance, greatest): (&B, &B),
        value: B,
    ) -> B {
        let plus = B::Bool::constant(false);
        let fractions = (own.fraction.max(0) as u32, aligned.keep);
        let whole = align(
            Rounding::Rz,
            &plus,
            significand,
            distance,
            fractions,
            value.width(),
        );
        // The greatest exponent for which the last place is not above the limit, from the least one on.
        let most = limit + i64::from(aligned.keep) - self.lowest;
        let is_above = match u64::try_from(most) {
            Err(_) => B::Bool::constant(true),
            Ok(most) if most >> greatest.width().min(63) != 0 => B::Bool::constant(false),
            Ok(most) => B::lit(greatest.width(), most).ult(greatest),
        };
        let vanishes = is_above.and(&whole.is_zero());
        mux(&vanishes, &B::lit(value.width(), 0), &value)
    }

    /// The greatest of the exponents, which the lower limit joins.
    pub(super) fn find_largest<B: Bv>(&self, stage: &mut FusedStages<B>) {
        if let Some(limit) = self.limit {
            let limit = (limit - self.lowest) as u64;
            stage.exponents.push(B::lit(self.width, limit));
        }
        stage.max_exponent = B::umax(&stage.exponents);
    }

    /// The number that the sum of the aligned terms of the stage is.
    pub(super) fn total<B: Bv>(
        &self,
        step: &Fuse,
        stage: &mut FusedStages<B>,
        terms: &TermSummary<B>,
    ) -> ExactNumber<B> {
        stage.sum = B::sum(&stage.aligned);
        if let Some((width, overflow)) = step.width.filter(|(width, _)| *width < stage.sum.width())
        {
            stage.sum = kept(&stage.sum, width, overflow);
        }
        let absent = match self.limit {
            Some(_) => B::Bool::constant(false),
            None => terms.absent.clone(),
        };
        let exponent = stage
            .max_exponent
            .add_const(self.lowest - self.extent.lowest)
            .resize(exponent_width(&self.extent));
        let total = of_complement(stage.sum.clone(), exponent, absent, terms, &self.extent);
        ExactNumber {
            sticky: stage.sticky.clone(),
            ..total
        }
    }
}

/// The fused sum; its stages are kept in `stage`.
pub(super) fn fuse<B: Bv>(
    step: &Fuse,
    terms: &[(&ExactNumber<B>, Extent)],
    extent: &Extent,
    name: ValueLabel,
    stage: &mut FusedStages<B>,
) -> ExactNumber<B> {
    let owns: Vec<Extent> = terms.iter().map(|(_, own)| *own).collect();
    let form = Form::of(step, &owns, extent);
    stage.grid = form.grid(name);
    let each = terms.iter().zip(&step.terms);
    stage.fill(each.map(|((term, own), how)| form.term(term, own, how.is_least_if_absent)));
    form.find_largest(stage);
    stage.aligned.clear();
    let mut lost = Vec::new();
    let last = stage.terms.last().map(|term| term.special.sign.clone());
    let last = last.unwrap_or_else(|| B::Bool::constant(false));
    for (index, how) in step.terms.iter().zip(&owns).enumerate() {
        let term = (&stage.terms[index], &stage.exponents[index]);
        let (value, ones) = form.aligned(step, how, term, (&stage.max_exponent, &last));
        lost.extend(ones);
        stage.aligned.push(value);
    }
    stage.sticky = step.sticky.then(|| B::Bool::any(lost));
    form.total(step, stage, &gathered(terms))
}

/// The sum in the `width` bits that the unit has.
#[inline(always)]
fn kept<B: Bv>(sum: &B, width: u32, overflow: SumOverflow) -> B {
    let low = sum.extract(width - 1, 0);
    match overflow {
        SumOverflow::Wrap => low,
        SumOverflow::Saturate => {
            let fits = low.sext(sum.width()).equals(sum);
            let least = B::lit(1, 1).widen_low(width - 1);
            let nearest = mux(&sum.msb(), &least, &least.not());
            mux(&fits, &low, &nearest)
        }
    }
}

/// The width of the exact sum in two's complement.
fn wide(step: &Fuse, terms: &[Extent]) -> u32 {
    let integers = terms
        .iter()
        .map(Extent::integer_bits)
        .max()
        .unwrap_or(1)
        .max(1) as u32;
    integers + usize::BITS - terms.len().leading_zeros() + 2 + step.fraction()
}

/// A term on the grid of the sum, in two's complement of `width` bits.
#[inline(always)]
fn cut<B: Bv>(
    rule: &FusedTerm,
    sign: &B::Bool,
    significand: &B,
    distance: &B,
    fractions: (u32, u32),
    width: u32,
) -> B {
    let by = |by: Rounding| match by {
        Rounding::Rz | Rounding::Rd | Rounding::Odd => {
            align(by, sign, significand, distance, fractions, width)
        }
        by => rounded_term(by, sign, significand, distance, fractions, width),
    };
    let once = match rule.far {
        Some(far)
            if rule.by != Rounding::Rz
                && u64::from(far) < (1u64 << distance.width().min(63)) - 1 =>
        {
            let is_far = B::lit(distance.width(), far.into()).ult(distance);
            mux(&is_far, &by(Rounding::Rz), &by(rule.by))
        }
        _ => by(rule.by),
    };
    match rule.keep - rule.kept() {
        0 => once,
        below => again(rule.by, sign, &once, below),
    }
}

/// A term that is rounded at alignment in a mode that reads half of the last place.
#[inline(always)]
fn rounded_term<B: Bv>(
    by: Rounding,
    sign: &B::Bool,
    significand: &B,
    distance: &B,
    (fraction, keep): (u32, u32),
    width: u32,
) -> B {
    // Ties away from zero go up: half of the last place is added, whatever is below it.
    if by == Rounding::Rna {
        let plus = B::Bool::constant(false);
        let fractions = (fraction, keep + 1);
        let fine = align(
            Rounding::Rz,
            &plus,
            significand,
            distance,
            fractions,
            width + 1,
        );
        return fine.add_const(1).extract(width, 1).neg_if(sign);
    }
    // Half of the last place is one bit below it; whatever is lower counts as one sticky bit.
    let fine = align(
        Rounding::Odd,
        &B::Bool::constant(false),
        significand,
        distance,
        (fraction, keep + 2),
        width + 2,
    );
    let kept = fine.extract(width + 1, 2);
    rounded(by, sign, &kept, (&fine.bit(1), &fine.bit(0))).neg_if(sign)
}

/// The term with negative values in the form of the unit; `last` is the sign of the last term.
fn complemented<B: Bv>(
    negate: NegativeForm,
    (sign, last): (&B::Bool, &B::Bool),
    zero: &B::Bool,
    value: B,
) -> B {
    let less = match negate {
        NegativeForm::Twos => return value,
        NegativeForm::Ones => sign.clone(),
        NegativeForm::OnesOfNonzero => sign.and(&zero.not()),
        // One less beside a positive last term, and one more beside a negative one.
        NegativeForm::AgainstLast => {
            let up = B::from_prop(value.width(), &last.and(&sign.not()));
            let down = B::from_prop(value.width(), &sign.and(&last.not()));
            return value.add(&up).sub(&down);
        }
    };
    value.sub(&B::from_prop(value.width(), &less))
}
