//! Values of steps: a rule for each action.

use crate::domain::{Domain, Row, Sum};
use crate::dyadic::Dyadic;
use crate::json::{CheckResult, LIMIT, need};
use crate::numbers::{FAR, Numbers};
use crate::steps::{Action, Factor, Round, Step, Term, nth, pair};
use num_bigint::BigUint;

/// Fills in what follows from the options of the step, and from the facts of the steps that it takes.
pub(crate) fn derive(domain: &Domain, step: &mut Step, takes: &[&Step]) -> CheckResult<()> {
    for of in takes {
        step.depends |= &of.depends;
        step.is_number &= of.is_number;
    }
    match step.action.clone() {
        Action::Operand { row, index } => operand(domain, step, row, index)?,
        Action::Constant { value, minus } => constant(step, value, minus),
        Action::Flush => flush(step, nth(takes, 0)?)?,
        Action::Term { hides, shift } => term(step, nth(takes, 0)?, hides, shift)?,
        Action::Product => product(domain, step, nth(takes, 0)?, nth(takes, 1)?),
        Action::Cap { exponent } => cap(step, nth(takes, 0)?, exponent),
        Action::Sum { hides, fraction } => {
            (step.hides, step.fraction, step.exponent) = (hides, fraction, 0);
            sum(step, takes);
        }
        Action::Fuse { terms, least } => fuse(step, takes, &terms, least),
        Action::Cut { bits, least, .. } => {
            cut(step, nth(takes, 0)?, bits, least.unwrap_or(-FAR));
        }
        Action::Round(round) => rounding(domain, step, takes, &round)?,
        Action::Replace => need(step.form == nth(takes, 0)?.form, || {
            "expected the same format".into()
        })?,
        Action::Other => {}
    }
    Ok(())
}

fn operand(domain: &Domain, step: &mut Step, row: Row, index: usize) -> CheckResult<()> {
    let operand = domain.operand(row, index);
    let (format, numbers) = operand.ok_or("there is no such operand")?;
    need(step.form.as_ref() == Some(format), || {
        "expected the format of the operand".into()
    })?;
    step.value = Some(numbers.clone());
    step.nonnegative = !format.signed;
    let bit = |k: usize| BigUint::from(1u8) << k;
    match row {
        Row::A | Row::B => {
            step.depends = bit(index);
            let lost = Dyadic::default();
            step.factor = Some(Factor { row, index, lost });
        }
        Row::C => {
            step.depends = bit(domain.products);
            step.sum = Some(vec![domain.products]);
        }
        Row::AScales | Row::BScales => {}
    }
    Ok(())
}

fn constant(step: &mut Step, value: Option<Dyadic>, minus: bool) {
    step.nonnegative = !minus;
    step.is_number = value.is_some();
    let Some(value) = value else { return };
    step.value = Some(match value.log2() {
        None => Numbers::zero(),
        Some(top) => Numbers {
            unit: -LIMIT,
            least: top,
            bits: value.bits(),
            most: value.clone(),
            negative: minus,
            zero: false,
        }
        .tidy(),
    });
    step.sum = value.is_zero().then(Vec::new);
}

fn flush(step: &mut Step, of: &Step) -> CheckResult<()> {
    let format = step.register()?.clone();
    need(of.form.as_ref() == Some(&format) && format.is_float, || {
        "expected the same format of floating point".into()
    })?;
    step.nonnegative = of.nonnegative;
    let value = of.value.clone();
    if value
        .as_ref()
        .is_some_and(|value| value.least >= format.emin)
    {
        (step.value, step.sum, step.factor) = (value, of.sum.clone(), of.factor.clone());
        return Ok(());
    }
    step.value = value.map(|value| {
        let flushed = Numbers {
            least: format.emin,
            zero: true,
            ..value
        };
        flushed.tidy()
    });
    step.factor = of.factor.clone().map(|factor| Factor {
        lost: factor.lost.plus(&Dyadic::power(format.emin)),
        ..factor
    });
    Ok(())
}

fn term(step: &mut Step, of: &Step, hides: bool, shift: i64) -> CheckResult<()> {
    let format = of.register()?;
    (step.value, step.sum) = (of.value.clone(), of.sum.clone());
    (step.factor, step.nonnegative) = (of.factor.clone(), of.nonnegative);
    step.hides = hides || !format.zero;
    step.fraction = format.precision - 1 + shift;
    if let Some(value) = &of.value {
        let top = match value.most.log2() {
            Some(top) if format.is_float => top,
            Some(_) => 0,
            None => -FAR,
        };
        let may_be_low = !step.hides || value.least < format.emin;
        let exponent = if may_be_low {
            top.max(format.emin)
        } else {
            top
        };
        step.exponent = if exponent == -FAR {
            -FAR
        } else {
            exponent + shift
        };
    }
    Ok(())
}

fn product(domain: &Domain, step: &mut Step, x: &Step, y: &Step) {
    let fraction = x.fraction + y.fraction;
    step.fraction = if fraction.abs() <= LIMIT {
        fraction
    } else {
        FAR
    };
    step.hides = x.hides && y.hides;
    step.nonnegative = x.nonnegative && y.nonnegative;
    (step.value, step.sum) = (times(x, y), product_of(domain, x, y));
    step.exponent = match [x.exponent, y.exponent] {
        both if both.contains(&-FAR) => -FAR,
        both if both.contains(&FAR) => FAR,
        [x, y] => x + y,
    };
}

