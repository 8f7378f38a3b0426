//! Values that rise with one operand.
//!
//! One operand is greater in a second run: c, or a factor whose other factor is positive (or less, if that is negative). A
//! value rises if it is not less in the second run. Its `step`: where its exponent changes, or it takes part in one run
//! alone, it rises by at least step * 2^e; e is the lesser exponent where both are there and differ by one, else the
//! greatest one that is there.

use crate::domain::Row;
use crate::dyadic::{Dyadic, sum};
use crate::json::{CheckResult, Object, dyadic, need};
use crate::numbers::FAR;
use crate::steps::{Action, Movement, Round, Step, Term, nth, pair};
use num_bigint::BigUint;
use serde_json::Value;

/// The fact, if it follows; `moving` has the bits of the operands that rise.
pub(crate) fn checked(
    step: &Step,
    takes: &[&Step],
    moving: &BigUint,
    value: &Value,
) -> CheckResult<Movement> {
    let none = BigUint::default();
    need(*moving != none, || {
        "the certificate proves nothing of operands that rise".into()
    })?;
    let is_fixed = &step.depends & moving == none;
    let (key, value) = Object::single(value, "`rises`")?;
    let object = Object::open(value, key)?;
    match key {
        "fixed" => {
            need(is_fixed, || {
                "`rises` does not follow: it depends on an operand that rises".into()
            })?;
            let is_signed = !object.flag("nonnegative")? || step.nonnegative;
            need(is_signed, || "`nonnegative` does not follow".into())?;
            Ok(Movement::Fixed)
        }
        "factor" => factor(step, object),
        "rising" => {
            let has_rule = !matches!(
                step.action,
                Action::Constant { .. } | Action::Replace | Action::Other
            );
            need(has_rule, || {
                "nothing is known of such a step where an operand rises".into()
            })?;
            let found = if is_fixed { None } else { rising(step, takes)? };
            let claimed = object.maybe("step").map(|step| dyadic(step, "step"));
            let claimed = claimed.transpose()?;
            if let Some(claimed) = &claimed {
                let least = found.ok_or("nothing is known of `step`")?;
                need(*claimed <= least, || {
                    format!("`step` does not follow: expected at most {least}, found {claimed}")
                })?;
            }
            Ok(Movement::Rising(claimed))
        }
        other => Err(format!("unknown key `{other}` in rises")),
    }
}

fn factor(step: &Step, claimed: Object<'_>) -> CheckResult<Movement> {
    let own = step
        .factor
        .as_ref()
        .ok_or("it is not known to be a factor")?;
    let is_same = Row::named(claimed.get("side")?) == Some(own.row)
        && claimed.get("index")?.as_u64() == Some(own.index as u64);
    need(is_same, || "`factor` does not follow".into())?;
    let is_kept = claimed.flag("may_vanish")? || own.lost.is_zero();
    need(is_kept, || "`may_vanish` does not follow".into())?;
    Ok(Movement::Factor)
}

/// The least step of a value, which does not fall.
pub(crate) fn step_of(step: &Step) -> CheckResult<Option<Dyadic>> {
    match &step.rises {
        Some(Movement::Fixed) => Ok(None),
        Some(Movement::Rising(least)) => Ok(least.clone()),
        _ => Err("a value that it takes is not known to rise".into()),
    }
}

/// The least step of a value that does not fall, as those are that it takes.
fn rising(step: &Step, takes: &[&Step]) -> CheckResult<Option<Dyadic>> {
    let unknown = || "nothing is known of such an operand that rises".to_owned();
    match &step.action {
        Action::Operand { .. } => {
            let is_float = step.register()?.is_float;
            need(step.factor.is_none() && is_float, unknown).map(|()| None)
        }
        Action::Flush | Action::Cut { .. } => step_of(nth(takes, 0)?).map(|_| None),
        Action::Term { .. } => {
            let of = nth(takes, 0)?;
            step_of(of)?;
            let format = of.register()?;
            need(format.is_float, unknown)?;
            // Two numbers of a format differ by a last place, and by half of the greater power of two if their exponents
            // are further apart.
            Ok(has_fraction(step).then(|| Dyadic::power(-step.fraction)))
        }
        Action::Product => product(takes),
        Action::Cap { .. } => step_of(nth(takes, 0)?),
        Action::Sum { .. } => {
            takes.iter().try_for_each(|of| step_of(of).map(|_| ()))?;
            // Its exponent is 0, and it is a multiple of its last place.
            Ok(Some(Dyadic::power(-step.fraction)))
        }
        Action::Fuse { terms, .. } => fuse(terms, takes),
        Action::Round(round) => rounding(step, round, step.sources(takes)).map(|()| None),
        Action::Constant { .. } | Action::Replace | Action::Other => Err(unknown()),
    }
}

