//! Roundings: the register of a number, or of an operation on registers.

use crate::atoms::{Atoms, product as product_of_atoms};
use crate::dyadic::Dyadic;
use crate::format::Format;
use crate::given::Numbers;
use crate::need;
use crate::steps::{Mode, Overflow, Round, Source, Step, Tiny, ZeroRule};
use crate::unit::Unit;
use crate::{Fails, values};

/// The value and the atoms before the rounding, and whether the sign of a zero follows from those of the atoms.
fn exact(source: Source, of: &[&Step]) -> (Option<Numbers>, Option<Atoms>, bool) {
    let mut is_signed = of.iter().all(|of| of.is_signed_sum);
    let [first, rest @ ..] = of else {
        return (None, None, false);
    };
    let (mut value, mut atoms) = (first.value.clone(), first.atoms.clone());
    let mut rest = rest.iter();
    if matches!(source, Source::Multiply | Source::Fma)
        && let Some(other) = rest.next()
    {
        value = value.zip(other.value.as_ref()).map(|(x, y)| x.times(y));
        atoms = product_of_atoms(atoms.as_ref(), other.atoms.as_ref());
        is_signed &= atoms.as_ref().is_some_and(|atoms| atoms.len() == 1);
    }
    for other in rest {
        value = Numbers::sum(&[value.as_ref(), other.value.as_ref()]);
        atoms = atoms.zip(other.atoms.as_ref()).map(|(mut atoms, more)| {
            atoms.extend(more.iter().cloned());
            atoms
        });
    }
    (value, atoms, is_signed)
}

/// The room above the greatest number in which numbers are rounded to it.
pub(crate) fn room(format: &Format, round: &Round) -> Dyadic {
    let place = format.emax - round.fraction;
    match round.by {
        Mode::Rz => Dyadic::power(place),
        by if by.is_nearest() => Dyadic::power(place - 1),
        _ => Dyadic::zero(),
    }
}

pub(crate) fn derive(unit: &Unit<'_>, step: &mut Step, round: &Round) -> Fails<()> {
    let format = step.register()?.clone();
    let is_fraction = if format.is_float {
        round.fraction < format.precision
    } else {
        round.fraction == 0
    };
    need(is_fraction, || {
        "expected fewer fraction bits than the format has".into()
    })?;
    let of = unit.rounded_by(step, round);
    let (value, atoms, is_signed) = exact(round.source, &of);
    let is_sticky = round.source == Source::Number && of.iter().any(|of| of.sticky);
    let factor = of.first().and_then(|of| of.factor.clone());
    match (is_sticky, format.is_float) {
        // Of a number that may have lost something below it, only bounds are known.
        (true, true) => {
            step.is_safe = format.subnormals && has_codes(&format, round, value.as_ref())
        }
        (true, false) => {}
        (false, false) => to_integers(step, &format, value, atoms),
        (false, true) => to_float(step, &format, round, (value, atoms, is_signed)),
    }
    if values::is_conversion(step) && step.is_exact {
        step.factor = factor;
    }
    Ok(())
}

/// Whether each result has a code that is no NaN and no other number, but for an overflow.
fn has_codes(format: &Format, round: &Round, value: Option<&Numbers>) -> bool {
    let has_minus = value.is_none_or(|value| value.minus);
    let is_plus = round.zero == ZeroRule::Plus && round.tiny == Tiny::Kept;
    format.zero && (format.signed || !has_minus) && (format.negative_zero || !has_minus || is_plus)
}

fn to_float(
    step: &mut Step,
    format: &Format,
    round: &Round,
    exact: (Option<Numbers>, Option<Atoms>, bool),
) {
    let (value, atoms, is_signed) = exact;
    step.is_signed_source = is_signed;
    if !has_codes(format, round, value.as_ref()) {
        return;
    }
    let is_plain = round.by != Mode::Sr && round.plain_specials;
    step.rounded = atoms.clone().filter(|_| is_plain);
    step.is_safe = format.subnormals;
    let Some(value) = value else {
        return;
    };
    let fraction = round.fraction;
    let (greatest, last, floor) = (
        format.largest(fraction),
        format.emin - fraction,
        value.floor(),
    );
    step.is_never_tiny = floor >= format.emin;
    step.is_safe = format.subnormals || step.is_never_tiny;
    if !step.is_safe {
        return;
    }
    let limit = greatest.plus(&room(format, round));
    let is_below = value.most.as_ref().is_some_and(|most| *most <= greatest);
    let stays = is_below || value.most.as_ref().is_some_and(|most| *most < limit);
    step.stays = stays;
    step.is_finite = stays
        || round.overflow == Overflow::Greatest
        || round.overflow == Overflow::Ieee && round.by == Mode::Rz;
    if !step.is_finite {
        return;
    }
    let keeps = round.tiny == Tiny::Kept;
    let has_bits = value.bits.is_some_and(|bits| bits <= fraction + 1);
    let is_exact = is_below
        && (value.is_zero() || has_bits && value.place() >= last && (keeps || step.is_never_tiny));
    let is_kept = step.is_never_tiny || is_exact || keeps && floor >= last;
    let plus = round.zero == ZeroRule::Plus && (keeps || step.is_never_tiny)
        || round.zero == ZeroRule::Total && is_exact;
    let minus = if plus { value.negative } else { value.minus };
    step.plus_zero = plus || !value.minus;
    if is_exact {
        step.is_signed_sum =
            round.source == Source::Register && is_signed && round.zero == ZeroRule::Ieee;
        step.value = Some(Numbers { minus, ..value });
        (step.atoms, step.is_exact) = (atoms, true);
        return;
    }
    if round.by == Mode::Sr {
        return;
    }
    let mut numbers = Numbers {
        unit: Some(value.unit.map_or(last, |_| value.place().max(last))),
        most: Some(value.most.as_ref().map_or_else(
            || format.greatest.clone(),
            |most| match round.by {
                Mode::Rz => most.down(fraction + 1, last),
                _ => most.up(fraction + 1, last),
            },
        )),
        least: Some(if is_kept {
            floor.max(last)
        } else if keeps {
            last
        } else {
            format.emin
        }),
        bits: Some(
            value
                .bits
                .filter(|bits| *bits > 0)
                .map_or(fraction + 1, |bits| bits.min(fraction + 1)),
        ),
        negative: value.negative,
        minus,
        zero: value.zero || !is_kept,
    };
    if !stays {
        // The greatest number in place of a greater one has bits of its own.
        numbers.unit = numbers
            .unit
            .map(|unit| unit.min(format.emax - fraction - 1));
        numbers.least = numbers.least.map(|least| least.min(format.emax - 1));
        (numbers.most, numbers.bits) = (Some(format.greatest.clone()), Some(fraction + 1));
    }
    numbers.most = numbers.most.map(|most| most.min(format.greatest.clone()));
    step.value = Some(numbers.tidy());
}

/// An integer stays where it fits; what becomes of others is an integer of the format, too.
fn to_integers(step: &mut Step, format: &Format, value: Option<Numbers>, atoms: Option<Atoms>) {
    (step.plus_zero, step.is_finite) = (true, true);
    let Some(value) = value.filter(|value| value.place() >= 0) else {
        return;
    };
    let is_below = value
        .most
        .as_ref()
        .is_some_and(|most| *most <= format.greatest);
    if is_below && (format.signed || !value.negative) {
        step.value = Some(Numbers {
            minus: value.negative,
            ..value
        });
        (step.atoms, step.is_exact) = (atoms, true);
    } else {
        step.value = Some(format.finite());
    }
}
