//! Local tests of the rules of monotony, and what the values of this walk mean for two runs. In the second run one operand
//! is the next greater one: `c`, or a factor whose other factor is positive; or the next less one, if that is negative.
//!
//! - A value that is *fixed* is the same in both.
//! - A *factor* has the sign of its operand, moves in its direction, and is zero only where that is, unless it may vanish.
//! - A value that *rises* is not less in the second run, and it is the same if the operand is none of its own. Where its exponent
//!   changes, it changes by its `step` times the power of two of the lesser exponent, if they are one apart, or else of the greater
//!   one; so it does where it has an exponent in one of both runs alone.
//!
//! Where one of both is a NaN, nothing is said.

use super::faults::Faults;
use super::numbers::{Real, Seen, UNIT, decoded};
use super::steps::{Met, words};
use super::{Case, Run, count, tried};
use mmasmt_core::machines::algorithms::descriptions::ValueKind;
use mmasmt_core::machines::algorithms::{DotAdd, Operand};
use mmasmt_numbers::float::{Dyadic, Format};
use mmasmt_questions::claims::Places;
use mmasmt_questions::claims::monotone::{
    MonotoneValue, MonotoneWalk, MovingOperands, RisingValue,
};
use num_bigint::BigInt;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::cmp::Ordering;

type Wrong = String;

/// Two runs.
struct Pair<'x> {
    first: &'x Run,
    second: Run,
    /// The operand that moves: its side, 2 for `c`, and its place.
    side: usize,
    place: usize,
    falls: bool,
}

/// The order of numbers; `None` beside a NaN.
fn order(x: Real, y: Real) -> Option<Ordering> {
    let key = |real: Real| match real {
        Real::Infinite(true) => Some((-1, 0)),
        Real::Finite(value) => Some((0, value)),
        Real::Infinite(false) => Some((1, 0)),
        Real::Nan => None,
    };
    Some(key(x)?.cmp(&key(y)?))
}

/// The next code: up, or down.
fn next(format: &Format, code: u64, up: bool) -> Option<u64> {
    let key = |code: u64| {
        let (real, negative) = decoded(format, code)?;
        let key = match real {
            Real::Infinite(true) => (-1, 0),
            Real::Finite(value) => (0, value),
            Real::Infinite(false) => (1, 0),
            Real::Nan => return None,
        };
        Some((key, !negative))
    };
    let own = key(code)?;
    let all = (0..1u64 << format.width()).filter_map(|code| Some((key(code)?, code)));
    match up {
        true => all
            .filter(|(key, _)| *key > own)
            .min()
            .map(|(_, code)| code),
        false => all
            .filter(|(key, _)| *key < own)
            .max()
            .map(|(_, code)| code),
    }
}

/// A run and one in which an operand moves.
fn pair<'x>(
    case: &Case,
    run: &'x Run,
    moving: MovingOperands,
    rng: &mut ChaCha8Rng,
) -> Option<Pair<'x>> {
    let signature = case.unit.signature();
    let mut inputs = run.inputs.clone();
    let (side, place, falls) = match moving {
        MovingOperands::C => (2, 0, false),
        MovingOperands::Products => {
            let side = rng.random_range(0..2);
            let place = rng.random_range(0..run.a.len());
            let (other, negative) = [&run.b, &run.a][side][place];
            if other == 0 {
                return None;
            }
            (side, place, negative)
        }
    };
    let (row, format) = [
        (Operand::A, signature.a),
        (Operand::B, signature.b),
        (Operand::C, signature.c),
    ][side];
    let code = &mut inputs.row_mut(row)[place];
    *code = next(&format, *code, !falls)?;
    let (real, _) = decoded(&format, *code)?;
    real.finite()?;
    Some(Pair {
        first: run,
        second: case.run(inputs)?,
        side,
        place,
        falls,
    })
}

fn rising_admits(
    rising: &RisingValue,
    pair: &Pair<'_>,
    [before, after]: [&Seen; 2],
    is_number: bool,
) -> Result<(), Wrong> {
    let place = Places::one(if pair.side == 2 { 0 } else { pair.place });
    if !rising.of.joined(&place).1 {
        return same([before, after]);
    }
    let Some(order) = order(before.real, after.real) else {
        return Ok(());
    };
    if order == Ordering::Greater {
        return Err("falls".into());
    }
    let (Some(step), Real::Finite(x), Real::Finite(y), true) =
        (&rising.step, before.real, after.real, is_number)
    else {
        return Ok(());
    };
    let at = match (before.exponent, after.exponent) {
        (None, None) => return Ok(()),
        (Some(x), Some(y)) if x == y => return Ok(()),
        (Some(x), Some(y)) if x.abs_diff(y) == 1 => x.min(y),
        (x, y) => x.max(y).unwrap_or(0),
    };
    let change = Dyadic::new(BigInt::from(y - x), UNIT);
    match step.shifted(at).magnitude_exceeds(&change) {
        true => Err("step".into()),
        false => Ok(()),
    }
}