/// True if the format of a term has two numbers of one exponent.
fn has_fraction(step: &Step) -> bool {
    matches!(step.action, Action::Term { shift, .. } if step.fraction > shift)
}

/// The step of the product of both factors of one place, or of a value that rises and one that is never negative.
fn product(takes: &[&Step]) -> CheckResult<Option<Dyadic>> {
    let (x, y) = (nth(takes, 0)?, nth(takes, 1)?);
    let Some((moves, scale)) = moving_and_scale(x, y)? else {
        // Where a zero has an exponent, this changes with the other factor alone.
        let is_known = |one: &Step| {
            let is_there = one.hides || one.factor.as_ref().is_some_and(|one| one.lost.is_zero());
            is_there && has_fraction(one)
        };
        let is_known = is_known(x) && is_known(y);
        return Ok(is_known.then(|| Dyadic::power(-x.fraction - y.fraction)));
    };
    // A scale is at least its last place; where it is zero, the product must take no part.
    let least = step_of(moves)?.filter(|_| scale.hides && scale.fraction != FAR);
    Ok(least.map(|least| least.shifted(-scale.fraction)))
}

/// The value that rises, and the one that it is multiplied by; `None` for the factors of one place.
fn moving_and_scale<'s>(x: &'s Step, y: &'s Step) -> CheckResult<Option<(&'s Step, &'s Step)>> {
    match (&x.rises, &y.rises) {
        (Some(Movement::Factor), Some(Movement::Factor)) if pair(x, y).is_some() => Ok(None),
        (Some(Movement::Rising(_)), Some(Movement::Fixed)) if y.nonnegative => Ok(Some((x, y))),
        (Some(Movement::Fixed), Some(Movement::Rising(_))) if x.nonnegative => Ok(Some((y, x))),
        _ => Err("expected both factors of one product, or a value that is never negative".into()),
    }
}

/// If the greatest exponent E stays, each term is cut at the place where it was. If E changes, it is that of the term that
/// rises, in one run at least; this term has all its bits where E is its own exponent, and each other one changes by less
/// than the coarser of both places.
fn fuse(terms: &[Term], takes: &[&Step]) -> CheckResult<Option<Dyadic>> {
    let is_plain = |term: &Term| !term.is_special && matches!(term.by, "rz" | "rd");
    need(terms.iter().all(is_plain), || {
        "nothing is known of terms that are cut in such a way".into()
    })?;
    let losses: Vec<Dyadic> = terms.iter().map(|term| Dyadic::power(-term.keep)).collect();
    let total = sum(&losses);
    let mut order: Vec<&Dyadic> = losses.iter().collect();
    order.sort_unstable_by(|x, y| y.cmp(x));
    let (mut seen, mut all): (BigUint, Option<Dyadic>) = (BigUint::default(), None);
    for ((term, of), loss) in terms.iter().zip(takes).zip(&losses) {
        let least = step_of(of)?;
        if of.rises == Some(Movement::Fixed) {
            continue;
        }
        need(&seen & &of.depends == BigUint::default(), || {
            "two terms depend on one product".into()
        })?;
        seen |= &of.depends;
        let least = least.filter(|_| of.fraction <= term.keep);
        let least = least.ok_or("a term that rises has finer bits than are kept")?;
        // Where E is the exponent of another term before or after, this one is cut, too: that is little, unless no other
        // one is cut as coarsely.
        let is_coarsest = order.first() == Some(&loss) && order.get(1) != Some(&loss);
        let own = if is_coarsest {
            loss.shifted(-1)
        } else {
            Dyadic::default()
        };
        let needed = total.minus(loss).plus(&own);
        let left = least.minus(&needed);
        need(!left.is_negative(), || {
            format!("expected a step of at least {needed} of a term, found {least}")
        })?;
        all = Some(all.map_or(left.clone(), |all| all.min(left)));
    }
    Ok(all)
}

fn rounding(step: &Step, round: &Round, of: &[&Step]) -> CheckResult<()> {
    let format = step.register()?;
    need(format.is_float && format.nan && round.keeps_nan, || {
        "a nan becomes a number".into()
    })?;
    let others = match of {
        [x, y, others @ ..] if round.source.is_product() => {
            let are_fixed = [x, y].iter().all(|of| of.rises == Some(Movement::Fixed));
            if !are_fixed {
                moving_and_scale(x, y)?;
            }
            others
        }
        _ => of,
    };
    others.iter().try_for_each(|of| step_of(of).map(|_| ()))
}
