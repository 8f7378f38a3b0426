//! The conclusion that the result is finite: every rounding on the way stays below what overflows, and so does each number
//! that becomes infinite from some power of two on. In the order of the steps: as long as none overflowed, the bounds hold.

use crate::dyadic::Dyadic;
use crate::rounds::room;
use crate::steps::{Action, Round, Source, Step};
use crate::unit::Unit;
use crate::{Fails, need};

pub(crate) fn check(unit: &Unit<'_>) -> Fails<()> {
    let mut is_on_the_way = vec![false; unit.steps.len()];
    let mut todo = vec![unit.result];
    while let Some(slot) = todo.pop() {
        if let Some(seen) = is_on_the_way.get_mut(slot)
            && !*seen
        {
            *seen = true;
            todo.extend(&unit.at(slot).takes);
        }
    }
    for (number, step) in unit.steps.iter().enumerate() {
        if is_on_the_way.get(number) == Some(&true) {
            need_room(unit, step).map_err(|reason| format!("step {number}: {reason}"))?;
        }
    }
    Ok(())
}

/// A bound of the magnitude of a value for the operands as given, as long as nothing overflowed.
fn most_of(unit: &Unit<'_>, step: &Step) -> Option<Dyadic> {
    let of_value = step.value.as_ref().and_then(|value| value.most.clone());
    let of_operand = match step.action {
        Action::Operand { row, index } => Some(unit.domain.most_of(row, index)),
        _ => None,
    };
    let of_bound = step.bound.iter().flat_map(|bound| {
        bound
            .mosts
            .iter()
            .map(|most| most.most(unit.domain, bound.scaled))
    });
    of_bound.chain(of_value).chain(of_operand).min()
}

fn need_room(unit: &Unit<'_>, step: &Step) -> Fails<()> {
    match &step.action {
        Action::Cap { exponent } => {
            let most = most_of(unit, unit.nth(step, 0)?);
            let is_below = most.is_some_and(|most| most < Dyadic::power(*exponent));
            need(is_below, || {
                "the number is not known to be below what is infinite".into()
            })
        }
        Action::Round(round) => rounding(unit, step, round),
        _ => Ok(()),
    }
}

fn rounding(unit: &Unit<'_>, step: &Step, round: &Round) -> Fails<()> {
    let format = step.register()?;
    if !format.is_float {
        return need(step.is_exact, || {
            "the integer is not known to fit its format".into()
        });
    }
    need(round.plain_specials && step.is_safe, || {
        "nothing is known of such a rounding".into()
    })?;
    let of = unit.rounded_by(step, round);
    let mosts: Option<Vec<Dyadic>> = of.iter().map(|one| most_of(unit, one)).collect();
    let most = match (round.source, mosts.as_deref()) {
        (Source::Number | Source::Register, Some([x])) => x.clone(),
        (Source::Add, Some([x, y])) => x.plus(y),
        (Source::Multiply, Some([x, y])) => x.times(y),
        (Source::Fma, Some([x, y, z])) => x.times(y).plus(z),
        _ => return Err("nothing is known of the magnitude before the rounding".into()),
    };
    let limit = format.largest(round.fraction);
    let is_sticky = round.source == Source::Number && of.iter().any(|one| one.sticky);
    let is_below = most <= limit && !is_sticky || most < limit.plus(&room(format, round));
    need(is_below, || {
        format!("expected a magnitude of at most {limit}, found {most}")
    })
}
