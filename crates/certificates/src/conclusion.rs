//! The conclusion follows from the facts of the result.

use crate::atoms::{Part, Row};
use crate::facts::need_atoms;
use crate::format::Format;
use crate::json::{Object, word};
use crate::read::Document;
use crate::rises::Rises;
use crate::steps::{Action, MODES, Mode, Overflow, Source, Step, Tiny};
use crate::summands::Of;
use crate::unit::Unit;
use crate::{Fails, alike, errors, finite, need, structure};
use serde_json::Value;

pub(crate) fn check(document: &Document, units: &mut [Unit<'_>]) -> Fails<()> {
    let proves = document
        .proves
        .as_object()
        .ok_or("expected an object for proves")?;
    let kind = match proves.iter().next() {
        Some((key, _)) if proves.len() == 1 => key.as_str(),
        _ => "order",
    };
    let value = proves.get(kind).unwrap_or(&Value::Null);
    let is_true = || {
        need(value == &Value::Bool(true), || {
            format!("expected true for {kind}")
        })
    };
    if kind == "alike" {
        is_true()?;
        return alike::check(units);
    }
    let [unit] = units else {
        return Err("expected one unit".into());
    };
    let result = unit.at(unit.result);
    match kind {
        "exact" => is_true().and_then(|()| exact(unit, result)),
        "rounded" => {
            let modes: Vec<(&str, Option<Mode>)> = MODES
                .iter()
                .filter(|(name, _)| *name != "sr")
                .map(|(name, mode)| (*name, Some(*mode)))
                .collect();
            let any = [("any", None)];
            let mode = word(value, &any, "rounded").or_else(|_| word(value, &modes, "rounded"))?;
            rounded(unit, result, mode)
        }
        "order" => order(unit, result, &document.proves),
        "monotone_in" => {
            let rises = result
                .rises
                .as_ref()
                .is_some_and(|rises| !matches!(rises, Rises::Factor { .. }));
            need(rises, || "the result is not known to rise".into())
        }
        "sign_symmetric" => is_true().and_then(|()| symmetric(unit, result)),
        "error" => errors::check(unit, result, value),
        "finite" => is_true().and_then(|()| finite::check(unit)),
        "summands" => {
            is_true()?;
            need(result.of == Some(Of::All), || {
                "the result is not known to be a function of the summands".into()
            })
        }
        other => Err(format!("unknown claim `{other}`")),
    }
}

/// The result is the exact sum of c and all products.
fn exact(unit: &Unit<'_>, result: &Step) -> Fails<()> {
    let atoms = result
        .atoms
        .as_ref()
        .ok_or("the result is not known to be an exact sum")?;
    need_atoms(unit, atoms, &unit.domain.whole_sum(), "exact")
}

/// The result is the exact sum of c and all products, rounded once.
fn rounded(unit: &Unit<'_>, result: &Step, mode: Option<Mode>) -> Fails<()> {
    if exact(unit, result).is_ok() {
        return Ok(());
    }
    let atoms = result.atoms.as_deref().unwrap_or_default();
    let rounding = match (&result.rounded, atoms) {
        (Some(_), _) => result,
        (None, [atom]) => match atom[..] {
            [Part::Rounded(step)] => unit.steps.get(step).ok_or("there is no such rounding")?,
            _ => return Err("the result is not known to be a rounded sum".into()),
        },
        (None, _) => return Err("the result is not known to be a rounded sum".into()),
    };
    need(rounding.form() == result.form(), || {
        "the result is a rounded sum of another format".into()
    })?;
    let terms = rounding
        .rounded
        .as_ref()
        .ok_or("the result is not known to be a rounded sum")?;
    need_atoms(unit, terms, &unit.domain.whole_sum(), "rounded")?;
    let Action::Round(round) = &rounding.action else {
        return Err("the result is not known to be a rounded sum".into());
    };
    need(mode.is_none_or(|mode| mode == round.by), || {
        "the result is rounded in another mode".into()
    })?;
    let has_all = round.fraction == rounding.register()?.precision - 1;
    need(has_all, || {
        "the result has fewer fraction bits than its format".into()
    })?;
    need(round.tiny == Tiny::Kept || rounding.is_never_tiny, || {
        "tiny results become zero".into()
    })?;
    let is_shown = rounding.stays || round.overflow != Overflow::Greatest;
    need(is_shown, || {
        "what overflows becomes the greatest number".into()
    })
}

/// With the signs of all a and of c changed, the exact sum has the other sign, and so has what it is rounded to where the mode
/// is symmetric.
fn symmetric(unit: &Unit<'_>, result: &Step) -> Fails<()> {
    let format_of = |row: Row| unit.domain.operand(row, 0).map(|(format, _)| format);
    let formats = [format_of(Row::A), format_of(Row::C), result.form()];
    let has_signs = |format: &Format| format.is_float && format.signed && format.negative_zero;
    let have_signs = formats.iter().all(|format| format.is_some_and(has_signs));
    need(have_signs, || "a format has no signs".into())?;
    need(!result.may_overflow, || "the result may overflow".into())?;
    let modes = [Mode::Rz, Mode::Nearest("rne"), Mode::Ra].into_iter();
    let mut each = modes.map(|mode| rounded(unit, result, Some(mode)));
    let last = each.find(Result::is_ok);
    last.unwrap_or_else(|| Err("the result is not known to be rounded alike for both signs".into()))
}

fn order(unit: &Unit<'_>, result: &Step, proves: &Value) -> Fails<()> {
    let object = Object::of(proves, &["order", "exact", "rounded"], "proves")?;
    let is_exact = match object.maybe("exact") {
        None => false,
        Some(value) => need(value == &Value::Bool(true), || {
            "expected true for exact".into()
        })
        .map(|()| true)?,
    };
    if let Some(value) = object.maybe("rounded") {
        word(value, &[("any", ())], "rounded")?;
    }
    if word(
        object.get("order")?,
        &[("products", false), ("by structure", true)],
        "order",
    )? {
        let needs_facts = is_exact || object.maybe("rounded").is_some();
        need(!needs_facts, || {
            "nothing of facts is needed by structure".into()
        })?;
        return structure::check(unit);
    }
    if is_exact {
        exact(unit, result)?
    } else {
        rounded(unit, result, None)?
    }
    need(unit.domain.is_alike(), || {
        "the operands of a row are not alike in given".into()
    })?;
    // A zero result has one sign, or one that depends on the signs of c and the products alone, in any order.
    let has_one_zero = result.form().is_some_and(|format| !format.negative_zero);
    let never_minus = result
        .value
        .as_ref()
        .is_some_and(|value| !(value.zero && value.minus));
    let is_of_number =
        matches!(&result.action, Action::Round(round) if round.source == Source::Number);
    let by_signs = is_of_number && result.is_signed_source;
    need(
        result.plus_zero || has_one_zero || never_minus || by_signs,
        || "a zero result may have either sign".into(),
    )
}
