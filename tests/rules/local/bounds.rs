//! Local tests of the rules of bounds, and what the values of this walk mean. Let the operands be given, let C be |c|
//! and P the sum of the magnitudes of the products of a value, with the scales that it has; let nothing on the way to it
//! have overflowed.
//!
//! - A *sum* differs from the exact sum of its products and of `c` by at most its `error` at C and P, and by at most
//!   its `linear` bound at C + P. It is at most `most`, and where it takes part in alignment, two to the power of its
//!   exponent is at most its `reach`. It has lost a bit below the last place only if it is sticky.
//! - A *factor* has the value of its operand, or is zero where that is below the normal numbers, if it was flushed, or is within its
//!   distance, if it was rounded. Its exponent is that of its format, or of zero as `zero` says.
//! - The *last rounding*: the distance from the exact sum is at most that many last places and the bound before.
//! - *Peaks*: where all of them fit, nothing overflows.

use super::faults::Faults;
use super::numbers::{Real, Seen, UNIT, decoded, greatest, leading, rounded, times};
use super::steps::{Met, words};
use super::{Case, Run, count, tried};
use mmasmt_core::machines::algorithms::descriptions::{
    Action, Program, RoundSource, Slot, ValueKind,
};
use mmasmt_core::machines::algorithms::{DotAdd, Operand};
use mmasmt_numbers::float::{Dyadic, Exponents, Format};
use mmasmt_questions::claims::bounds::{
    Amount, BoundedSum, BoundsValue, BoundsWalk, Factors, Linear, OperandNumber, Peak, Underflow,
    of_steps, scaled,
};
use num_bigint::BigInt;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

type Wrong = String;

fn dyadic(x: i128) -> Dyadic {
    Dyadic::new(BigInt::from(x), UNIT)
}

/// The products that each value is made of; `None` for `c`.
fn terms(program: &Program) -> Vec<BTreeSet<Option<usize>>> {
    let mut all: Vec<BTreeSet<Option<usize>>> = Vec::new();
    // The place of the factor that a value is.
    let mut factors: Vec<Option<usize>> = Vec::new();
    for node in &program.nodes {
        let mut own = BTreeSet::new();
        let mut factor = None;
        let pair = |slots: &[Slot], own: &mut BTreeSet<Option<usize>>| {
            let places: Vec<usize> = slots
                .iter()
                .filter_map(|slot| factors[*slot as usize])
                .collect();
            match places[..] {
                [one, _] => {
                    own.insert(Some(one));
                }
                _ => slots
                    .iter()
                    .for_each(|slot| own.extend(&all[*slot as usize])),
            }
        };
        match &node.action {
            Action::Operand(Operand::A | Operand::B, index) => factor = Some(*index),
            Action::Operand(Operand::C, _) => {
                own.insert(None);
            }
            Action::Product(slots) => pair(slots, &mut own),
            Action::Round(round) => match round.of {
                RoundSource::Multiply(slots) => pair(&slots, &mut own),
                RoundSource::Fma([x, y, z]) => {
                    pair(&[x, y], &mut own);
                    own.extend(&all[z as usize]);
                }
                RoundSource::Add(slots) => slots
                    .iter()
                    .for_each(|slot| own.extend(&all[*slot as usize])),
                RoundSource::Number(slot) | RoundSource::Register(slot) => {
                    factor = factors[slot as usize];
                    own.extend(&all[slot as usize]);
                }
            },
            Action::Special { of, .. } | Action::Replace { of, .. } => {
                own.extend(&all[*of as usize])
            }
            action => {
                let mut count = 0;
                action.each_slot(|slot| {
                    count += 1;
                    factor = factors[slot as usize];
                    own.extend(&all[slot as usize]);
                });
                factor = factor.filter(|_| count == 1);
            }
        }
        all.push(own);
        factors.push(factor);
    }
    all
}

