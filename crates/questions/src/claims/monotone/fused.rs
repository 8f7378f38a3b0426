//! Fused sums: those that cut nothing, and those whose terms rise by more than others lose.

use super::value::MonotoneValue;
use super::walk::{MonotoneWalk, power};
use crate::claims::bounds::has_room;
use crate::claims::places::Places;
use mmasmt_core::machines::algorithms::descriptions::{
    Action, Extent, Fuse, FusedTerm, NegativeForm, Slot, ValueKind,
};
use mmasmt_numbers::float::{Dyadic, Rounding};

impl MonotoneWalk<'_> {
    /// Whether a term that rises may be rounded down where it was so far below that it was cut to zero: the exponent of a sum
    /// may grow while its magnitude falls, that of a register or a product does not.
    fn may_come_near(&self, term: &FusedTerm) -> bool {
        term.far.is_some() && term.by != Rounding::Rz && !self.is_direct(term.of)
    }

    fn is_direct(&self, slot: Slot) -> bool {
        match self.program.nodes[slot as usize].action {
            Action::Term(term) => matches!(self.program.kind(term.of), ValueKind::Register(_)),
            Action::Cap { of, .. } => self.is_direct(of),
            _ => self.is_product(slot),
        }
    }

    pub(super) fn fuse(&self, fuse: &Fuse) -> Option<MonotoneValue> {
        let terms: Vec<(&FusedTerm, Extent, &MonotoneValue)> = fuse
            .terms
            .iter()
            .map(|term| (term, self.program.extent(term.of), self.at(term.of)))
            .collect();
        let extents: Vec<Extent> = terms.iter().map(|(_, extent, _)| *extent).collect();
        let vanishes = fuse.terms.iter().any(|term| term.vanish.is_some());
        if fuse.negate != NegativeForm::Twos || vanishes || !has_room(fuse, &extents) {
            return None;
        }
        let sum = MonotoneValue::of_all(terms.iter().map(|(_, _, value)| *value))?;
        let is_exact = cuts_nothing(fuse, &extents);
        // The terms that may rise, none of which has an operand of another.
        let rising: Vec<_> = terms
            .iter()
            .enumerate()
            .filter_map(|(place, (_, _, value))| Some((place, value.summand()??)))
            .collect();
        let places = rising.iter().map(|(_, one)| &one.of);
        if !is_exact && (fuse.sticky || !are_apart(places)) {
            return None;
        }
        let losses: Vec<Dyadic> = match is_exact {
            true => vec![power(0).minus(&power(0)); terms.len()],
            false => terms
                .iter()
                .map(|(term, extent, _)| loss(term, extent))
                .collect::<Option<_>>()?,
        };
        let none = power(0).minus(&power(0));
        let all = losses.iter().fold(none, |all, one| all.plus(one));
        let mut least: Option<Dyadic> = None;
        let mut is_known = true;
        for (place, one) in rising {
            let (term, extent, _) = terms[place];
            if !is_exact && self.may_come_near(term) {
                return None;
            }
            let Some(step) = &one.step else {
                is_known = false;
                continue;
            };
            let left = step.minus(&all.minus(&losses[place]));
            let is_whole = extent.fraction <= i64::from(term.keep);
            is_known &= is_exact || (is_whole && !left.is_negative());
            let is_less = |before: &Dyadic| left.minus(before).is_negative();
            if least.as_ref().is_none_or(is_less) {
                least = Some(left);
            }
        }
        if !is_exact && !is_known {
            return None;
        }
        Some(sum.with_step(least.filter(|_| is_known)))
    }
}

/// Whether each product is of one term alone.
fn are_apart<'v>(mut places: impl Iterator<Item = &'v Places>) -> bool {
    let mut all = Places::default();
    places.all(|one| {
        let (joined, have_shared) = all.joined(one);
        all = joined;
        !have_shared
    })
}

/// True if every place of every term is kept, for all exponents.
pub(super) fn cuts_nothing(fuse: &Fuse, extents: &[Extent]) -> bool {
    let highest = extents.iter().map(|one| one.highest).chain(fuse.least);
    let Some(highest) = highest.max() else {
        return false;
    };
    let mut terms = fuse.terms.iter().zip(extents);
    terms.all(|(term, extent)| extent.lowest - extent.fraction >= highest - i64::from(term.kept()))
}

/// The most that a term changes where the greatest exponent does, relative to the power of two of the
/// lesser exponent, or of the greater one if they are further apart; `None` if it is not known.
fn loss(term: &FusedTerm, extent: &Extent) -> Option<Dyadic> {
    if term.again.is_some() {
        return None;
    }
    // A term that is so far below is less than the last place, and cut to zero where it would be
    // rounded down.
    let is_plain = |far: u32| {
        term.by == Rounding::Rz
            || term.by == Rounding::Rd
                && i64::from(term.keep) + extent.integer_bits() <= i64::from(far)
    };
    if !term.far.is_none_or(is_plain) {
        return None;
    }
    let places = match term.by {
        Rounding::Rz | Rounding::Rd => 0,
        Rounding::Ru
        | Rounding::Ra
        | Rounding::Rne
        | Rounding::Rna
        | Rounding::Rnz
        | Rounding::Rnu
        | Rounding::Rnd
        | Rounding::Rno => 1,
        Rounding::Odd => 2,
        // No term is aligned so.
        Rounding::Sr(_) => return None,
    };
    Some(power(places - i64::from(term.keep)))
}
