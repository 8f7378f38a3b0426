//! Sums of numbers: exact, or fused, which means aligned to the greatest exponent and cut.

use super::magnitude::{again, rounded};
use super::number::{Number, Signs, combined, exponent_width};
use super::program::{Aligned, Cutting, Extent, Fuse, Negate, SumZeros};
use crate::machines::algorithms::align::{align, loses};
use crate::machines::algorithms::fused::kept;
use crate::machines::algorithms::{Align, Fused, Grid};
use crate::numbers::bits::{Bv, Prop, mux};

/// The exact sum, in fixed point.
pub(super) fn sum<B: Bv>(
    terms: &[(&Number<B>, Extent)],
    zeros: SumZeros,
    extent: &Extent,
) -> Number<B> {
    let width = extent.width + 1;
    let aligned: Vec<B> = terms
        .iter()
        .map(|(term, own)| {
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
        })
        .collect();
    let total = B::sum(&aligned);
    let numbers = terms.iter().map(|(term, _)| *term);
    let zero = total.is_zero();
    let absent = match zeros {
        SumZeros::None => zero,
        SumZeros::Terms => B::Bool::all(numbers.clone().map(|term| term.absent.clone())),
        SumZeros::Field => B::Bool::constant(false),
    };
    of_complement(&total, B::lit(1, 0), absent, numbers, extent)
}

/// The number with this two's complement and exponent, made of `terms`.
fn of_complement<'n, B: Bv + 'n>(
    total: &B,
    exponent: B,
    absent: B::Bool,
    terms: impl Iterator<Item = &'n Number<B>> + Clone,
    extent: &Extent,
) -> Number<B> {
    let negative = total.msb();
    let magnitude = total.neg_if(&negative).resize(extent.width);
    Number {
        zero: total.is_zero(),
        significand: magnitude,
        exponent,
        special: combined(terms.clone().map(|term| &term.special), &negative),
        absent,
        signs: Signs::of_all(terms),
        complement: Some(total.clone()),
        sticky: None,
    }
}

/// The fused sum; its stages are kept in `stage`.
pub(super) fn fuse<B: Bv>(
    step: &Fuse,
    terms: &[(&Number<B>, Extent)],
    extent: &Extent,
    name: &'static str,
    stage: &mut Fused<B>,
) -> Number<B> {
    let lowest = terms.iter().map(|(_, own)| own.lowest).min().unwrap_or(0);
    let highest = terms.iter().map(|(_, own)| own.highest).max().unwrap_or(0);
    let limit = step.least.filter(|least| *least > lowest);
    let search = Extent {
        lowest,
        highest: highest.max(limit.unwrap_or(i64::MIN)),
        ..*extent
    };
    let width = exponent_width(&search);
    let fraction = step.fraction();
    let finest = terms
        .iter()
        .map(|(_, own)| own.fraction.max(0))
        .max()
        .unwrap_or(0);
    stage.grid = Grid {
        exponent_offset: lowest as i32,
        what: name,
        term: "term",
        term_fraction: finest as u32,
        fraction_bits: fraction,
        ..Grid::PRODUCTS
    };

    // A number that takes no part has the least exponent of all.
    let none = B::lit(width, 0);
    let filled = terms.iter().map(|(term, own)| {
        let exponent = mux(
            &term.absent,
            &none,
            &term.rebased(own.lowest, lowest, width),
        );
        (term.summand((finest - own.fraction) as u32), exponent)
    });
    stage.fill(filled);
    if let Some(limit) = limit {
        stage.exponents.push(B::lit(width, (limit - lowest) as u64));
    }
    stage.find_largest();

    // The exact sum of what is kept, with its sign; then the bits that the unit has.
    let exact = step.width.map_or(extent.width + 1, |_| wide(step, terms));
    stage.aligned.clear();
    let mut lost = Vec::new();
    for (index, (aligned, (_, own))) in step.terms.iter().zip(terms).enumerate() {
        let (term, exponent) = (&stage.terms[index], &stage.exponents[index]);
        let distance = stage.max_exponent.sub(exponent);
        let room = (finest - own.fraction.max(0)) as u32;
        // Zeros below the significand of the term on the common grid are not shifted.
        let significand = term.significand.extract(term.significand.width() - 1, room);
        let fractions = (own.fraction.max(0) as u32, aligned.keep);
        let finer = fraction - aligned.keep;
        let value = cut(
            aligned,
            &term.special.sign,
            &significand,
            &distance,
            fractions,
            exact - finer,
        );
        let value = complemented(step.negate, &term.special.sign, &term.zero, value);
        if step.sticky {
            let fractions = (fractions.0, aligned.kept());
            lost.push(loses(&significand, &distance, fractions));
        }
        stage.aligned.push(value.widen_low(finer));
    }
    stage.sticky = step.sticky.then(|| B::Bool::any(lost));
    stage.sum = B::sum(&stage.aligned);
    if let Some((width, overflow)) = step.width.filter(|(width, _)| *width < stage.sum.width()) {
        stage.sum = kept(&stage.sum, width, overflow);
    }
    let numbers = terms.iter().map(|(term, _)| *term);
    let absent = match limit {
        Some(_) => B::Bool::constant(false),
        None => B::Bool::all(numbers.clone().map(|term| term.absent.clone())),
    };
    let exponent = stage
        .max_exponent
        .add_const(lowest - extent.lowest)
        .resize(exponent_width(extent));
    let mut total = of_complement(&stage.sum, exponent, absent, numbers, extent);
    total.sticky = stage.sticky.clone();
    total
}