/// For each value, whether something overflowed on the way to it.
fn overflows(program: &Program, run: &Run) -> Vec<bool> {
    let mut all: Vec<bool> = Vec::new();
    for (node, seen) in program.nodes.iter().zip(&run.seen) {
        let mut is_over = seen.real.finite().is_none();
        node.action.each_slot(|slot| is_over |= all[slot as usize]);
        let value = |slot: Slot| run.seen[slot as usize].real.finite().unwrap_or(0);
        if let (Action::Round(round), ValueKind::Register(format)) = (&node.action, node.kind) {
            let exact = match round.of {
                RoundSource::Number(slot) | RoundSource::Register(slot) => Some(value(slot)),
                RoundSource::Multiply([x, y]) => times(value(x), value(y)),
                RoundSource::Add([x, y]) => Some(value(x) + value(y)),
                RoundSource::Fma([x, y, z]) => times(value(x), value(y)).map(|xy| xy + value(z)),
            };
            let format = format_of(&format, round.fraction);
            let places = format.least_exponent().into();
            let result =
                exact.and_then(|exact| rounded(exact, format.precision(), places, round.by));
            is_over |= result.is_none_or(|result| result.abs() > greatest(&format));
        }
        all.push(is_over);
    }
    all
}

fn format_of(format: &Format, fraction: u32) -> Format {
    match format.is_integer() {
        true => *format,
        false => format.with_fraction(fraction),
    }
}

/// The exact sum of terms, C and P.
fn exact(
    case: &Case,
    run: &Run,
    terms: &BTreeSet<Option<usize>>,
    scaled: [bool; 2],
) -> (i128, [i128; 2]) {
    let block = case
        .unit
        .signature()
        .scales
        .map_or(1, |scales| scales.block as usize);
    let (mut sum, mut c, mut products) = (0, 0, 0);
    for term in terms {
        match term {
            None => {
                sum += run.c.0;
                c += run.c.0.abs();
            }
            Some(index) => {
                let mut product = times(run.a[*index].0, run.b[*index].0).unwrap();
                for (side, _) in scaled
                    .iter()
                    .enumerate()
                    .filter(|(_, is_scaled)| **is_scaled)
                {
                    product = times(product, run.scales[side][index / block]).unwrap();
                }
                sum += product;
                products += product.abs();
            }
        }
    }
    (sum, [c, products])
}

fn sum_admits(
    sum: &BoundedSum,
    seen: &Seen,
    (exact, [c, p]): (i128, [i128; 2]),
    format: Option<Format>,
) -> Result<(), Wrong> {
    let Real::Finite(value) = seen.real else {
        return Ok(());
    };
    let error = dyadic((value - exact).abs());
    let at = |amount: &Amount| amount.at([&dyadic(c), &dyadic(p)]);
    if error.magnitude_exceeds(&at(&sum.error)) {
        return Err("error".into());
    }
    let linear = sum
        .linear
        .of_all
        .times(&dyadic(c + p))
        .plus(&sum.linear.absolute);
    if error.magnitude_exceeds(&linear) {
        return Err("linear".into());
    }
    if dyadic(value).magnitude_exceeds(&at(&sum.most)) {
        return Err("most".into());
    }
    let reach = seen.exponent.map(|exponent| scaled(1, exponent));
    if reach.is_some_and(|reach| reach.magnitude_exceeds(&at(&sum.reach))) {
        return Err("reach".into());
    }
    if seen.is_sticky && !sum.is_sticky {
        return Err("sticky".into());
    }
    if let (Some(last), Some(format)) = (&sum.rounded, format) {
        let top = leading(value)
            .unwrap_or(i64::MIN / 2)
            .max(format.min_exponent().into());
        let place = scaled(1, top - i64::from(format.fraction_bits));
        let bound = last
            .places
            .times(&place)
            .plus(&last.before.at(&dyadic(c + p)));
        if error.magnitude_exceeds(&bound) {
            return Err("last rounding".into());
        }
    }
    Ok(())
}

