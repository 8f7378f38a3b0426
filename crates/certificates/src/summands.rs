//! Functions of summands: values that depend on the products alone, not on how they are made of factors.
//!
//! Operands are finite. A value is a function of the products (numbers with the sign of a zero), the scales and c: with its
//! exponent, or without it; or it is a factor, or its number.

use crate::atoms::{Part, Row};
use crate::json::word;
use crate::steps::{Action, Source, Step, SumZeros};
use crate::unit::Unit;
use crate::{Fails, need};
use serde_json::Value;

/// What a value is a function of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    Factor,
    Value,
    All,
}

impl Of {
    fn is_value(self) -> bool {
        self != Of::Factor
    }
}

/// Checks a fact, which the step has then.
pub(crate) fn check(unit: &Unit<'_>, step: &mut Step, value: &Value) -> Fails<()> {
    let claimed = word(
        value,
        &[
            ("factor", Of::Factor),
            ("value", Of::Value),
            ("all", Of::All),
        ],
        "of_summands",
    )?;
    let found = derive(unit, step);
    let holds = found == Some(claimed) || found == Some(Of::All) && claimed == Of::Value;
    need(holds, || {
        format!("`of_summands` does not follow: expected {found:?}, found {claimed:?}")
            .to_lowercase()
    })?;
    step.of = Some(claimed);
    Ok(())
}

fn derive(unit: &Unit<'_>, step: &Step) -> Option<Of> {
    if matches!(
        step.action,
        Action::Operand {
            row: Row::A | Row::B,
            ..
        }
    ) {
        return Some(Of::Factor);
    }
    let takes = unit.taken(step);
    if takes.iter().all(|of| of.of == Some(Of::All)) {
        return Some(Of::All);
    }
    let source = takes.first()?;
    let of = source.of;
    let reads_specials = !matches!(
        step.action,
        Action::Term {
            plain_specials: false,
            ..
        }
    );
    let is_conversion =
        matches!(&step.action, Action::Round(round) if round.source == Source::Register);
    if of == Some(Of::Factor)
        && (matches!(step.action, Action::Flush { .. } | Action::Term { .. }) || is_conversion)
    {
        // It is the same number, with the sign of a zero.
        return (is_factor(step) && reads_specials).then_some(Of::Factor);
    }
    if let Action::Round(_) = &step.action {
        return of_round(step, &takes);
    }
    let has_values = takes.iter().all(|of| of.of.is_some_and(Of::is_value));
    let is_hidden = step.hides && !step.sticky;
    match &step.action {
        Action::Product => (has_values || is_product(source, takes.get(1)?)).then_some(Of::Value),
        Action::Replace => {
            let is_kept = takes.iter().skip(1).all(|one| one.value.is_some());
            of.filter(|of| *of == Of::All && is_kept)
        }
        _ if !has_values => None,
        Action::Term { .. } => reads_specials.then_some(Of::Value),
        Action::Normalise | Action::Cut { .. } => Some(if is_hidden { Of::All } else { Of::Value }),
        Action::Cap { .. } | Action::Special => of,
        Action::Sum {
            zeros: SumZeros::Terms,
        } => Some(Of::Value),
        Action::Sum { .. } => Some(Of::All),
        Action::Fuse { .. } => {
            let aligned = step.aligned.as_ref().filter(|aligned| aligned.fits)?;
            aligned
                .whole
                .iter()
                .all(|whole| *whole)
                .then_some(Of::Value)
        }
        _ => None,
    }
}

/// The row and index of the one operand that a value is.
fn operand(step: &Step) -> Option<(Row, usize)> {
    match step.atoms.as_deref()? {
        [atom] => match atom[..] {
            [Part::Operand(row, index)] => Some((row, index)),
            _ => None,
        },
        _ => None,
    }
}

fn is_factor(step: &Step) -> bool {
    step.is_signed_sum && operand(step).is_some_and(|(row, _)| row.is_factor())
}

fn is_product(x: &Step, y: &Step) -> bool {
    let is_known = [x, y].iter().all(|one| one.of == Some(Of::Factor));
    match (operand(x), operand(y)) {
        (Some((row, index)), Some((other, place))) => {
            is_known && row.is_factor() && other.is_factor() && row != other && index == place
        }
        _ => false,
    }
}

fn of_round(step: &Step, takes: &[&Step]) -> Option<Of> {
    let Action::Round(round) = &step.action else {
        return None;
    };
    let (of, first) = takes.split_at_checked(round.source.count())?;
    // Finite factors are no NaNs, so that none of them comes first.
    let is_known =
        |one: &&Step| one.of == Some(Of::All) || one.of == Some(Of::Factor) && one.value.is_some();
    let is_plain = round.plain_specials && first.iter().all(is_known);
    let all = |steps: &[&Step]| steps.iter().all(|one| one.of == Some(Of::All));
    let holds = match (round.source, of) {
        (Source::Number, [one]) => one.of.is_some_and(Of::is_value),
        (Source::Multiply | Source::Fma, [x, y, rest @ ..]) => {
            (is_product(x, y) || all(&[x, y])) && all(rest)
        }
        _ => all(of),
    };
    (is_plain && holds).then_some(Of::All)
}
