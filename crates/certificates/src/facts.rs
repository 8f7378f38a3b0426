//! The facts of a step: they follow from what its rule found, which they replace.

use crate::atoms::{Atom, Atoms, Part, Row, difference};
use crate::given::{FAR, Numbers};
use crate::json::{LIMIT, Object, integer, list, natural};
use crate::steps::{Action, Step};
use crate::unit::Unit;
use crate::{Fails, bounds, need, rises, summands};
use num_traits::ToPrimitive;
use serde_json::Value;

pub(crate) fn check(unit: &Unit<'_>, step: &mut Step, number: usize, facts: &Value) -> Fails<()> {
    let known = [
        "value",
        "sum",
        "rounds",
        "exponent",
        "rises",
        "bound",
        "of_summands",
    ];
    let facts = Object::of(facts, &known, "facts")?;
    let found = step.value.take();
    let value = facts.maybe("value");
    if let Some(value) = value {
        let claimed = Numbers::read(value, "value")?;
        let found = found.ok_or("nothing is known of the value")?;
        found.tidy().need_within(&claimed)?;
        step.value = Some(claimed);
    }
    exponent(step, facts.maybe("exponent"))?;
    let sum = facts.maybe("sum");
    match (sum, &step.atoms) {
        (Some(sum), Some(atoms)) => need_atoms(unit, atoms, &read_atoms(unit, sum)?, "sum")?,
        (Some(_), None) => return Err("the value is not known to be an exact sum".into()),
        (None, Some(atoms))
            if atoms.len() > 1 && atoms.iter().all(|atom| unit.domain.is_whole(atom)) =>
        {
            // What is not said is not known, but for sums whose scales are still to come.
            step.atoms = None;
        }
        (None, _) => {}
    }
    match facts.maybe("rounds") {
        None => step.rounded = None,
        Some(rounds) => rounded(unit, step, number, rounds, (value.is_some(), sum.is_some()))?,
    }
    if let Some(claimed) = facts.maybe("rises") {
        rises::check(unit, step, claimed)?;
    }
    if let Some(claimed) = facts.maybe("bound") {
        bounds::check(unit, step, claimed)?;
    }
    if let Some(claimed) = facts.maybe("of_summands") {
        summands::check(unit, step, claimed)?;
    }
    Ok(())
}

fn exponent(step: &mut Step, claimed: Option<&Value>) -> Fails<()> {
    let Some(claimed) = claimed else {
        step.exponent = FAR;
        return Ok(());
    };
    need(step.form().is_none(), || {
        "a register has no exponent".into()
    })?;
    need(step.exponent != FAR, || {
        "nothing is known of the exponent".into()
    })?;
    let claimed = match claimed.as_str() {
        Some("none") => -FAR,
        _ => integer(claimed, "exponent", -LIMIT)?,
    };
    need(step.exponent <= claimed, || {
        let show = |e: i64| {
            if e == -FAR {
                "none".to_string()
            } else {
                e.to_string()
            }
        };
        format!(
            "expected an exponent of at least {}, found {}",
            show(step.exponent),
            show(claimed)
        )
    })?;
    step.exponent = claimed;
    Ok(())
}

fn rounded(
    unit: &Unit<'_>,
    step: &mut Step,
    number: usize,
    claimed: &Value,
    has: (bool, bool),
) -> Fails<()> {
    let (has_value, has_sum) = has;
    let object = Object::of(claimed, &["terms", "may_overflow"], "rounds")?;
    let is_round = matches!(step.action, Action::Round(_));
    let found = step
        .rounded
        .as_ref()
        .filter(|_| is_round)
        .ok_or("the value is not known to be a rounded sum")?;
    need_atoms(
        unit,
        found,
        &read_atoms(unit, object.get("terms")?)?,
        "rounds",
    )?;
    step.may_overflow = object.flag_or("may_overflow", false)?;
    if step.may_overflow {
        return need(!has_value, || {
            "a value that may overflow is not known to be finite".into()
        });
    }
    need(step.is_finite, || {
        "the rounded sum is not known to be finite".into()
    })?;
    if !has_sum {
        step.atoms = Some(vec![vec![Part::Rounded(number)]]);
        step.is_signed_sum = true;
    }
    Ok(())
}

/// Fails unless both lists have the same atoms in some order, but for those that are always zero.
pub(crate) fn need_atoms(
    unit: &Unit<'_>,
    known: &[Atom],
    claimed: &[Atom],
    what: &str,
) -> Fails<()> {
    let domain = unit.domain;
    let rest = difference(domain.some(known), domain.some(claimed));
    match rest.iter().next() {
        None => Ok(()),
        Some((atom, count)) if *count > 0 => Err(format!(
            "`{what}` does not follow: expected {} more, found it too rarely",
            show(atom)
        )),
        Some((atom, _)) => Err(format!(
            "`{what}` does not follow: expected no {}, found it",
            show(atom)
        )),
    }
}

fn show(atom: &Atom) -> String {
    let parts = atom.iter().map(|part| match part {
        Part::Operand(row, index) => {
            let name = Row::NAMES
                .iter()
                .find(|(_, other)| other == row)
                .map_or("", |(name, _)| name);
            format!("{name}[{index}]")
        }
        Part::Rounded(number) => format!("r{number}"),
        Part::Zero => "0".into(),
    });
    parts.collect::<Vec<_>>().join(" * ")
}

fn read_atoms(unit: &Unit<'_>, value: &Value) -> Fails<Atoms> {
    list(value, "atoms")?
        .iter()
        .map(|one| read_atom(unit, one))
        .collect()
}

fn read_atom(unit: &Unit<'_>, value: &Value) -> Fails<Atom> {
    let unknown = || format!("unknown atom {value}");
    let text = value.as_str().ok_or_else(unknown)?;
    if text == "c" {
        return Ok(vec![Part::Operand(Row::C, 0)]);
    }
    let digits = text
        .get(1..)
        .map(|digits| Value::String(digits.into()))
        .ok_or_else(unknown)?;
    let k = natural(&digits, "an atom")?
        .to_usize()
        .ok_or_else(unknown)?;
    match text.as_bytes().first() {
        Some(b'p') => unit
            .domain
            .atoms
            .get(k)
            .cloned()
            .ok_or_else(|| format!("no product {k}")),
        Some(b'r') => Ok(vec![Part::Rounded(k)]),
        _ => Err(unknown()),
    }
}