/// The width of the exact sum in two's complement.
fn wide<B: Bv>(step: &Fuse, terms: &[(&Number<B>, Extent)]) -> u32 {
    let integers = terms
        .iter()
        .map(|(_, own)| own.integer_bits())
        .max()
        .unwrap_or(1)
        .max(1) as u32;
    integers + usize::BITS - terms.len().leading_zeros() + 2 + step.fraction()
}

/// A term on the grid of the sum, in two's complement of `width` bits.
fn cut<B: Bv>(
    rule: &Aligned,
    sign: &B::Bool,
    significand: &B,
    distance: &B,
    fractions: (u32, u32),
    width: u32,
) -> B {
    let by = |by: Cutting| match by {
        Cutting::Zero => align(Align::Trunc, sign, significand, distance, fractions, width),
        Cutting::Down => align(Align::Floor, sign, significand, distance, fractions, width),
        Cutting::Odd => align(Align::Sticky, sign, significand, distance, fractions, width),
        Cutting::Nearest | Cutting::Away | Cutting::Up => {
            nearest(by, sign, significand, distance, fractions, width)
        }
    };
    let once = match rule.far {
        Some(far)
            if rule.by != Cutting::Zero
                && u64::from(far) < (1u64 << distance.width().min(63)) - 1 =>
        {
            let is_far = B::lit(distance.width(), far.into()).ult(distance);
            mux(&is_far, &by(Cutting::Zero), &by(rule.by))
        }
        _ => by(rule.by),
    };
    match rule.keep - rule.kept() {
        0 => once,
        below => again(rule.by, sign, &once, below),
    }
}

/// A term that is rounded to nearest at alignment.
fn nearest<B: Bv>(
    by: Cutting,
    sign: &B::Bool,
    significand: &B,
    distance: &B,
    (fraction, keep): (u32, u32),
    width: u32,
) -> B {
    // Half of the last place is one bit below it; whatever is lower counts as one sticky bit.
    let fine = align(
        Align::Sticky,
        &B::Bool::constant(false),
        significand,
        distance,
        (fraction, keep + 2),
        width + 2,
    );
    let kept = fine.extract(width + 1, 2);
    rounded(by, sign, &kept, (&fine.bit(1), &fine.bit(0))).neg_if(sign)
}

/// The term with negative values in the form of the unit.
fn complemented<B: Bv>(negate: Negate, sign: &B::Bool, zero: &B::Bool, value: B) -> B {
    let less = match negate {
        Negate::Twos => return value,
        Negate::Ones => sign.clone(),
        Negate::OnesOfNonzero => sign.and(&zero.not()),
    };
    value.sub(&B::from_prop(value.width(), &less))
}