fn factor_admits(
    factor: &OperandNumber,
    run: &Run,
    seen: &Seen,
    is_number: bool,
) -> Result<(), Wrong> {
    let (own, _) = [&run.a, &run.b][factor.side][factor.index];
    let least = i64::from(factor.format.min_exponent());
    let Real::Finite(value) = seen.real else {
        return Err("factor not finite".into());
    };
    let normal = factor
        .flushed
        .map(|format| i64::from(format.min_exponent()));
    let is_small = leading(own)
        .zip(normal)
        .is_some_and(|(top, normal)| top < normal);
    let is_near = factor.rounded.is_some_and(|distance| {
        let absolute = distance
            .absolute
            .map_or(scaled(0, 0), |exponent| scaled(1, exponent));
        let most = dyadic(own.abs())
            .times(&scaled(1, distance.relative))
            .plus(&absolute);
        !dyadic((value - own).abs()).magnitude_exceeds(&most)
    });
    if value != own && !(value == 0 && is_small) && !is_near {
        return Err("factor".into());
    }
    let Some(exponent) = seen.exponent.filter(|_| is_number) else {
        return Ok(());
    };
    let known = match leading(value) {
        Some(top) => Some(top.max(least)),
        None => factor.zero,
    };
    (known == Some(exponent))
        .then_some(())
        .ok_or("factor's exponent".into())
}

fn exponents(codes: &[Vec<u64>], format: &Format) -> Exponents {
    let values = codes
        .iter()
        .flatten()
        .map(|code| decoded(format, *code).unwrap().0.finite().unwrap());
    let all: Vec<i64> = values.filter_map(leading).collect();
    match (all.iter().min(), all.iter().max()) {
        (Some(lowest), Some(highest)) => Exponents {
            lowest: *lowest as i32,
            highest: *highest as i32,
        },
        _ => Exponents::normal(format),
    }
}

/// The exponent of a power of two that every product of the two scales of a block is below.
fn scales_below(case: &Case) -> Option<i64> {
    let products = case.runs.iter().flat_map(|run| {
        let [a, b] = &run.scales;
        a.iter().zip(b).filter_map(|(a, b)| times(*a, *b))
    });
    let greatest = products.max()?;
    leading(greatest).map(|exponent| exponent + 1)
}

/// A sum of which less, or more, is known, and of which runs that holds.
fn drawn(sum: &BoundedSum, rng: &mut ChaCha8Rng, keeps: &mut dyn FnMut(&BoundedSum)) -> BoundedSum {
    let mut sum = sum.clone();
    let small = scaled(1, rng.random_range(-8..3));
    let absolute = Amount::none().with_absolute(&small);
    match rng.random_range(0..7) {
        0 => {
            sum.error = sum.error.clone().with_absolute(&small);
            sum.linear.absolute = sum.linear.absolute.plus(&small);
        }
        1 => {
            sum.error = match rng.random() {
                true => absolute,
                false => Amount::none(),
            };
            sum.linear = Linear {
                of_all: scaled(0, 0),
                absolute: sum.error.absolute.clone(),
            };
            keeps(&sum);
        }
        2 => sum.reach = sum.reach.clone().at_least(&small),
        3 => {
            sum.reach = Amount::of(1, 1).times(&small);
            keeps(&sum);
        }
        4 => {
            sum.most = absolute;
            keeps(&sum);
        }
        5 => sum.is_sticky = true,
        _ => {}
    }
    sum
}