fn times(x: &Step, y: &Step) -> Option<Numbers> {
    Some(x.value.as_ref()?.times(y.value.as_ref()?))
}

/// The product of two factors as a sum.
fn product_of(domain: &Domain, x: &Step, y: &Step) -> Option<Sum> {
    let is_exact = |one: &Step| one.factor.as_ref().is_some_and(|one| one.lost.is_zero());
    let place = pair(x, y).filter(|_| is_exact(x) && is_exact(y) && !domain.has_scales);
    place.map(|place| vec![place])
}

fn cap(step: &mut Step, of: &Step, exponent: i64) {
    (step.fraction, step.hides, step.exponent) = (of.fraction, of.hides, of.exponent);
    let limit = Dyadic::power(exponent);
    if of.value.as_ref().is_some_and(|value| value.most < limit) {
        (step.value, step.sum) = (of.value.clone(), of.sum.clone());
    }
}

/// The exact sum of all.
fn sum(step: &mut Step, takes: &[&Step]) {
    let values: Vec<Option<&Numbers>> = takes.iter().map(|of| of.value.as_ref()).collect();
    step.value = Numbers::sum(&values);
    step.sum = joined(takes.iter().map(|of| of.sum.clone()));
}

fn joined(sums: impl Iterator<Item = Option<Sum>>) -> Option<Sum> {
    let all = sums.collect::<Option<Vec<Sum>>>()?;
    Some(all.concat())
}

/// A term is whole where it has no bits below the last place of the sum, whatever the exponent of the sum is.
fn fuse(step: &mut Step, takes: &[&Step], terms: &[Term], least: Option<i64>) {
    let least = least.unwrap_or(-FAR);
    let exponents = takes.iter().map(|of| of.exponent).chain([least]);
    let mut exponents: Vec<i64> = exponents.collect();
    exponents.sort_unstable_by(|x, y| y.cmp(x));
    let [first, second, ..] = exponents[..] else {
        return;
    };
    step.exponent = first;
    step.fraction = terms.iter().map(|term| term.keep).max().unwrap_or(FAR);
    let is_whole = |(term, of): (&Term, &&Step)| {
        let others = if of.exponent == first { second } else { first };
        let has_place = of
            .value
            .as_ref()
            .is_some_and(|value| value.unit >= others - term.keep);
        has_place && of.fraction <= term.keep
    };
    if terms.iter().zip(takes).all(is_whole) {
        sum(step, takes);
    }
}

fn cut(step: &mut Step, of: &Step, bits: i64, least: i64) {
    step.fraction = bits - 1;
    let Some(value) = &of.value else { return };
    let top = value.most.log2().unwrap_or(-FAR);
    step.exponent = of.exponent.max(least).max(top);
    if value.bits <= bits && value.unit > least - bits {
        (step.value, step.sum) = (Some(value.clone()), of.sum.clone());
    }
}

/// The value and the sum before a rounding.
fn before(domain: &Domain, round: &Round, of: &[&Step]) -> (Option<Numbers>, Option<Sum>) {
    let (value, sum, rest) = match of {
        [x, y, rest @ ..] if round.source.is_product() => {
            (times(x, y), product_of(domain, x, y), rest)
        }
        [x, rest @ ..] => (x.value.clone(), x.sum.clone(), rest),
        [] => (None, None, of),
    };
    match rest {
        [other] => (
            Numbers::sum(&[value.as_ref(), other.value.as_ref()]),
            joined([sum, other.sum.clone()].into_iter()),
        ),
        _ => (value, sum),
    }
}

fn rounding(domain: &Domain, step: &mut Step, takes: &[&Step], round: &Round) -> CheckResult<()> {
    let (format, fraction) = (step.register()?.clone(), round.fraction);
    let (value, sum) = before(domain, round, step.sources(takes));
    need(fraction < format.precision, || {
        "expected fewer fraction bits than the format has".into()
    })?;
    if !format.is_float {
        let fits = value.filter(|value| {
            let has_sign = format.signed || !value.negative;
            value.unit >= 0 && value.most <= format.greatest && has_sign
        });
        (step.sum, step.value) = (sum.filter(|_| fits.is_some()), fits);
        return Ok(());
    }
    step.rounds = sum.clone().filter(|_| round.overflow != "greatest");
    let Some(value) = value else { return Ok(()) };
    let last = format.emin - fraction;
    let stays = value.most <= format.largest(fraction);
    if !stays || !round.keeps_tiny && value.least < format.emin {
        return Ok(());
    }
    if value.bits <= fraction + 1 && value.unit >= last {
        (step.value, step.sum) = (Some(value), sum);
        return Ok(());
    }
    let numbers = Numbers {
        unit: value.unit.max(last),
        most: (value.most).rounded(fraction + 1, last, round.by != "rz"),
        least: value.least.max(last),
        bits: value.bits.min(fraction + 1),
        negative: value.negative,
        zero: value.zero || value.least < last,
    };
    step.value = Some(numbers.tidy());
    Ok(())
}
