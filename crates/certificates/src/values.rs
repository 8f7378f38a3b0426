//! The rule of each step: what its value is, from the values of the steps that it takes.

use crate::atoms::{Part, Row, product as product_of_atoms};
use crate::dyadic::Dyadic;
use crate::given::{FAR, Numbers};
use crate::steps::{Action, Factor, Mode, Source, Step, SumZeros, Zeros};
use crate::unit::Unit;
use crate::{Fails, fused, need, rounds};
use serde_json::Value;

/// Fills in what follows for a step.
pub(crate) fn derive(unit: &Unit<'_>, step: &mut Step, text: &Value) -> Fails<()> {
    match step.action.clone() {
        Action::Operand { row, index } => operand(unit, step, row, index)?,
        Action::Zero => zero(step)?,
        Action::Constant {
            value: Some(value),
            minus,
        } => constant(step, &value, minus)?,
        Action::Constant { value: None, .. } => {}
        Action::Positive => positive(unit, step)?,
        Action::Flush { to_plus } => flush(unit, step, to_plus)?,
        Action::Term { zeros, shift, .. } => term(unit, step, zeros, shift)?,
        Action::Product => product(unit, step)?,
        Action::Differ => differ(unit, step)?,
        Action::Normalise => normalise(unit, step)?,
        Action::Part { low, bits, by } => part(unit, step, low, bits, by)?,
        Action::Cap { exponent } => cap(unit, step, exponent)?,
        Action::Drop { exponent } => drop(unit, step, exponent)?,
        Action::Miscount => miscount(unit, step)?,
        Action::Sum { zeros } => sum(unit, step, zeros)?,
        Action::Fuse { least, sticky, .. } => fused::derive(unit, step, text, least, sticky)?,
        Action::Cut { bits, by, least } => cut(unit, step, bits, by, least)?,
        Action::Special => special(unit, step)?,
        Action::Round(round) => rounds::derive(unit, step, &round)?,
        Action::Replace => replace(unit, step)?,
    }
    let reads_presence = !matches!(step.action, Action::Sum { zeros } if zeros != SumZeros::Terms);
    if step.form().is_none()
        && reads_presence
        && (step.is_odd || unit.taken(step).iter().any(|of| of.is_odd))
    {
        step.is_odd = true;
        (step.fraction, step.size, step.hides) = (FAR, None, false);
    }
    Ok(())
}

fn operand(unit: &Unit<'_>, step: &mut Step, row: Row, index: usize) -> Fails<()> {
    let (format, numbers) = unit
        .domain
        .operand(row, index)
        .ok_or("there is no such operand")?;
    need(step.form() == Some(format), || {
        "expected the format of the operand".into()
    })?;
    step.value = Some(numbers.clone());
    step.atoms = Some(vec![vec![Part::Operand(row, index)]]);
    step.is_signed_sum = true;
    if row != Row::C {
        step.factor = Some(Factor {
            row,
            index,
            lost: Dyadic::zero(),
        });
    }
    Ok(())
}

fn zero(step: &mut Step) -> Fails<()> {
    need(step.register()?.zero, || "the format has no zero".into())?;
    step.value = Some(Numbers::zero(false));
    step.atoms = Some(vec![vec![Part::Zero]]);
    (step.plus_zero, step.is_signed_sum) = (true, true);
    Ok(())
}

fn constant(step: &mut Step, value: &Dyadic, minus: bool) -> Fails<()> {
    let format = step.register()?;
    need(format.is_float && (format.zero || !value.is_zero()), || {
        "the format has no such number".into()
    })?;
    match value.log2() {
        Some(leading) => {
            let (most, unit) = (Some(value.clone()), Some(leading - value.bits() + 1));
            let numbers = Numbers {
                most,
                least: Some(leading),
                unit,
                ..Numbers::any()
            };
            step.value = Some(
                Numbers {
                    negative: minus,
                    minus,
                    zero: false,
                    ..numbers
                }
                .tidy(),
            );
        }
        None => {
            step.value = Some(Numbers::zero(minus));
            step.atoms = Some(vec![vec![Part::Zero]]);
            (step.plus_zero, step.is_signed_sum) = (!minus, !minus);
        }
    }
    Ok(())
}

