//! The conclusion follows from the facts of the result.

use crate::amounts::Amount;
use crate::bounds::greatest;
use crate::domain::{Domain, Row};
use crate::dyadic::{Dyadic, sum};
use crate::graph;
use crate::json::{CheckResult, Object, need};
use crate::numbers::Format;
use crate::rises::step_of;
use crate::steps::{Action, Mode, Round, Step, is_nearest, mode, pair};
use crate::unit::Unit;
use serde_json::Value;

pub(crate) fn check(domain: &Domain, proves: &Value, units: &[Unit<'_>]) -> CheckResult<()> {
    let (kind, value) = Object::single(proves, "proves")?;
    let results = units.iter().map(|unit| unit.result(domain));
    let results = results.collect::<CheckResult<Vec<&Step>>>()?;
    let (unit, result) = match (units, &results[..]) {
        ([unit], [result]) if kind != "alike" => (unit, *result),
        (_, [one, other]) if kind == "alike" => {
            need_true(kind, value)?;
            return alike(domain, one, other);
        }
        _ => return Err("expected one unit, or two for alike".into()),
    };
    match kind {
        "rounded" if value == "any" => rounded(domain, result, None),
        "rounded" => rounded(domain, result, Some(mode(value)?)),
        "error" => error(domain, result, value),
        "monotone_in" => step_of(result).map(|_| ()),
        "order" => {
            need(value == "by structure", || {
                "expected by structure for order".into()
            })?;
            let (products, block) = (domain.products, domain.block);
            graph::check(&unit.steps, unit.texts, unit.result, products, block)
        }
        "exact" => need_true(kind, value).and_then(|()| exact(domain, result)),
        "sign_symmetric" => need_true(kind, value).and_then(|()| symmetric(domain, result)),
        "finite" => need_true(kind, value).and_then(|()| finite(domain, unit)),
        "summands" => need_true(kind, value).and_then(|()| summands(unit)),
        other => Err(format!("unknown claim `{other}`")),
    }
}

fn need_true(kind: &str, value: &Value) -> CheckResult<()> {
    need(value == &Value::Bool(true), || {
        format!("expected true for {kind}")
    })
}

/// The result is the exact sum of c and all products.
fn exact(domain: &Domain, result: &Step) -> CheckResult<()> {
    let is_whole = result
        .sum
        .as_ref()
        .is_some_and(|sum| domain.is_whole_sum(sum));
    need(is_whole, || {
        "the result is not known to be the exact sum".into()
    })
}

fn round_of(step: &Step) -> Option<&Round> {
    match &step.action {
        Action::Round(round) => Some(round),
        _ => None,
    }
}

/// The result is the exact sum of c and all products, rounded once.
fn rounded(domain: &Domain, result: &Step, mode: Option<Mode>) -> CheckResult<()> {
    if result.sum.is_some() {
        return exact(domain, result);
    }
    let is_whole = result
        .rounds
        .as_ref()
        .is_some_and(|sum| domain.is_whole_sum(sum));
    let round = round_of(result).filter(|_| is_whole);
    let round = round.ok_or("the result is not known to be the rounded sum")?;
    need(mode.is_none_or(|mode| mode == round.by), || {
        "the result is rounded in another mode".into()
    })?;
    let has_all = round.fraction == result.register()?.precision - 1;
    need(has_all, || {
        "the result has fewer fraction bits than its format".into()
    })?;
    need(round.keeps_tiny, || "tiny results become zero".into())
}

/// With the signs of all a and of c changed, the exact sum has the other sign, and so has what it is rounded to where the
/// mode is symmetric.
fn symmetric(domain: &Domain, result: &Step) -> CheckResult<()> {
    let formats = [
        domain.format(Row::A),
        domain.format(Row::C),
        Some(&domain.result),
    ];
    let has_signs = |format: &Format| format.is_float && format.signed && format.negative_zero;
    let have_signs = formats.iter().all(|format| format.is_some_and(has_signs));
    need(have_signs, || "a format has no signs".into())?;
    need(!result.may_overflow, || "the result may overflow".into())?;
    let by = round_of(result).map_or("rz", |round| round.by);
    let is_symmetric = matches!(by, "rz" | "ra" | "rne");
    rounded(domain, result, Some(if is_symmetric { by } else { "rz" }))
}

/// Both results are the same sum, rounded in the same way, and no zero may have either sign.
fn alike(domain: &Domain, one: &Step, other: &Step) -> CheckResult<()> {
    for result in [one, other] {
        rounded(domain, result, None)?;
        let is_plus = round_of(result).is_some_and(|round| round.plus && round.keeps_tiny);
        let never_zero = result.value.as_ref().is_some_and(|value| !value.zero);
        let has_one_zero = !result.register()?.negative_zero;
        need(is_plus || never_zero || has_one_zero, || {
            "a zero result may have either sign".into()
        })?;
    }
    let how = |step: &Step| {
        let round = round_of(step).filter(|_| step.sum.is_none())?;
        let overflow = step.may_overflow.then(|| round.overflow.clone());
        Some((round.by, overflow))
    };
    need(how(one) == how(other), || {
        "the results are not known to be rounded alike".into()
    })
}

/// Every rounding on the way stays below the numbers that overflow, and so does each number before it becomes infinite. In
/// the order of the steps: as long as none overflowed, the bounds hold.
fn finite(domain: &Domain, unit: &Unit<'_>) -> CheckResult<()> {
    let (mut seen, mut todo) = (vec![false; unit.steps.len()], Vec::from_iter(unit.result));
    while let Some(number) = todo.pop() {
        let Some(step) = unit.steps.get(number) else {
            continue;
        };
        if let Some(seen) = seen.get_mut(number)
            && !std::mem::replace(seen, true)
        {
            todo.extend(&step.takes);
            let below = below_limit(domain, step, &unit.taken(step));
            below.map_err(|reason| format!("step {number}: {reason}"))?;
        }
    }
    Ok(())
}

fn below_limit(domain: &Domain, step: &Step, takes: &[&Step]) -> CheckResult<()> {
    let is_float = step.form.as_ref().is_none_or(|form| form.is_float);
    let has_rule = !matches!(step.action, Action::Other);
    need(has_rule && step.is_number && is_float, || {
        "nothing is known of such a step".into()
    })?;
    let limit = match &step.action {
        Action::Cap { exponent } => Dyadic::power(*exponent),
        Action::Round(round) => {
            let format = step.register()?;
            let half = Dyadic::power(format.emax - round.fraction - 1);
            let is_near = round.by == "rz" || is_nearest(round.by);
            let room = if is_near { half } else { Dyadic::default() };
            format.largest(round.fraction).plus(&room)
        }
        _ => return Ok(()),
    };
    let mosts = step.sources(takes).iter().map(|of| greatest(domain, of));
    let mosts = mosts.collect::<Option<Vec<Dyadic>>>();
    let most = match (round_of(step), mosts.as_deref()) {
        (_, None) => return Err("nothing is known of the magnitude before".into()),
        (Some(round), Some([x, y, rest @ ..])) if round.source.is_product() => {
            x.times(y).plus(&sum(rest))
        }
        (_, Some(all)) => sum(all),
    };
    need(most < limit, || {
        format!("expected a magnitude below {limit}, found {most}")
    })
}

/// Factors are read only where a rounding multiplies both of one product, or takes a NaN of them, which they are not.
fn summands(unit: &Unit<'_>) -> CheckResult<()> {
    let is_operand = |step: &&Step| matches!(step.action, Action::Operand { .. });
    let is_factor = |step: &&Step| is_operand(step) && step.factor.is_some();
    for (number, step) in unit.steps.iter().enumerate() {
        let takes = unit.taken(step);
        let others = match (round_of(step), step.sources(&takes)) {
            (Some(round), [x, y, rest @ ..])
                if round.source.is_product()
                    && is_operand(x)
                    && is_operand(y)
                    && pair(x, y).is_some() =>
            {
                rest
            }
            (_, all) => all,
        };
        need(!others.iter().any(is_factor), || {
            format!("step {number} reads a factor alone")
        })?;
    }
    Ok(())
}

/// The result differs from the exact sum of c and all products by at most an amount, as long as nothing overflowed.
fn error(domain: &Domain, result: &Step, claimed: &Value) -> CheckResult<()> {
    let claimed = Amount::read(claimed, "error")?;
    let bound = result.bound.as_ref();
    let bound = bound.ok_or("nothing is known of an error")?;
    let of = (0..=domain.products).filter(|k| bound.of.bit(*k as u64));
    need(domain.is_whole_sum(&of.collect()), || {
        "the bound leaves out a product, or c".into()
    })?;
    need(bound.error.is_at_most(&claimed), || {
        format!("expected an error of {}, found {claimed}", bound.error)
    })
}
