//! Bounds of errors: fused sums, numbers with fewer bits, and registers.

use crate::Fails;
use crate::amounts::{Amount, Bound};
use crate::bounds_of_products::of_factors;
use crate::dyadic::{Dyadic, sum};
use crate::fused::{Aligned, Term};
use crate::steps::{Mode, Round, Source, Step, Tiny};
use crate::unit::Unit;

/// The greatest exponent is that of a term, or `least`. A term loses less than its last place there, and nothing where it sets
/// the exponent itself; what the others lose where it does is in proportion to it, and counts as an error of its own.
pub(crate) fn fuse(step: &Step, of: &[&Step], least: Option<i64>) -> Option<Bound> {
    let aligned: &Aligned = step.aligned.as_ref().filter(|aligned| aligned.fits)?;
    let each = aligned.terms.iter().zip(&aligned.whole);
    let losses: Vec<Dyadic> = each
        .map(|(term, whole)| if *whole { Dyadic::zero() } else { lost(term) })
        .collect();
    let total = sum(&losses);
    let floor = least.map_or(Dyadic::zero(), Dyadic::power);
    let grows = aligned.grown.iter().any(|growth| !growth.is_zero());
    let mut absolute = Amount::absolute(floor.times(&total));
    let (mut own, mut reaches) = (Vec::new(), Vec::new());
    for ((loss, term), of) in losses.iter().zip(&aligned.terms).zip(of) {
        let bound = of.bound.as_ref()?;
        let reach = bound.reaches.first()?;
        let others = if of.fraction <= term.kept() {
            total.minus(loss)
        } else {
            total.clone()
        };
        let lost = reach.times(&others);
        absolute = absolute.at_least(lost.absolute);
        let lost = Amount {
            absolute: Dyadic::zero(),
            ..lost
        };
        let (error, most) = bound.first().ok()?;
        own.push(Bound {
            errors: vec![error.plus(&lost)],
            mosts: vec![if grows {
                most.plus(&lost)
            } else {
                most.clone()
            }],
            ..bound.clone()
        });
        reaches.push(reach);
    }
    let all = Bound::together(own.iter().map(Some))?;
    let (error, most) = all.first().ok()?;
    Some(Bound {
        errors: vec![error.plus(&absolute)],
        mosts: vec![if grows {
            most.plus(&absolute)
        } else {
            most.clone()
        }],
        reaches: vec![Amount::greatest(reaches.into_iter()).at_least(floor)],
        sticky: step.sticky,
        ..all
    })
}

/// The most that a term loses, relative to 2^(exponent of the sum).
fn lost(term: &Term) -> Dyadic {
    let half = i64::from(term.by.is_nearest() && term.far.is_none() && !term.vanish);
    let places = [Some(term.keep), term.again].into_iter().flatten();
    sum(&places
        .map(|keep| Dyadic::power(-keep - half))
        .collect::<Vec<_>>())
}

/// The loss of a rounding to so many bits, of which the last is at least 2^last, of a magnitude of at most each of these.
fn losses_of(magnitudes: &[Amount], bits: i64, last: Option<i64>, by: Mode) -> Vec<Amount> {
    let half = i64::from(by.is_nearest());
    let relative = Dyadic::power(1 - bits - half);
    let floor = last.map_or(Dyadic::zero(), |last| Dyadic::power(last - half));
    magnitudes
        .iter()
        .map(|one| one.times(&relative).at_least(floor.clone()))
        .collect()
}

/// The bound after a rounding that loses at most each of these.
fn after(source: Bound, losses: &[Amount], is_less: bool) -> Fails<Bound> {
    let (error, most) = source.first()?;
    let errors = losses.iter().map(|loss| error.plus(loss)).collect();
    let mosts = if is_less {
        source.mosts.clone()
    } else {
        losses.iter().map(|loss| most.plus(loss)).collect()
    };
    Ok(Bound {
        errors,
        mosts,
        ..source
    })
}

pub(crate) fn cut(
    step: &Step,
    of: &Step,
    same: Bound,
    options: (i64, Mode, Option<i64>),
) -> Fails<Bound> {
    let (bits, by, least) = options;
    let magnitudes = same.magnitudes();
    let losses = match step.is_exact {
        true => vec![Amount::none()],
        false => losses_of(&magnitudes, bits, least.map(|least| least - bits + 1), by),
    };
    let floor = least.map_or(Dyadic::zero(), Dyadic::power);
    let reaches = match of.hides {
        true => magnitudes
            .into_iter()
            .map(|one| one.at_least(floor.clone()))
            .collect(),
        false => Vec::new(),
    };
    let cut = after(same, &losses, by == Mode::Rz || step.is_exact)?;
    Ok(Bound { reaches, ..cut })
}

pub(crate) fn rounding(
    unit: &Unit<'_>,
    step: &Step,
    round: &Round,
    takes: &[&Step],
) -> Fails<Option<Bound>> {
    let format = step.register()?;
    let of = takes.get(..round.source.count()).unwrap_or_default();
    let is_known = round.plain_specials
        && (step.is_safe || step.is_exact)
        && (step.is_exact || format.is_float);
    let source = match (round.source, of) {
        _ if !is_known => None,
        (Source::Number | Source::Register, [one]) => one.bound.clone(),
        (Source::Add, all) => Bound::together(all.iter().map(|one| one.bound.as_ref())),
        (Source::Multiply, [x, y]) => of_factors(unit, x, y, false),
        (Source::Fma, [x, y, z]) => {
            let product = of_factors(unit, x, y, false);
            Bound::together([product.as_ref(), z.bound.as_ref()].into_iter())
        }
        _ => None,
    };
    let Some(source) = source else {
        return Ok(None);
    };
    let losses = if step.is_exact {
        vec![Amount::none()]
    } else {
        losses_of_rounding(step, round, of, &source)?
    };
    let rounded = after(source, &losses, round.by == Mode::Rz || step.is_exact)?;
    Ok(Some(Bound {
        reaches: Vec::new(),
        sticky: false,
        ..rounded
    }))
}

fn losses_of_rounding(
    step: &Step,
    round: &Round,
    of: &[&Step],
    source: &Bound,
) -> Fails<Vec<Amount>> {
    let format = step.register()?;
    let (bits, last, half) = (
        round.fraction + 1,
        format.emin - round.fraction,
        i64::from(round.by.is_nearest()),
    );
    let precisions = of
        .iter()
        .filter_map(|one| one.form())
        .map(|format| format.precision);
    let has_bits = matches!(round.source, Source::Register | Source::Multiply)
        && precisions.sum::<i64>() <= bits;
    let is_multiple = |one: &&Step| {
        one.form()
            .is_some_and(|from| from.is_float && from.emin - from.precision + 1 >= last)
    };
    let magnitudes = source.magnitudes();
    // A sum of multiples of the last place of the least numbers is one.
    let never_below =
        matches!(round.source, Source::Register | Source::Add) && of.iter().all(is_multiple);
    let mut losses = match (has_bits, never_below) {
        (true, true) => vec![Amount::none()],
        (true, false) => vec![Amount::absolute(Dyadic::power(last - half))],
        (false, true) => losses_of(&magnitudes, bits, None, round.by),
        (false, false) => losses_of(&magnitudes, bits, Some(last), round.by),
    };
    if round.tiny != Tiny::Kept && !step.is_never_tiny {
        losses = losses
            .into_iter()
            .map(|one| one.at_least(Dyadic::power(format.emin)))
            .collect();
    }
    Ok(losses)
}
