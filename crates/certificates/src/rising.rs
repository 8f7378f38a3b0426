//! What rises with one operand: a rule for each step.

use crate::Fails;
use crate::atoms::Row;
use crate::dyadic::Dyadic;
use crate::given::FAR;
use crate::need;
use crate::places::Places;
use crate::rises::{Moving, Rises};
use crate::rising_sums::fuse;
use crate::steps::{Action, Mode, Round, Source, Step, SumZeros, Tiny, Zeros};
use crate::unit::Unit;

/// A value that rises, or stays.
fn summand(step: &Step) -> Fails<&Rises> {
    let rises = step
        .rises
        .as_ref()
        .filter(|rises| !matches!(rises, Rises::Factor { .. }));
    rises.ok_or_else(|| "a value that it takes is not known to rise".into())
}

/// A value that rises with each of these; its step is not known.
pub(crate) fn union(steps: &[&Step]) -> Fails<Rises> {
    let (mut all, mut moves) = (Places::none(), false);
    for step in steps {
        if let Rises::Rising { places, .. } = summand(step)? {
            all.join(places);
            moves = true;
        }
    }
    Ok(if moves {
        Rises::Rising {
            places: all,
            step: None,
        }
    } else {
        Rises::Fixed { nonnegative: false }
    })
}

/// What the step is, as those are that it takes.
pub(crate) fn derive(unit: &Unit<'_>, step: &Step) -> Fails<Rises> {
    if let Action::Operand { row, index } = step.action {
        return operand(unit, step, row, index);
    }
    let takes = unit.taken(step);
    let fixed: Option<Vec<bool>> = takes
        .iter()
        .map(|of| match of.rises {
            Some(Rises::Fixed { nonnegative }) => Some(nonnegative),
            _ => None,
        })
        .collect();
    if let Some(fixed) = fixed {
        let keeps_sign = matches!(
            step.action,
            Action::Term { .. } | Action::Flush { .. } | Action::Normalise | Action::Product
        );
        let is_plus = matches!(
            step.action,
            Action::Constant {
                value: Some(_),
                minus: false
            }
        );
        let never_minus = is_plus || step.value.as_ref().is_some_and(|value| !value.minus);
        return Ok(Rises::Fixed {
            nonnegative: never_minus || keeps_sign && fixed.into_iter().all(|one| one),
        });
    }
    let Some(of) = takes.first() else {
        return Err("a step that takes nothing".into());
    };
    match &step.action {
        Action::Flush { .. } => flush(of),
        Action::Positive => Ok(summand(of)?.with_step(None)),
        Action::Term { .. } => term(step, of),
        Action::Product => product(of, unit.nth(step, 1)?),
        Action::Normalise => normalise(of),
        Action::Cap { .. } => summand(of).cloned(),
        Action::Special => Ok(union(&takes)?.with_step(summand(of)?.step().cloned())),
        Action::Sum { zeros } => {
            // Its exponent is 0, and it is a multiple of its last place.
            let last = (*zeros != SumZeros::Terms && step.fraction < FAR)
                .then(|| Dyadic::power(-step.fraction));
            Ok(union(&takes)?.with_step(last))
        }
        Action::Fuse { sticky, .. } => fuse(unit, step, &takes, *sticky),
        Action::Cut { .. } => {
            need(!step.sticky, || "a sticky number".into())?;
            Ok(summand(of)?.with_step(None))
        }
        Action::Round(round) => rounding(step, round, &takes),
        Action::Replace => {
            let is_kept = takes.iter().skip(1).all(|one| one.value.is_some());
            need(is_kept, || "a NaN becomes another register".to_lowercase())?;
            summand(of).cloned()
        }
        _ => Err("nothing is known of what rises through such a step".into()),
    }
}

fn operand(unit: &Unit<'_>, step: &Step, row: Row, index: usize) -> Fails<Rises> {
    let (format, numbers) = unit
        .domain
        .operand(row, index)
        .ok_or("there is no such operand")?;
    let is_moved = match row {
        Row::C => unit.moving == Some(Moving::C),
        Row::A | Row::B => unit.moving == Some(Moving::Products),
        Row::AScales | Row::BScales => false,
    };
    if !is_moved {
        return Ok(Rises::Fixed {
            nonnegative: !format.signed || !numbers.minus,
        });
    }
    need(step.register()?.is_float, || {
        "nothing is known of integers that rise".into()
    })?;
    Ok(match row {
        Row::C => Rises::Rising {
            places: Places::one(0),
            step: None,
        },
        _ => Rises::Factor {
            side: row.side(),
            index,
            may_vanish: false,
            is_fine: true,
        },
    })
}

fn flush(of: &Step) -> Fails<Rises> {
    match of.rises.clone() {
        Some(Rises::Factor {
            side,
            index,
            is_fine,
            ..
        }) => Ok(Rises::Factor {
            side,
            index,
            may_vanish: true,
            is_fine,
        }),
        _ => summand(of).cloned(),
    }
}