fn same([before, after]: [&Seen; 2]) -> Result<(), Wrong> {
    let same = before.real == after.real && before.exponent == after.exponent;
    same.then_some(()).ok_or("not the same".into())
}

fn admits(
    value: &MonotoneValue,
    pair: &Pair<'_>,
    slot: usize,
    is_number: bool,
) -> Result<(), Wrong> {
    let both = [&pair.first.seen[slot], &pair.second.seen[slot]];
    match value {
        MonotoneValue::Unknown => Ok(()),
        MonotoneValue::Fixed { is_negative_never } => {
            let is_less = matches!(both[0].real, Real::Finite(value) if value < 0);
            match *is_negative_never && (is_less || both[0].real == Real::Infinite(true)) {
                true => Err("negative".into()),
                false => same(both),
            }
        }
        MonotoneValue::Factor {
            side,
            index,
            may_vanish,
        } => {
            for (run, seen) in [(pair.first, both[0]), (&pair.second, both[1])] {
                let (own, _) = [&run.a, &run.b][*side][*index];
                let value = match seen.real {
                    Real::Finite(value) => value,
                    Real::Infinite(true) => -1,
                    Real::Infinite(false) => 1,
                    Real::Nan => return Ok(()),
                };
                if value != 0 && ((value < 0) != (own < 0) || own == 0) {
                    return Err("sign of the factor".into());
                }
                if value == 0 && own != 0 && !may_vanish {
                    return Err("factor vanishes".into());
                }
            }
            if (pair.side, pair.place) != (*side, *index) {
                return same(both);
            }
            let wrong = match pair.falls {
                true => Ordering::Less,
                false => Ordering::Greater,
            };
            (order(both[0].real, both[1].real) != Some(wrong))
                .then_some(())
                .ok_or("factor falls".into())
        }
        MonotoneValue::Rising(rising) => rising_admits(rising, pair, both, is_number),
    }
}

fn compare(case: &Case, rng: &mut ChaCha8Rng, met: &mut Met, faults: &mut Faults) {
    let program = case.unit.program();
    let moving = if rng.random() {
        MovingOperands::C
    } else {
        MovingOperands::Products
    };
    if case.unit.signature().is_integer() {
        return;
    }
    let pairs: Vec<Pair<'_>> = case
        .runs
        .iter()
        .filter_map(|run| pair(case, run, moving, rng))
        .collect();
    let mut alive = vec![true; pairs.len()];
    let mut walk = MonotoneWalk::of(program, moving);
    for (slot, node) in program.nodes.iter().enumerate() {
        let is_number = matches!(node.kind, ValueKind::Number(_));
        let value = walk.value(&node.action, &node.kind);
        met.note(
            &node.action,
            value.is_some(),
            alive.iter().filter(|one| **one).count() as u64,
        );
        let mut value = value.unwrap_or(MonotoneValue::Unknown);
        let living = (0..pairs.len()).filter(|at| alive[*at]);
        let mut wrong = living.filter_map(|at| {
            let wrong = admits(&value, &pairs[at], slot, is_number).err()?;
            Some((&pairs[at], wrong))
        });
        if let Some((pair, wrong)) = wrong.next() {
            let words = words(&node.action).join(", ");
            faults.note(format!("{words}: {wrong}"), || {
                let [first, second] = [pair.first, &pair.second].map(|run| case.line(run));
                let (x, y) = (&pair.first.seen[slot], &pair.second.seen[slot]);
                format!(
                    "{} at {first} and {second}: {} is {x:?} and {y:?}",
                    case.text, node.name
                )
            });
            walk.values.push(MonotoneValue::Unknown);
            continue;
        }
        // Less or more is known of the step.
        if let (MonotoneValue::Rising(rising), true) =
            (&value, rng.random_range(0..3) == 0 && is_number)
        {
            let step = match rng.random_range(0..3) {
                0 => None,
                1 => rising.step.as_ref().map(|step| step.shifted(-1)),
                _ => Some(Dyadic::new(1.into(), rng.random_range(-6..1))),
            };
            value = value.clone().with_step(step);
            for (at, is_alive) in alive.iter_mut().enumerate() {
                *is_alive &= admits(&value, &pairs[at], slot, is_number).is_ok();
            }
        }
        walk.values.push(value);
    }
}

/// The steps and options of which no rule says anything.
const SILENT: [&str; 3] = [
    "differ",
    "round integers Saturate",
    "round integers Symmetric",
];

#[test]
fn each_pair_of_values_is_one_that_its_rule_admits() {
    tried(5, count(1_000_000, 0, false), &SILENT, compare);
}

#[test]
#[ignore = "minutes"]
fn each_pair_of_many_is_one_that_its_rule_admits() {
    tried(6, count(0, 30_000_000, true), &SILENT, compare);
}