fn positive(unit: &Unit<'_>, step: &mut Step) -> Fails<()> {
    let of = unit.nth(step, 0)?;
    need(
        step.form() == of.form() && step.register()?.is_float,
        || "expected the same format of floating point".into(),
    )?;
    if let Some(value) = &of.value {
        let is_same = !value.minus;
        let numbers = Numbers {
            negative: false,
            minus: false,
            zero: value.zero || value.minus,
            ..value.clone()
        };
        let (atoms, is_signed_sum) = (
            of.atoms.clone().filter(|_| is_same),
            is_same && of.is_signed_sum,
        );
        step.value = Some(numbers.tidy());
        step.atoms = atoms;
        (step.plus_zero, step.is_signed_sum) = (true, is_signed_sum);
    }
    Ok(())
}

fn flush(unit: &Unit<'_>, step: &mut Step, to_plus: bool) -> Fails<()> {
    let of = unit.nth(step, 0)?;
    let format = step.register()?;
    need(of.form() == Some(format) && format.is_float, || {
        "expected the same format of floating point".into()
    })?;
    let emin = format.emin;
    let is_kept = of.floor() >= emin;
    step.factor = of.factor.as_ref().map(|factor| match is_kept {
        true => factor.clone(),
        false => Factor {
            lost: factor.lost.plus(&Dyadic::power(emin)),
            ..factor.clone()
        },
    });
    step.plus_zero =
        of.plus_zero && (to_plus || of.value.as_ref().is_some_and(|value| !value.minus));
    if is_kept {
        step.value = of.value.clone();
        step.atoms = of.atoms.clone();
        let loses_sign = to_plus
            && of
                .value
                .as_ref()
                .is_none_or(|value| value.zero && value.minus);
        (step.plus_zero, step.is_signed_sum) = (of.plus_zero, of.is_signed_sum && !loses_sign);
    } else {
        step.value = of.value.clone().map(|value| {
            Numbers {
                least: Some(emin),
                zero: true,
                ..value
            }
            .tidy()
        });
    }
    Ok(())
}

fn term(unit: &Unit<'_>, step: &mut Step, zeros: Zeros, shift: i64) -> Fails<()> {
    let of = unit.nth(step, 0)?;
    step.value = of.value.clone();
    step.atoms = of.atoms.clone();
    (step.sticky, step.plus_zero, step.is_signed_sum) = (of.sticky, of.plus_zero, of.is_signed_sum);
    step.hides =
        zeros == Zeros::None || !of.may_be_zero() || of.form().is_some_and(|format| !format.zero);
    let known = of.value.as_ref();
    let (own, field) = match of.form() {
        None => {
            step.fraction = (of.fraction + shift).min(FAR);
            step.size = of.size.clone();
            // A zero that took no part before has some exponent of the form.
            (of.exponent, of.extent()?.highest)
        }
        Some(format) if format.is_float => {
            step.fraction = format.precision - 1 + shift;
            step.size = Some(Dyadic::power(1).minus(&Dyadic::power(1 - format.precision)));
            let top = known.and_then(Numbers::top).unwrap_or(FAR);
            let is_low = top != FAR && of.floor() < format.emin;
            (if is_low { top.max(format.emin) } else { top }, format.emin)
        }
        Some(format) => {
            step.fraction = shift;
            step.size = Some(format.reach());
            (if of.is_zero() { -FAR } else { 0 }, 0)
        }
    };
    step.size = step.size.as_ref().map(|size| size.shifted(-shift));
    let of_zero = match zeros {
        Zeros::At(exponent) => exponent,
        Zeros::None | Zeros::Field => field,
    };
    if known.is_some() && own != FAR {
        let exponent = if step.hides { own } else { own.max(of_zero) };
        step.exponent = if exponent == -FAR {
            -FAR
        } else {
            exponent + shift
        };
    }
    let reads_specials = matches!(step.action, Action::Term { plain_specials, .. } if plain_specials || known.is_some());
    if reads_specials {
        step.factor = of.factor.clone();
        if let Some(format) = of
            .form()
            .filter(|format| format.is_float && shift == 0 && of.factor.is_some())
        {
            step.lowest = Some(format.emin);
            step.of_zero = of_zero;
        }
    }
    Ok(())
}

