//! What rises with one operand: fused sums.

use crate::dyadic::{Dyadic, sum};
use crate::fused::{Aligned, Term};
use crate::places::Places;
use crate::rises::Rises;
use crate::rising::union;
use crate::steps::{Action, Mode, Step};
use crate::unit::Unit;
use crate::{Fails, need};

/// If the greatest exponent E stays, each term is rounded at the place where it was. If E changes, it is that of the term that
/// rises, in one run at least; this term has all its bits where E is its own exponent, and each other one changes by at
/// most its `loss`.
pub(crate) fn fuse(unit: &Unit<'_>, step: &Step, of: &[&Step], sticky: bool) -> Fails<Rises> {
    let aligned = step.aligned.as_ref().ok_or("expected a fused sum")?;
    need(aligned.fits, || {
        "the sum may exceed its width, or has complements".into()
    })?;
    let value = union(of)?;
    let is_whole = aligned.whole.iter().all(|whole| *whole);
    if is_whole {
        let moving = of.iter().filter_map(|of| match &of.rises {
            Some(Rises::Rising { step, .. }) => Some(step.clone()),
            _ => None,
        });
        let steps: Option<Vec<Dyadic>> = moving.collect();
        return Ok(value.with_step(steps.and_then(|steps| steps.into_iter().min())));
    }
    need(!sticky, || "a sticky sum that cuts".into())?;
    need(aligned.terms.iter().all(|term| !term.vanish), || {
        "a term that vanishes".into()
    })?;
    Ok(value.with_step(left_of_steps(unit, aligned, of)?))
}

/// The remainders of the steps of the terms that rise.
fn left_of_steps(unit: &Unit<'_>, aligned: &Aligned, of: &[&Step]) -> Fails<Option<Dyadic>> {
    let each = aligned.terms.iter().zip(&aligned.whole).zip(of);
    let losses: Vec<Dyadic> = each
        .map(|((term, whole), of)| {
            if *whole {
                Dyadic::zero()
            } else {
                loss(term, of)
            }
        })
        .collect();
    let total = sum(&losses);
    let mut order: Vec<usize> = (0..losses.len()).collect();
    order.sort_by(|x, y| losses[*y].cmp(&losses[*x]));
    let mut seen = Places::none();
    let mut least: Option<Dyadic> = None;
    for (k, ((term, of), whole)) in aligned.terms.iter().zip(of).zip(&aligned.whole).enumerate() {
        let Some(Rises::Rising { places, step }) = &of.rises else {
            continue;
        };
        need(seen.is_apart(places), || {
            "two terms depend on one product".into()
        })?;
        seen.join(places);
        let own_step = step
            .as_ref()
            .ok_or_else(|| format!("nothing is known of the step of term {k}"))?;
        need(of.fraction <= term.keep && term.again.is_none(), || {
            format!("term {k} has finer bits than are kept")
        })?;
        // A greater magnitude of a register has no lesser exponent, so that it is not far where a lesser one is near.
        let is_ordered = || {
            matches!(of.action, Action::Term { .. })
                && unit.taken(of).iter().all(|of| of.form().is_some())
        };
        let is_monotone = term.far.is_none() || term.by == Mode::Rz || is_ordered();
        need(is_monotone, || {
            format!("term {k} has another rounding where it is far")
        })?;
        // Where E is the exponent of another term before or after, this one is cut, too: that is little, unless no other one
        // is cut as coarsely.
        let others = order
            .iter()
            .find(|other| **other != k)
            .map(|other| &losses[*other]);
        let is_less = *whole || others.is_some_and(|others| *others >= Dyadic::power(-term.keep));
        let own = if is_less {
            Dyadic::zero()
        } else {
            Dyadic::power(-term.keep - 1)
        };
        let needed = total.minus(&losses[k]).plus(&own);
        let left = own_step.minus(&needed);
        need(!left.is_negative(), || {
            format!("expected a step of at least {needed} of term {k}, found {own_step}")
        })?;
        least = Some(least.map_or(left.clone(), |least| least.min(left)));
    }
    Ok(least)
}

/// The most that a term changes where E changes: relative to the lesser power of two if both are one apart, else to the
/// greater one.
fn loss(term: &Term, of: &Step) -> Dyadic {
    // Where it is far, a term that is rounded down, or up, is cut to zero, and was less than a last place at the distance
    // before that.
    let is_small = |far: i64| {
        of.size
            .as_ref()
            .is_some_and(|size| *size <= Dyadic::power(far - term.keep))
    };
    let is_plain = term
        .far
        .is_none_or(|far| term.by == Mode::Rz || is_small(far));
    let is_directed = matches!(term.by, Mode::Rz | Mode::Rd | Mode::Ru)
        || term.by == Mode::Ra && term.far.is_none();
    if term.again.is_none() && is_plain && is_directed {
        // Of two places one after the other, the coarser cut decides.
        return Dyadic::power(-term.keep);
    }
    if term.again.is_none() && term.far.is_none() && term.by.is_nearest() {
        // Half of each place.
        return Dyadic::power(1 - term.keep);
    }
    // Less than each place.
    let places: Vec<Dyadic> = [Some(term.keep), term.again]
        .into_iter()
        .flatten()
        .map(|keep| Dyadic::power(-keep))
        .collect();
    let places = sum(&places);
    places.plus(&places).plus(&places)
}
