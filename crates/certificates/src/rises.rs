//! What rises with one operand: the facts.
//!
//! One operand is greater in a second run: c, or a factor whose other factor is positive (or less, if that is negative). A
//! value rises if it is not less in the second run. Its `step`: where its exponent changes, or it takes part in one run
//! alone, it rises by at least step * 2^e; e is the lesser exponent where both are there and differ by one, else the
//! greatest one that is there.

use crate::atoms::Side;
use crate::dyadic::Dyadic;
use crate::json::{Object, dyadic};
use crate::places::Places;
use crate::rising;
use crate::steps::Step;
use crate::unit::Unit;
use crate::{Fails, need};
use serde_json::Value;

/// The operand that rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moving {
    C,
    Products,
}

/// What a value does where an operand rises.
#[derive(Clone, Debug)]
pub(crate) enum Rises {
    /// It stays.
    Fixed { nonnegative: bool },
    /// It has the sign of a factor, or is zero, and moves with it. `is_fine`: two factors of one exponent exist.
    Factor {
        side: Side,
        index: usize,
        may_vanish: bool,
        is_fine: bool,
    },
    /// It does not fall.
    Rising {
        places: Places,
        step: Option<Dyadic>,
    },
}

impl Rises {
    /// The same with this step.
    pub(crate) fn with_step(&self, step: Option<Dyadic>) -> Rises {
        match self {
            Rises::Rising { places, .. } => Rises::Rising {
                places: places.clone(),
                step,
            },
            other => other.clone(),
        }
    }

    /// Its step, if it rises.
    pub(crate) fn step(&self) -> Option<&Dyadic> {
        match self {
            Rises::Rising { step, .. } => step.as_ref(),
            Rises::Fixed { .. } | Rises::Factor { .. } => None,
        }
    }

    fn read(unit: &Unit<'_>, value: &Value) -> Fails<Rises> {
        let (key, value) = Object::single(value, "`rises`")?;
        match key {
            "fixed" => Ok(Rises::Fixed {
                nonnegative: Object::of(value, &["nonnegative"], key)?.flag("nonnegative")?,
            }),
            "factor" => {
                let object = Object::of(value, &["side", "index", "may_vanish"], key)?;
                Ok(Rises::Factor {
                    side: crate::json::word(
                        object.get("side")?,
                        &[("a", Side::A), ("b", Side::B)],
                        "side",
                    )?,
                    index: object.integer("index", 0)? as usize,
                    may_vanish: object.flag("may_vanish")?,
                    is_fine: true,
                })
            }
            "rising" => {
                let object = Object::of(value, &["of", "step"], key)?;
                let places = Places::read(object.get("of")?, unit.domain.products)?;
                let step = object
                    .maybe("step")
                    .map(|step| dyadic(step, "step"))
                    .transpose()?;
                Ok(Rises::Rising { places, step })
            }
            other => Err(format!("unknown key `{other}` in rises")),
        }
    }
}

/// Checks a fact, which the step has then.
pub(crate) fn check(unit: &Unit<'_>, step: &mut Step, value: &Value) -> Fails<()> {
    need(unit.moving.is_some(), || {
        "the certificate proves nothing of operands that rise".into()
    })?;
    let mut claimed = Rises::read(unit, value)?;
    let found = rising::derive(unit, step)?;
    let holds = match (&mut claimed, &found) {
        (Rises::Fixed { nonnegative }, Rises::Fixed { nonnegative: own }) => *own || !*nonnegative,
        (
            Rises::Factor {
                side,
                index,
                may_vanish,
                is_fine,
            },
            Rises::Factor {
                side: own_side,
                index: own_index,
                may_vanish: own,
                is_fine: own_fine,
            },
        ) => {
            *is_fine = *own_fine;
            side == own_side && index == own_index && (*may_vanish || !own)
        }
        (Rises::Rising { .. }, Rises::Fixed { .. }) => true,
        (
            Rises::Rising { places, step },
            Rises::Rising {
                places: own,
                step: own_step,
            },
        ) => {
            need_step(step.as_ref(), own_step.as_ref())?;
            own.is_within(places)
        }
        _ => false,
    };
    need(holds, || {
        format!("`rises` does not follow: expected {found:?}, found {claimed:?}").to_lowercase()
    })?;
    step.rises = Some(claimed);
    Ok(())
}

fn need_step(claimed: Option<&Dyadic>, found: Option<&Dyadic>) -> Fails<()> {
    match (claimed, found) {
        (None, _) => Ok(()),
        (Some(_), None) => Err("`step` does not follow: nothing is known of it".into()),
        (Some(claimed), Some(found)) => need(claimed <= found, || {
            format!("`step` does not follow: expected at most {found}, found {claimed}")
        }),
    }
}