fn product(unit: &Unit<'_>, step: &mut Step) -> Fails<()> {
    let (x, y) = (unit.nth(step, 0)?, unit.nth(step, 1)?);
    step.value = x
        .value
        .as_ref()
        .zip(y.value.as_ref())
        .map(|(x, y)| x.times(y));
    step.atoms = product_of_atoms(x.atoms.as_ref(), y.atoms.as_ref());
    step.fraction = (x.fraction + y.fraction).clamp(-FAR, FAR);
    let size = x
        .size
        .as_ref()
        .zip(y.size.as_ref())
        .map(|(x, y)| x.times(y));
    step.size = size.filter(|size| size.bits() <= 10_000);
    step.hides = x.hides && y.hides;
    step.sticky = x.sticky || y.sticky;
    let is_one = step.atoms.as_ref().is_some_and(|atoms| atoms.len() == 1);
    step.is_signed_sum = x.is_signed_sum && y.is_signed_sum && is_one;
    step.exponent = match [x.exponent, y.exponent] {
        both if both.contains(&-FAR) => -FAR,
        both if both.contains(&FAR) => FAR,
        [x, y] => x + y,
    };
    Ok(())
}

fn differ(unit: &Unit<'_>, step: &mut Step) -> Fails<()> {
    for of in unit.taken(step) {
        let is_bit = of
            .form()
            .is_some_and(|format| !format.is_float && format.precision == 1);
        need(is_bit, || "expected registers of one bit".into())?;
    }
    (step.fraction, step.size, step.hides, step.exponent) = (0, Some(Dyadic::power(0)), true, 0);
    let bit = Numbers {
        unit: Some(0),
        most: Some(Dyadic::power(0)),
        negative: false,
        minus: false,
        ..Numbers::any()
    };
    step.value = Some(bit.tidy());
    Ok(())
}

fn normalise(unit: &Unit<'_>, step: &mut Step) -> Fails<()> {
    let of = unit.nth(step, 0)?;
    step.same(of);
    step.fraction = of.extent()?.width - 1;
    (step.size, step.exponent) = (Some(Dyadic::power(1)), FAR);
    if let Some(value) = &of.value {
        if let Some(bits) = value.bits {
            step.fraction = step.fraction.min((bits - 1).max(0));
        }
        if let Some(top) = value.top() {
            // A zero keeps its exponent.
            step.exponent = if !of.hides && value.zero {
                top.max(of.exponent)
            } else {
                top
            };
        }
    }
    Ok(())
}

fn part(unit: &Unit<'_>, step: &mut Step, low: i64, bits: i64, by: Mode) -> Fails<()> {
    let of = unit.nth(step, 0)?;
    // The place of its last bit is 2^(exponent - fraction), the fraction that of its form.
    step.fraction = step.extent()?.fraction;
    (step.exponent, step.sticky) = (of.exponent, of.sticky);
    step.size = Some(Dyadic::power(bits - step.fraction));
    let is_cut = by == Mode::Rz || low == 0;
    step.value = of.value.as_ref().map(|value| {
        let numbers = Numbers {
            unit: value.unit.filter(|_| is_cut),
            most: value.most.clone().filter(|_| is_cut),
            least: None,
            bits: Some(bits),
            negative: value.negative,
            minus: value.minus,
            zero: true,
        };
        numbers.tidy()
    });
    Ok(())
}

fn cap(unit: &Unit<'_>, step: &mut Step, exponent: i64) -> Fails<()> {
    let of = unit.nth(step, 0)?;
    step.same(of);
    let most = of.value.as_ref().and_then(|value| value.most.as_ref());
    if most.is_none_or(|most| *most >= Dyadic::power(exponent)) {
        (step.value, step.atoms) = (None, None);
    }
    Ok(())
}

fn drop(unit: &Unit<'_>, step: &mut Step, exponent: i64) -> Fails<()> {
    let of = unit.nth(step, 0)?;
    step.same(of);
    // A number of at least 2^least has an exponent that is greater than least - (bits above the place of 1).
    let top = of.size.as_ref().and_then(Dyadic::log2);
    let is_kept = of.value.is_some() && top.is_some_and(|top| of.floor() - top >= exponent);
    if !is_kept {
        (step.hides, step.is_signed_sum, step.plus_zero, step.atoms) = (false, false, false, None);
        step.value = of.value.clone().map(|value| Numbers {
            zero: true,
            ..value
        });
    }
    Ok(())
}

