//! Bounds of errors: a rule for each step.
//!
//! As long as nothing on the way overflowed: the value differs from the exact sum of its products, and of c, by at most
//! `error`; it is at most `most`; and 2^e is at most `reach` for the exponent e by which it is compared.

use crate::amounts::{Amount, Bound};
use crate::atoms::{Atoms, Part, Row, Scaled};
use crate::bounds_of_products::product;
use crate::bounds_of_roundings::{cut, fuse, rounding};
use crate::domain::Domain;
use crate::dyadic::Dyadic;
use crate::given::FAR;
use crate::json::{LIMIT, Object, flag};
use crate::places::Places;
use crate::steps::{Action, Step, SumZeros, Zeros};
use crate::unit::Unit;
use crate::{Fails, need};
use serde_json::Value;

/// Checks a fact, which the step has then.
pub(crate) fn check(unit: &Unit<'_>, step: &mut Step, value: &Value) -> Fails<()> {
    let domain = unit.domain;
    let object = Object::of(
        value,
        &["of", "scaled", "error", "most", "reach", "sticky"],
        "bound",
    )?;
    let of = Object::of(object.get("of")?, &["c", "products"], "of")?;
    let products = Places::read(of.get("products")?, domain.products)?;
    let read = |key: &str| Amount::read(object.get(key)?, "an amount");
    let (error, most) = (read("error")?, read("most")?);
    let reach = object
        .maybe("reach")
        .map(|reach| Amount::read(reach, "an amount"))
        .transpose()?;
    let scaled = object.get("scaled")?;
    let scaled = match scaled.as_str() {
        Some("a") => Scaled::A,
        Some("b") => Scaled::B,
        _ if flag(scaled, "scaled")? => Scaled::Yes,
        _ => Scaled::No,
    };
    let found = derive(unit, step)?.ok_or("nothing is known of an error")?;
    need(found.has_c == of.flag("c")?, || {
        "`c` of the bound does not follow".into()
    })?;
    let none = Places::none();
    let always_zero = if found.scaled == Scaled::Yes {
        &domain.zero_products
    } else {
        &none
    };
    let is_same = found.products.is_same_but(&products, always_zero);
    need(is_same, || "`products` of the bound do not follow".into())?;
    let is_scaled = !domain.has_scales || found.products.is_empty() || found.scaled == scaled;
    need(is_scaled, || "`scaled` of the bound does not follow".into())?;
    let sticky = object.flag("sticky")?;
    need(sticky || !found.sticky, || {
        "a bit below the value may say that something was lost".into()
    })?;
    let need_amount = |what: &str, known: &[Amount], claimed: &Amount| {
        need(
            known
                .iter()
                .any(|one| one.is_at_most(claimed, domain, found.scaled)),
            || {
                let best = known.first().map_or("nothing".into(), Amount::to_string);
                format!("`{what}` of the bound does not follow: expected {best}, found {claimed}")
                    .to_lowercase()
            },
        )
    };
    need_amount("error", &found.errors, &error)?;
    need_amount("most", &found.mosts, &most)?;
    if let (Some(reach), None) = (&reach, step.form()) {
        need_amount("reach", &found.reaches, reach)?;
    }
    let (errors, mosts, reaches) = (vec![error], vec![most], reach.into_iter().collect());
    step.bound = Some(Bound {
        errors,
        mosts,
        reaches,
        sticky,
        ..found
    });
    Ok(())
}

/// What follows for the step, from the bounds of those that it takes.
fn derive(unit: &Unit<'_>, step: &Step) -> Fails<Option<Bound>> {
    let Some(mut found) = by_rule(unit, step)? else {
        return Ok(None);
    };
    let domain = unit.domain;
    if found.scaled == Scaled::Yes
        && step
            .atoms
            .as_ref()
            .is_some_and(|atoms| is_sum_of(domain, atoms, &found))
    {
        found.errors.push(Amount::none());
    }
    if let Some(most) = step.value.as_ref().and_then(|value| value.most.clone()) {
        found.mosts.push(Amount::absolute(most));
    }
    let size = found.size();
    found
        .mosts
        .extend(found.errors.iter().map(|error| error.plus(&size)));
    match step.exponent {
        FAR => {}
        e if e == -FAR => found.reaches.push(Amount::none()),
        e => found.reaches.push(Amount::absolute(Dyadic::power(e))),
    }
    Ok(Some(found))
}

