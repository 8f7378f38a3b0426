//! The conclusion that two units give the same register: the same sums, rounded in the same way, and zeros of one sign.

use crate::atoms::{Atom, Part};
use crate::need;
use crate::steps::{Action, Mode, Overflow, Round, Source, Step, Tiny, ZeroRule};
use crate::unit::Unit;
use crate::{Fails, format::Format};
use std::collections::HashMap;

/// A part of a sum: a product of operands, or a rounding of a sum.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Name {
    Product(Atom),
    Rounded(usize),
}

/// How a step rounds, as far as it matters, and what.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    format: String,
    fraction: i64,
    by: Mode,
    tiny: Tiny,
    overflow: Option<Overflow>,
    terms: Vec<Name>,
}

/// Numbers of roundings that are the same in both units.
#[derive(Default)]
struct Names {
    known: HashMap<Key, usize>,
}

impl Names {
    /// The sum of atoms; `of` has the names of the roundings of the unit.
    fn sum(unit: &Unit<'_>, atoms: &[Atom], of: &[Option<usize>]) -> Fails<Vec<Name>> {
        let name = |atom: &Atom| match atom[..] {
            [Part::Rounded(step)] => {
                let name = of.get(step).copied().flatten();
                name.map(Name::Rounded)
                    .ok_or_else(|| format!("nothing is known of the rounding r{step}"))
            }
            _ => Ok(Name::Product(atom.clone())),
        };
        let mut names = unit
            .domain
            .some(atoms)
            .map(name)
            .collect::<Fails<Vec<Name>>>()?;
        names.sort_unstable();
        Ok(names)
    }

    fn rounding(&mut self, step: &Step, round: &Round, terms: Vec<Name>) -> Fails<usize> {
        let key = Key {
            format: format!("{:?}", step.register()?),
            fraction: round.fraction,
            by: round.by,
            tiny: if step.is_never_tiny {
                Tiny::Kept
            } else {
                round.tiny
            },
            overflow: step.may_overflow.then_some(round.overflow),
            terms,
        };
        let next = self.known.len();
        Ok(*self.known.entry(key).or_insert(next))
    }

    /// The result: a sum, or one rounding.
    fn result(&mut self, unit: &Unit<'_>) -> Fails<Vec<Name>> {
        let mut of: Vec<Option<usize>> = Vec::with_capacity(unit.steps.len());
        for step in &unit.steps {
            let name = match (&step.action, &step.rounded) {
                (Action::Round(round), Some(terms)) => {
                    let terms = Names::sum(unit, terms, &of)?;
                    Some(self.rounding(step, round, terms)?)
                }
                _ => None,
            };
            of.push(name);
        }
        let result = unit.at(unit.result);
        match (&result.atoms, of.get(unit.result).copied().flatten()) {
            (Some(atoms), _) => Names::sum(unit, atoms, &of),
            (None, Some(rounding)) => Ok(vec![Name::Rounded(rounding)]),
            (None, None) => Err("the result is not known to be a sum, or a rounded one".into()),
        }
    }
}

/// What the sign of a zero result depends on: the rules, and the atoms; `None`: not known.
type Sign = (ZeroRule, Mode, Tiny, bool, Vec<Atom>);

fn sign(step: &Step) -> Option<Sign> {
    let Action::Round(round) = &step.action else {
        return None;
    };
    let mut atoms = step.rounded.clone().filter(|_| step.is_signed_source)?;
    if atoms
        .iter()
        .flatten()
        .any(|part| matches!(part, Part::Rounded(_)))
    {
        return None;
    }
    atoms.sort_unstable();
    Some((
        round.zero,
        round.by,
        round.tiny,
        round.source == Source::Number,
        atoms,
    ))
}

pub(crate) fn check(units: &[Unit<'_>]) -> Fails<()> {
    let [one, other] = units else {
        return Err("expected two units".into());
    };
    let mut names = Names::default();
    let same = names.result(one)? == names.result(other)?;
    need(same, || {
        "the results are not known to be the same sums".into()
    })?;
    let results = [one, other].map(|unit| unit.at(unit.result));
    let has_one_zero = |format: &Format| !format.negative_zero;
    let never_zero = |step: &&Step| step.value.as_ref().is_some_and(|value| !value.zero);
    if results.iter().any(never_zero) || results[0].form().is_some_and(has_one_zero) {
        return Ok(());
    }
    if results.iter().all(|step| step.plus_zero) {
        return Ok(());
    }
    let signs = results.map(sign);
    need(signs[0].is_some() && signs[0] == signs[1], || {
        "a zero result may have different signs".into()
    })
}