fn miscount(unit: &Unit<'_>, step: &mut Step) -> Fails<()> {
    let of = unit.nth(step, 0)?;
    match of.value.as_ref().is_some_and(|value| !value.negative) {
        true => step.same(of),
        false => step.sticky = of.sticky,
    }
    Ok(())
}

fn sum(unit: &Unit<'_>, step: &mut Step, zeros: SumZeros) -> Fails<()> {
    let terms = unit.taken(step);
    let sets: Vec<Option<&Numbers>> = terms.iter().map(|of| of.value.as_ref()).collect();
    let is_absent = terms.iter().all(|of| of.exponent == -FAR);
    step.value = Numbers::sum(&sets);
    gather(step, &terms);
    step.fraction = step.extent()?.fraction;
    step.hides = zeros == SumZeros::None || !step.may_be_zero();
    if let Some(value) = &step.value {
        if let Some(place) = value.unit.filter(|_| !value.is_zero()) {
            step.fraction = step.fraction.min(-place);
        }
        step.size = value.most.clone();
        let never =
            zeros == SumZeros::None && value.is_zero() || zeros == SumZeros::Terms && is_absent;
        step.exponent = if never { -FAR } else { 0 };
    }
    Ok(())
}

/// The atoms of an exact sum.
pub(crate) fn gather(step: &mut Step, terms: &[&Step]) {
    let all: Option<Vec<_>> = terms.iter().map(|of| of.atoms.as_ref()).collect();
    step.atoms = all.map(|all| all.into_iter().flatten().cloned().collect());
    step.is_signed_sum = terms.iter().all(|of| of.is_signed_sum);
}

fn cut(unit: &Unit<'_>, step: &mut Step, bits: i64, by: Mode, least: Option<i64>) -> Fails<()> {
    let of = unit.nth(step, 0)?;
    let last = least.map_or(-FAR, |least| least - bits + 1);
    (step.fraction, step.size, step.sticky) = (bits - 1, Some(Dyadic::power(1)), of.sticky);
    step.hides = of.hides && least.is_none();
    let Some(value) = &of.value else {
        return Ok(());
    };
    if let Some(top) = value.top() {
        let of_zero = if !of.hides && value.zero {
            of.exponent
        } else {
            -FAR
        };
        step.exponent = top.max(least.unwrap_or(-FAR)).max(of_zero);
    }
    if value.is_zero() || value.bits.is_some_and(|own| own <= bits) && value.place() >= last {
        step.value = Some(value.clone());
        step.atoms = of.atoms.clone();
        (step.hides, step.is_signed_sum, step.is_exact) = (of.hides, of.is_signed_sum, true);
        return Ok(());
    }
    let is_kept = value.floor() >= last;
    let most = value.most.as_ref().map(|most| match by {
        Mode::Rz => most.down(bits, last),
        _ => most.up(bits, last),
    });
    let numbers = Numbers {
        unit: value.unit,
        most,
        least: value.least.filter(|_| is_kept),
        bits: Some(bits),
        negative: value.negative,
        minus: value.minus,
        zero: value.zero || !is_kept,
    };
    step.value = Some(numbers.tidy());
    Ok(())
}

fn special(unit: &Unit<'_>, step: &mut Step) -> Fails<()> {
    let of = unit.nth(step, 0)?;
    step.same(of);
    if unit.taken(step).iter().any(|one| one.value.is_none()) {
        (step.value, step.atoms) = (None, None);
    }
    Ok(())
}

fn replace(unit: &Unit<'_>, step: &mut Step) -> Fails<()> {
    let of = unit.nth(step, 0)?;
    need(step.form() == of.form(), || {
        "expected the same format".into()
    })?;
    if unit
        .taken(step)
        .iter()
        .skip(1)
        .all(|one| one.value.is_some())
    {
        step.value = of.value.clone();
        step.atoms = of.atoms.clone();
        (step.plus_zero, step.is_signed_sum) = (of.plus_zero, of.is_signed_sum);
    }
    Ok(())
}

/// Whether a step is the rounding of a register.
pub(crate) fn is_conversion(step: &Step) -> bool {
    matches!(&step.action, Action::Round(round) if round.source == Source::Register)
}