/// Whether atoms are the products of the bound, and c if it has c, each once.
fn is_sum_of(domain: &Domain, atoms: &Atoms, found: &Bound) -> bool {
    let mut has_c = found.has_c && !domain.most_c.is_zero();
    let mut seen = Places::none();
    for atom in domain.some(atoms) {
        match domain.places.get(atom) {
            Some(k) if found.products.has(*k) && !seen.has(*k) => seen.add(*k),
            None if has_c && atom[..] == [Part::Operand(Row::C, 0)] => has_c = false,
            _ => return false,
        }
    }
    !has_c && seen.is_same_but(&found.products, &domain.zero_products)
}

fn by_rule(unit: &Unit<'_>, step: &Step) -> Fails<Option<Bound>> {
    let takes = unit.taken(step);
    let Some(of) = takes.first() else {
        return Ok(match &step.action {
            Action::Operand { row: Row::C, .. } => Some(Bound::exact(true)),
            Action::Zero => Some(Bound::exact(false)),
            Action::Constant {
                value: Some(value), ..
            } if value.is_zero() => Some(Bound::exact(false)),
            _ => None,
        });
    };
    let same = of.bound.clone();
    Ok(match &step.action {
        Action::Cap { .. } | Action::Special | Action::Replace => same,
        Action::Flush { .. } => {
            same.zip(step.form())
                .map(|(same, format)| match of.floor() >= format.emin {
                    true => same,
                    false => with_error(same, &Amount::absolute(Dyadic::power(format.emin))),
                })
        }
        Action::Term {
            zeros,
            widen,
            shift,
            plain_specials,
        } if *plain_specials || of.value.is_some() => same
            .map(|same| term(step, of, same, (*zeros, *widen, *shift)))
            .transpose()?,
        Action::Product => product(unit, of, unit.nth(step, 1)?),
        Action::Normalise => same.map(|same| {
            let floor = match (step.hides, of.exponent) {
                (true, _) => Some(Dyadic::zero()),
                (false, FAR) => None,
                (false, e) => Some(if e == -FAR {
                    Dyadic::zero()
                } else {
                    Dyadic::power(e)
                }),
            };
            let each = same.magnitudes().into_iter();
            Bound {
                reaches: floor.map_or(Vec::new(), |floor| {
                    each.map(|one| one.at_least(floor.clone())).collect()
                }),
                ..same
            }
        }),
        Action::Sum { zeros } => {
            Bound::together(takes.iter().map(|of| of.bound.as_ref())).map(|all| {
                // Its exponent is 0; where it is not zero, it is at least its last place.
                let last = Dyadic::power(step.fraction.min(LIMIT));
                let is_known = *zeros == SumZeros::None && step.fraction <= LIMIT;
                let mut reaches: Vec<Amount> = if is_known {
                    all.magnitudes()
                        .iter()
                        .map(|one| one.times(&last))
                        .collect()
                } else {
                    Vec::new()
                };
                reaches.push(Amount::absolute(Dyadic::power(0)));
                Bound { reaches, ..all }
            })
        }
        Action::Fuse { least, .. } => fuse(step, &takes, *least),
        Action::Cut { bits, by, least } => same
            .map(|same| cut(step, of, same, (*bits, *by, *least)))
            .transpose()?,
        Action::Round(round) => rounding(unit, step, round, &takes)?,
        _ => None,
    })
}

/// The same with a greater error.
fn with_error(bound: Bound, more: &Amount) -> Bound {
    Bound {
        errors: bound.errors.iter().map(|error| error.plus(more)).collect(),
        ..bound
    }
}

fn term(step: &Step, of: &Step, same: Bound, options: (Zeros, bool, i64)) -> Fails<Bound> {
    let (zeros, widen, shift) = options;
    let mut least = Dyadic::zero();
    let (reaches, field) = match of.form() {
        None => (same.reaches.clone(), of.extent()?.highest),
        Some(format) => {
            // A subnormal number has a greater exponent than that of its leading one.
            if !widen && of.floor() < format.emin {
                least = Dyadic::power(format.emin);
            }
            (
                if format.is_float {
                    same.magnitudes()
                } else {
                    Vec::new()
                },
                format.emin,
            )
        }
    };
    if !step.hides {
        let of_zero = if let Zeros::At(exponent) = zeros {
            exponent
        } else {
            field
        };
        least = least.max(Dyadic::power(of_zero));
    }
    let by = Dyadic::power(shift);
    let reaches = reaches
        .into_iter()
        .map(|one| one.at_least(least.clone()).times(&by))
        .collect();
    Ok(Bound { reaches, ..same })
}
