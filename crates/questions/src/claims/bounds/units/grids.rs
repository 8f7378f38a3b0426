//! Exact sums, fused sums, and numbers with fewer bits.

use super::super::bound::scaled;
use super::amounts::{Amount, greater};
use super::values::{BoundedSum, BoundsValue};
use super::walk::BoundsWalk;
use mmasmt_core::machines::algorithms::descriptions::{
    Cut, Extent, Fuse, FusedTerm, NegativeForm, Slot, SumZeros,
};
use mmasmt_numbers::float::{Dyadic, Rounding};

impl BoundsWalk<'_> {
    pub(super) fn exact(
        &mut self,
        terms: &[Slot],
        zeros: SumZeros,
        extent: Extent,
    ) -> Option<BoundedSum> {
        // Whether no term that is zero has an exponent.
        let hides_zeros = terms.iter().all(|slot| match &self.values[*slot as usize] {
            BoundsValue::Sum(sum) => {
                let pair = sum.pair.as_ref();
                pair.is_some_and(|pair| pair.iter().all(|factor| factor.zero.is_none()))
            }
            _ => false,
        });
        let sum = self.all(terms.iter().copied())?;
        // A sum, or a term, that is not zero is at least its last place; its exponent is 0.
        let mut reach = sum.magnitude().times(&scaled(1, extent.fraction));
        let is_there = match zeros {
            SumZeros::None => false,
            SumZeros::Terms => !hides_zeros,
            SumZeros::Field => true,
        };
        if is_there {
            reach = reach.at_least(&scaled(1, 0));
        }
        let (error, most) = (sum.error.clone(), sum.most.clone());
        Some(sum.apart().with(error, reach).within(most))
    }

    pub(super) fn fuse(&mut self, fuse: &Fuse) -> Option<BoundedSum> {
        let extents: Vec<Extent> = fuse
            .terms
            .iter()
            .map(|term| self.program.extent(term.of))
            .collect();
        if !has_room(fuse, &extents) {
            return None;
        }
        let sums = self.sums(fuse.terms.iter().map(|term| term.of))?;
        let mut all = scaled(0, 0);
        for term in &fuse.terms {
            all = all.plus(&loss(term, fuse.negate));
        }
        // The greatest exponent is that of some term, or the limit; a term that has it loses
        // nothing if it has no finer bits.
        let least = fuse
            .least
            .map_or_else(|| scaled(0, 0), |least| scaled(1, least));
        // A zero without an exponent is subtracted from as well, if its complement is.
        let floor = extents.iter().map(|extent| extent.lowest).min();
        let floor = floor.filter(|_| fuse.negate != NegativeForm::Twos);
        let floor = floor.map_or_else(|| least.clone(), |floor| greater(&least, &scaled(1, floor)));
        let mut absolute = floor.times(&all);
        // Terms that are cut toward zero do not grow.
        let is_cut = fuse.negate == NegativeForm::Twos
            && fuse.terms.iter().all(|term| term.by == Rounding::Rz);
        // One term sets the exponent, be it of one product with others.
        let has_cells = sums.iter().any(|sum| sum.cells > 0);
        let mut greatest = Amount::none();
        let mut total: Option<BoundedSum> = None;
        for ((term, extent), sum) in fuse.terms.iter().zip(&extents).zip(sums) {
            let is_whole =
                fuse.negate == NegativeForm::Twos && extent.fraction <= term.kept().into();
            let others = match is_whole {
                true => all.minus(&loss(term, fuse.negate)),
                false => all.clone(),
            };
            // What the others lose where this term sets the exponent counts as an error of this term.
            let lost = sum.reach.times(&others);
            absolute = greater(&absolute, &lost.absolute);
            let lost = Amount {
                absolute: scaled(0, 0),
                ..lost
            };
            let lost = match has_cells {
                true => {
                    greatest = greatest.joined(&lost, greater);
                    Amount::none()
                }
                false => lost,
            };
            let sum = BoundedSum {
                error: sum.error.plus(&lost),
                most: if is_cut {
                    sum.most
                } else {
                    sum.most.plus(&lost)
                },
                ..sum
            };
            total = Some(match total {
                None => sum,
                Some(total) => total.joined(&sum)?,
            });
        }
        let sum = total?;
        let reach = sum.reach.clone().at_least(&least);
        let error = sum.error.plus(&greatest).with_absolute(&absolute);
        let most = match is_cut {
            true => sum.most.clone(),
            false => sum.most.plus(&greatest).with_absolute(&absolute),
        };
        let is_sticky = fuse.sticky;
        let sum = BoundedSum { is_sticky, ..sum };
        Some(sum.apart().with(error, reach).within(most))
    }

    pub(super) fn cut(&mut self, cut: &Cut, extent: Extent) -> Option<BoundedSum> {
        let sum = self.sum(cut.of)?;
        let last = -i64::from(cut.bits - 1) - i64::from(cut.by.is_to_nearest());
        let mut error = sum.error.plus(&sum.magnitude().times(&scaled(1, last)));
        if let Some(least) = cut.least {
            error = error.with_absolute(&scaled(1, least + last));
        }
        // What exponent a zero has then is not known.
        let reach = sum.magnitude().at_least(&scaled(1, extent.highest));
        let most = (cut.by == Rounding::Rz).then(|| sum.most.clone());
        let sum = sum.apart().with(error, reach);
        Some(match most {
            Some(most) => sum.within(most),
            None => sum,
        })
    }
}

/// The most that a term loses at alignment, for an exponent of 0.
fn loss(term: &FusedTerm, negate: NegativeForm) -> Dyadic {
    // Beyond the distance `far` a term is cut, and one that vanishes is lost, where it may have been rounded to nearest.
    let is_rounded = term.by.is_to_nearest() && term.far.is_none() && term.vanish.is_none();
    let half = i64::from(is_rounded);
    let place = |keep: u32| scaled(1, -i64::from(keep) - half);
    let cut = match term.again {
        None => place(term.keep),
        Some(again) => place(term.keep).plus(&place(again)),
    };
    match negate {
        NegativeForm::Twos => cut,
        NegativeForm::Ones | NegativeForm::OnesOfNonzero | NegativeForm::AgainstLast => {
            cut.plus(&scaled(1, -i64::from(term.keep)))
        }
    }
}

/// Whether the sum never exceeds its width.
pub(in crate::claims) fn has_room(fuse: &Fuse, extents: &[Extent]) -> bool {
    let Some((width, _)) = fuse.width else {
        return true;
    };
    if fuse.negate != NegativeForm::Twos {
        return false;
    }
    // In units of 2^e, a term is below 2 to the power of its integer bits, and may be rounded to that.
    let sizes = extents
        .iter()
        .map(|extent| scaled(1, extent.integer_bits()));
    let all = sizes.fold(scaled(0, 0), |all, one| all.plus(&one));
    let most = scaled(1, i64::from(width) - 1 - i64::from(fuse.fraction()));
    let stays_below = |term: &FusedTerm| matches!(term.by, Rounding::Rz | Rounding::Odd);
    match fuse.terms.iter().all(stays_below) {
        true => !all.magnitude_exceeds(&most),
        false => most.magnitude_exceeds(&all),
    }
}