fn term(step: &Step, of: &Step) -> Fails<Rises> {
    let Action::Term {
        zeros,
        shift,
        plain_specials,
        ..
    } = step.action
    else {
        return Err("expected a term".into());
    };
    need(plain_specials || of.value.is_some(), || {
        "an infinity would be a number".into()
    })?;
    if let Some(format) = of.form() {
        // Zero is not compared by a greater exponent than the least numbers.
        let is_low = !matches!(zeros, Zeros::At(exponent) if exponent > format.emin);
        need(format.is_float && is_low, || {
            "zero has a greater exponent than others".into()
        })?;
    }
    if let Some(Rises::Factor {
        side,
        index,
        may_vanish,
        is_fine,
    }) = of.rises
    {
        // The exponent of a factor that became zero would change with the other factor alone.
        let is_hidden = zeros == Zeros::None || of.form().is_some() && !may_vanish;
        need(is_hidden, || {
            "a factor that vanishes has an exponent".into()
        })?;
        let is_fine = is_fine && of.form().is_none_or(|format| format.precision > 1);
        return Ok(Rises::Factor {
            side,
            index,
            may_vanish,
            is_fine,
        });
    }
    let rises = summand(of)?;
    if let Some(format) = of.form() {
        // Two numbers of a format differ by a last place, and by half of the greater power of two if their exponents are
        // further apart.
        return Ok(rises.with_step((format.precision > 1).then(|| Dyadic::power(-step.fraction))));
    }
    let never_zero = of.value.as_ref().is_some_and(|value| !value.zero);
    let Some(own) = rises.step().filter(|_| zeros == Zeros::None || never_zero) else {
        return Ok(rises.with_step(None));
    };
    // Where a zero takes no part any more, the other value is at least a last place.
    let least = match of.hides {
        true => Some(own.clone()),
        false => (of.fraction < FAR).then(|| own.clone().min(Dyadic::power(-of.fraction))),
    };
    Ok(rises.with_step(least.map(|least| least.shifted(-shift))))
}

fn product(x: &Step, y: &Step) -> Fails<Rises> {
    let value = multiplied(x, y)?;
    if let (Some(Rises::Factor { is_fine: one, .. }), Some(Rises::Factor { is_fine: other, .. })) =
        (&x.rises, &y.rises)
    {
        let is_fine = *one && *other && x.fraction < FAR && y.fraction < FAR;
        return Ok(value.with_step(is_fine.then(|| Dyadic::power(-x.fraction - y.fraction))));
    }
    let (moves, scale) = if matches!(x.rises, Some(Rises::Rising { .. })) {
        (x, y)
    } else {
        (y, x)
    };
    // A scale is at least its last place; where it is zero, the product must take no part.
    let step = moves
        .rises
        .as_ref()
        .and_then(Rises::step)
        .filter(|_| scale.hides && scale.fraction < FAR);
    let step = step.map(|step| step.shifted(-scale.fraction));
    Ok(value.with_step(step))
}

/// The product of both factors of one place, or of what rises and what is never negative.
fn multiplied(x: &Step, y: &Step) -> Fails<Rises> {
    match (&x.rises, &y.rises) {
        (
            Some(Rises::Factor { side, index, .. }),
            Some(Rises::Factor {
                side: other,
                index: place,
                ..
            }),
        ) if side != other && index == place => Ok(Rises::Rising {
            places: Places::one(*index),
            step: None,
        }),
        (Some(moves @ Rises::Rising { .. }), Some(Rises::Fixed { nonnegative: true }))
        | (Some(Rises::Fixed { nonnegative: true }), Some(moves @ Rises::Rising { .. })) => {
            Ok(moves.with_step(None))
        }
        _ => Err(
            "expected both factors of one product, or what rises and what is never negative".into(),
        ),
    }
}

fn normalise(of: &Step) -> Fails<Rises> {
    let rises = summand(of)?;
    let top = of.size.as_ref().and_then(Dyadic::log2);
    let known = rises
        .step()
        .zip(top)
        .filter(|_| of.hides && of.fraction < FAR);
    // The exponent of the leading one is at most that of before + log2(size); if exponents are further apart, half of a power
    // of two lies between.
    let step = known.map(|(step, top)| {
        let least = step.clone().min(Dyadic::power(-of.fraction));
        least.shifted(-top).min(Dyadic::power(-1))
    });
    Ok(rises.with_step(step))
}

fn rounding(step: &Step, round: &Round, takes: &[&Step]) -> Fails<Rises> {
    let format = step.register()?;
    let of = takes.get(..round.source.count()).unwrap_or_default();
    let is_known = format.is_float && round.plain_specials && round.by != Mode::Sr;
    need(is_known, || "nothing is known of such a rounding".into())?;
    let is_finite = of.iter().all(|one| one.value.is_some());
    need(is_finite || round.keeps_nan && format.nan, || {
        "what is no number becomes one".into()
    })?;
    let is_sticky = round.source == Source::Number && of.iter().any(|one| one.sticky);
    need(!is_sticky, || "a sticky number".into())?;
    match (round.source, of) {
        (Source::Register, [one]) if matches!(one.rises, Some(Rises::Factor { .. })) => {
            let last = if round.tiny == Tiny::Kept {
                format.emin - round.fraction
            } else {
                format.emin
            };
            let vanishes = one.form().is_none_or(|from| from.finite().floor() < last);
            match one.rises.clone() {
                Some(Rises::Factor {
                    side,
                    index,
                    may_vanish,
                    is_fine,
                }) => Ok(Rises::Factor {
                    side,
                    index,
                    may_vanish: may_vanish || vanishes,
                    is_fine,
                }),
                _ => Err("expected a factor".into()),
            }
        }
        (Source::Multiply, [x, y]) => multiplied(x, y),
        (Source::Fma, [x, y, z]) => {
            let is_fixed = [x, y]
                .iter()
                .all(|one| matches!(one.rises, Some(Rises::Fixed { .. })));
            let product = if is_fixed {
                Rises::Fixed { nonnegative: false }
            } else {
                multiplied(x, y)?
            };
            let mut all = Places::none();
            for one in [&product, summand(z)?] {
                if let Rises::Rising { places, .. } = one {
                    all.join(places);
                }
            }
            Ok(Rises::Rising {
                places: all,
                step: None,
            })
        }
        _ => Ok(union(of)?.with_step(None)),
    }
}