fn compare(case: &Case, rng: &mut ChaCha8Rng, met: &mut Met, faults: &mut Faults) {
    let program = case.unit.program();
    let signature = case.unit.signature();
    if signature.is_integer() {
        return;
    }
    let factors = Factors {
        a: exponents(&case.codes.a, &signature.a),
        b: exponents(&case.codes.b, &signature.b),
        underflow: if rng.random() {
            Underflow::Absolute
        } else {
            Underflow::Relative
        },
        scales_below: match rng.random() {
            true => scales_below(case),
            false => None,
        },
    };
    let terms = terms(program);
    let over: Vec<Vec<bool>> = case
        .runs
        .iter()
        .map(|run| overflows(program, run))
        .collect();
    result(case, factors, &over, faults);
    let mut walk = BoundsWalk::of(program, factors);
    let mut alive = vec![true; case.runs.len()];
    for (slot, node) in program.nodes.iter().enumerate() {
        let value = walk.value(&node.action, &node.kind);
        met.note(
            &node.action,
            value.is_some(),
            alive.iter().filter(|one| **one).count() as u64,
        );
        let mut value = value.unwrap_or(BoundsValue::Unknown);
        let format = match (&node.kind, &node.action) {
            (ValueKind::Register(format), Action::Round(round)) => Some((*format, round.fraction)),
            _ => None,
        };
        let admits = |value: &BoundsValue, at: usize| -> Result<(), Wrong> {
            let (run, seen) = (&case.runs[at], &case.runs[at].seen[slot]);
            match value {
                _ if over[at][slot] => Ok(()),
                BoundsValue::Sum(sum) if sum.has_cells() => Ok(()),
                BoundsValue::Sum(sum) => {
                    let exact = exact(case, run, &terms[slot], sum.scaled);
                    sum_admits(sum, seen, exact, format.map(|(format, _)| format))
                }
                BoundsValue::Factor(factor) => {
                    factor_admits(factor, run, seen, matches!(node.kind, ValueKind::Number(_)))
                }
                // A part of a product is no sum of products.
                BoundsValue::Part(_)
                | BoundsValue::Scale(_)
                | BoundsValue::Constant(_)
                | BoundsValue::Unknown => Ok(()),
            }
        };
        let living = (0..case.runs.len()).filter(|at| alive[*at]);
        let wrong = living
            .filter_map(|at| Some((at, admits(&value, at).err()?)))
            .next();
        if let Some((at, wrong)) = wrong {
            let words = words(&node.action).join(", ");
            faults.note(format!("{words}: {wrong}"), || {
                let (run, seen) = (&case.runs[at], &case.runs[at].seen[slot]);
                format!(
                    "{} at {}: {} is {seen:?}",
                    case.text,
                    case.line(run),
                    node.name
                )
            });
            walk.values.push(BoundsValue::Unknown);
            continue;
        }
        if let (BoundsValue::Sum(sum), 0) = (&value, rng.random_range(0..3)) {
            let sum = drawn(sum, rng, &mut |sum| {
                for (at, is_alive) in alive.iter_mut().enumerate() {
                    *is_alive &=
                        !over[at][slot] && admits(&BoundsValue::Sum(sum.clone()), at).is_ok();
                }
            });
            value = BoundsValue::Sum(sum);
        }
        walk.values.push(value);
    }
}

/// Compares the result with the bounds of the whole unit.
fn result(case: &Case, factors: Factors, over: &[Vec<bool>], faults: &mut Faults) {
    let described = of_steps(case.unit.program(), factors).filter(|described| described.has_c);
    let Some(described) = described else {
        return;
    };
    let (program, signature) = (case.unit.program(), case.unit.signature());
    let all = (0..signature.products as usize)
        .map(Some)
        .chain([None])
        .collect();
    let slot = program.result as usize;
    for (run, over) in case.runs.iter().zip(over) {
        let (exact, [c, p]) = exact(case, run, &all, [signature.scales.is_some(); 2]);
        let fit = |peaks: &Vec<Peak>| peaks.iter().all(|peak| peak.fits([&dyadic(c), &dyadic(p)]));
        let mut wrong = None;
        match run.seen[slot].real {
            _ if over[slot] && described.peaks.as_ref().is_some_and(fit) => {
                wrong = Some("unit: peaks");
            }
            _ if over[slot] => {}
            Real::Finite(value) => {
                let error = dyadic((value - exact).abs());
                if error.magnitude_exceeds(&described.bound.at(&dyadic(c + p))) {
                    wrong = Some("unit: bound");
                }
            }
            _ => {}
        }
        if let Some(wrong) = wrong {
            faults.note(wrong.into(), || {
                format!("{} at {}", case.text, case.line(run))
            });
        }
    }
}

/// The steps and options of which no rule says anything.
const SILENT: [&str; 5] = [
    "differ",
    "drop",
    "miscount",
    "round integers Saturate",
    "round integers Symmetric",
];

#[test]
fn each_value_is_one_that_its_bound_admits() {
    tried(3, count(1_000_000, 0, false), &SILENT, compare);
}

#[test]
#[ignore = "minutes"]
fn each_value_of_many_is_one_that_its_bound_admits() {
    tried(4, count(0, 30_000_000, true), &SILENT, compare);
}
