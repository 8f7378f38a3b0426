//! Local tests of the rules of exactness, and what the values of this walk mean. Let the operands be given.
//!
//! - A *leaf* has one value: that of a product, of `c`, or of a sum that was rounded or flushed as it says.
//! - A *sum* has the sum of its leaves as its value, and that is one of its multiples, not negative unless it
//!   may be. If the sum is zero, it has the sign that its `zero` gives. Without `overflow` no leaf is infinite;
//!   with an infinity at most, the value is the infinity of the leaves.
//! - A *number* is a sum; where it takes part in alignment, its exponent is at most the one that is known, and its
//!   lowest bit at most `fraction` places below its own exponent.
//! - A *factor* has the value and the sign of its operand, but for what its flags allow.
//! - *LoneAddend*: the value is that of the addend, or, where this is zero, below `2^top`.

use super::faults::Faults;
use super::numbers::{Real, Seen, UNIT, decoded, greatest, leading, lowest, power, rounded, times};
use super::steps::{Met, words};
use super::{Case, Run, count, tried};
use mmasmt_core::machines::algorithms::DotAdd;
use mmasmt_core::machines::algorithms::descriptions::{Action, ValueKind};
use mmasmt_numbers::float::{Dyadic, Format, Overflow, Rounding, SpecialCodes};
use mmasmt_questions::claims::exactness::{
    Addend, Bounds, ExactnessValue, ExactnessWalk, Factor, FusedSum, GridTerm as OnGrid,
    LoneAddend, Multiples, NegativeZero, OperandValues, OverflowValue, Product, Register, Sum,
    SumConversion, SumLeaf, Units, Zero, ZeroRule, exponent_of,
};
use num_bigint::{BigInt, BigUint};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The values of leaves for the operands of a run.
struct Leaves<'x> {
    run: &'x Run,
    units: &'x Units,
    block: usize,
    has_scales: bool,
}

/// A complaint.
type Wrong = String;

/// The number, or zero if it is below two to the power of the exponent.
fn flushed(x: i128, small: Option<i64>) -> i128 {
    let is_small = small
        .zip(leading(x))
        .is_some_and(|(least, top)| top < least);
    if is_small { 0 } else { x }
}

fn dyadic(x: i128) -> Dyadic {
    Dyadic::new(BigInt::from(x), UNIT)
}

impl Leaves<'_> {
    fn product(&self, index: usize, small: [Option<i64>; 2]) -> (i128, bool) {
        let (Some(&(a, minus)), Some(&(b, other))) = (self.run.a.get(index), self.run.b.get(index))
        else {
            return (0, false);
        };
        let [x, y] = [flushed(a, small[0]), flushed(b, small[1])];
        let mut value = times(x, y).unwrap();
        if self.has_scales {
            for side in &self.run.scales {
                value = times(value, side[index / self.block]).unwrap();
            }
        }
        (value, minus != other)
    }

    fn value(&self, leaf: SumLeaf) -> Real {
        match leaf {
            SumLeaf::Product(index) => Real::Finite(self.product(index, [None; 2]).0),
            SumLeaf::FlushedProduct(index, small) => Real::Finite(self.product(index, small).0),
            SumLeaf::Addend => Real::Finite(self.run.c.0),
            SumLeaf::Rounded(number) => self.rounded(number),
        }
    }

    fn sum(&self, leaves: &[SumLeaf]) -> Real {
        let values = leaves.iter().map(|leaf| self.value(*leaf));
        values.fold(Real::Finite(0), Real::plus)
    }

    /// The sum that was rounded, before.
    fn before(&self, number: usize) -> Real {
        self.sum(&self.units.rounded.get(number).unwrap().leaves)
    }

    fn rounded(&self, number: usize) -> Real {
        let rounded_sum = self.units.rounded.get(number).unwrap();
        let Real::Finite(sum) = self.before(number) else {
            return self.before(number);
        };
        let format = &rounded_sum.format;
        match rounded_sum.how {
            SumConversion::Rounded { rounding, overflow } => {
                beyond(sum, format, rounding, overflow)
            }
            SumConversion::RoundedEitherWay => {
                let [even, zero] =
                    [Rounding::Rne, Rounding::Rz].map(|by| beyond(sum, format, by, None));
                if even == zero { even } else { Real::Nan }
            }
            SumConversion::Flushed => match leading(sum) {
                Some(top) if top < format.min_exponent().into() => Real::Finite(0),
                _ => Real::Finite(sum),
            },
            SumConversion::Saturated { .. } => {
                let (least, most) = ends(format);
                Real::Finite(sum.clamp(least, most))
            }
            SumConversion::Wrapped => {
                let (least, most) = ends(format);
                let count = most - least + power(0).unwrap();
                Real::Finite((sum - least).rem_euclid(count) + least)
            }
        }
    }

    /// True if the summand becomes -0 in a sum of zero.
    fn is_minus(&self, minus: NegativeZero) -> bool {
        let is_small = matches!(minus, NegativeZero::Small(_));
        match minus.leaf() {
            SumLeaf::Product(index) => {
                let (value, negative) = self.product(index, [None; 2]);
                negative && (is_small || value == 0)
            }
            SumLeaf::FlushedProduct(index, small) => {
                let (value, negative) = self.product(index, small);
                negative && (is_small || value == 0)
            }
            SumLeaf::Addend => self.run.c.1 && (is_small || self.run.c.0 == 0),
            SumLeaf::Rounded(number) => self.before(number).finite().is_some_and(|sum| sum < 0),
        }
    }
}

/// The least and the greatest integer.
fn ends(format: &Format) -> (i128, i128) {
    let codes = 0..1u64 << format.width();
    let values = codes.map(|code| decoded(format, code).unwrap().0.finite().unwrap());
    (values.clone().min().unwrap(), values.max().unwrap())
}

/// The rounded sum, which may be beyond the greatest number. If no rule is given for that, none is: a NaN, which
/// no value admits.
fn beyond(sum: i128, format: &Format, by: Rounding, overflow: Option<Overflow>) -> Real {
    let least = i64::from(format.least_exponent());
    let Some(value) = rounded(sum, format.precision(), least, by) else {
        return Real::Nan;
    };
    let most = greatest(format);
    if value.abs() <= most {
        return Real::Finite(value);
    }
    let negative = value < 0;
    let is_infinite = match overflow {
        None => return Real::Nan,
        Some(Overflow::Infinity) => true,
        Some(Overflow::Greatest | Overflow::Clamp) => false,
        Some(Overflow::Ieee) => match by {
            Rounding::Rz => false,
            Rounding::Rd => negative,
            Rounding::Ru => !negative,
            _ => true,
        },
    };
    match (is_infinite, format.specials) {
        (true, SpecialCodes::Ieee) => Real::Infinite(negative),
        // The code is not judged here.
        (true, SpecialCodes::NanOnly | SpecialCodes::NegativeZero) => Real::Nan,
        _ => Real::Finite(if negative { -most } else { most }),
    }
}

fn sum_admits(sum: &Sum, leaves: &Leaves<'_>, seen: &Seen, shows_sign: bool) -> Result<(), Wrong> {
    let total = leaves.sum(&sum.leaves);
    let Real::Finite(value) = total else {
        let is_right = match sum.overflow {
            OverflowValue::Nothing => false,
            OverflowValue::Infinity => matches!(total, Real::Infinite(_)) && seen.real == total,
            OverflowValue::Unknown => {
                sum.leaves.len() > 1 || total == Real::Nan || seen.real == total
            }
        };
        return is_right
            .then_some(())
            .ok_or_else(|| format!("beyond: leaves {total:?}"));
    };
    if sum.overflow == OverflowValue::Unknown && sum.leaves.len() > 1 {
        return Ok(());
    }
    if seen.real != total {
        return Err("value".into());
    }
    in_multiples(&sum.values, value)?;
    if value < 0 && !sum.negative {
        return Err("negative".into());
    }
    let minus = match &sum.zero {
        _ if value != 0 || !shows_sign => return Ok(()),
        Zero::Unknown => return Ok(()),
        Zero::Plus => false,
        Zero::SharedBy(all) => all.iter().all(|one| leaves.is_minus(*one)),
    };
    (seen.negative == minus)
        .then_some(())
        .ok_or("sign of zero".into())
}

fn in_multiples(values: &Multiples, value: i128) -> Result<(), Wrong> {
    match values.has(&dyadic(value)) {
        true => Ok(()),
        false => Err("multiples".into()),
    }
}

fn number_admits(
    term: &OnGrid,
    leaves: &Leaves<'_>,
    seen: &Seen,
    shows_sign: bool,
) -> Result<(), Wrong> {
    sum_admits(&term.sum, leaves, seen, shows_sign)?;
    // Nobody reads what an infinity lost.
    let Real::Finite(value) = seen.real else {
        return Ok(());
    };
    if seen.is_sticky {
        return Err("sticky".into());
    }
    if let Some(exponent) = seen.exponent {
        if term.exponent.is_none_or(|most| exponent > most) {
            return Err("exponent".into());
        }
        let places = lowest(value).map_or(0, |lowest| exponent - lowest);
        if term.fraction.is_some_and(|most| places > most.into()) {
            return Err("fraction".into());
        }
    }
    Ok(())
}

fn alone_admits(alone: &LoneAddend, leaves: &Leaves<'_>, seen: &Seen) -> Result<(), Wrong> {
    let Real::Finite(addend) = leaves.sum(&alone.addend.leaves) else {
        return Ok(());
    };
    let is_right = match (addend, seen.real) {
        (0, Real::Finite(value)) => leading(value).is_none_or(|top| top < alone.top),
        (addend, Real::Finite(value)) => alone.off.map_or(value == addend, |off| {
            let top = leading(addend).map_or(off.least, |top| top.max(off.least));
            let place = top - off.places;
            let distance = dyadic(value).minus(&dyadic(addend));
            let most = Dyadic::new(off.units.into(), place);
            let is_far = distance.magnitude_exceeds(&most);
            !is_far && (!off.away || value.abs() >= addend.abs())
        }),
        _ => false,
    };
    is_right.then_some(()).ok_or("alone".into())
}

fn within_admits(within: &Bounds, seen: &Seen) -> Result<(), Wrong> {
    let Real::Finite(value) = seen.real else {
        return Err("within: not finite".into());
    };
    let is_below = |top: i64| {
        leading(value).is_none_or(|leading| {
            leading < top || leading == top && -value == power(top).unwrap_or(0)
        })
    };
    if !within.top.map_or(value == 0, is_below) {
        return Err("within".into());
    }
    let is_high = |exponent: i64| within.exponent.is_none_or(|most| exponent > most);
    match seen.exponent.is_some_and(is_high) {
        true => Err("within: exponent".into()),
        false => Ok(()),
    }
}

fn factor_admits(
    factor: &Factor,
    leaves: &Leaves<'_>,
    seen: &Seen,
    is_number: bool,
) -> Result<(), Wrong> {
    let side = [&leaves.run.a, &leaves.run.b][factor.side];
    let (own, negative) = side[factor.index];
    let Real::Finite(value) = seen.real else {
        return Err("factor not finite".into());
    };
    let operand = &factor.operand;
    if value != flushed(own, operand.small) {
        return Err("factor".into());
    }
    if seen.negative != negative && !(factor.loses_sign && value == 0) {
        return Err("factor's sign".into());
    }
    in_multiples(&operand.values, value)?;
    if value == 0 && !operand.zero || seen.negative && !operand.minus && !factor.loses_sign {
        return Err("factor's flags".into());
    }
    let format = &factor.format;
    let top = leading(value).map(|top| top.max(format.min_exponent().into()));
    if let Some(top) = top {
        let place = top - i64::from(format.fraction_bits);
        let significand = value.unsigned_abs() / power(place).unwrap().unsigned_abs();
        if BigUint::from(significand) > operand.significand {
            return Err("significand".into());
        }
    }
    if let (true, Some(exponent)) = (is_number, seen.exponent) {
        let takes_part = factor.rule != ZeroRule::Skip || value != 0;
        if !takes_part || exponent > exponent_of(operand, format, factor.rule) {
            return Err("factor's exponent".into());
        }
    }
    Ok(())
}

fn admits(
    value: &ExactnessValue,
    walk: &ExactnessWalk<'_>,
    slot: usize,
    leaves: &Leaves<'_>,
    seen: &Seen,
) -> Result<(), Wrong> {
    let node = &walk.program.nodes[slot];
    // The sign that a sum of zero gets when it is rounded does not show before.
    let shows_sign = match &node.action {
        Action::Term(term) => walk.program.format(term.of).is_some(),
        Action::Product(_) => true,
        _ => matches!(node.kind, ValueKind::Register(_)),
    };
    match value {
        ExactnessValue::Unknown | ExactnessValue::Scale(_) => Ok(()),
        ExactnessValue::Factor(factor) => factor_admits(
            factor,
            leaves,
            seen,
            matches!(node.kind, ValueKind::Number(_)),
        ),
        ExactnessValue::Products(products) => {
            match products.on_grid(&walk.program.extent(slot as u32)) {
                Some(term) => number_admits(&term, leaves, seen, shows_sign),
                None => Ok(()),
            }
        }
        ExactnessValue::Register(Register { sum, before }) => {
            sum_admits(sum, leaves, seen, shows_sign)?;
            let (Some(before), ValueKind::Register(format)) = (before, &node.kind) else {
                return Ok(());
            };
            let (Real::Finite(exact), Real::Finite(value)) =
                (leaves.sum(&before.leaves), seen.real)
            else {
                return Ok(());
            };
            let Action::Round(round) = &node.action else {
                return Err("before of no rounding".into());
            };
            let target = format.with_fraction(round.fraction);
            let odd = rounded(
                exact,
                target.precision(),
                target.least_exponent().into(),
                Rounding::Odd,
            );
            let is_beyond = odd.is_none_or(|odd| odd.abs() > greatest(&target));
            (is_beyond || odd == Some(value))
                .then_some(())
                .ok_or("before".into())
        }
        ExactnessValue::Number(term) => number_admits(term, leaves, seen, shows_sign),
        ExactnessValue::Addend(Addend { term, least, shift }) => {
            number_admits(term, leaves, seen, shows_sign)?;
            let Real::Finite(value) = seen.real else {
                return Ok(());
            };
            let Some((exponent, top)) = seen.exponent.zip(leading(value)) else {
                return Ok(());
            };
            let is_right = match shift {
                Some(shift) => exponent == (top + shift).max(*least),
                None => exponent >= *least,
            };
            is_right.then_some(()).ok_or("least exponent".into())
        }
        ExactnessValue::Part(_) => Ok(()),
        ExactnessValue::PartOfProduct(part) => match &part.alone {
            Some(alone) => admits(
                &ExactnessValue::Products(alone.clone()),
                walk,
                slot,
                leaves,
                seen,
            ),
            None => Ok(()),
        },
        ExactnessValue::Fused(FusedSum {
            exact,
            alone,
            within,
        }) => {
            if let Some(term) = exact {
                number_admits(term, leaves, seen, shows_sign)?;
            }
            if let Some(within) = within {
                within_admits(within, seen)?;
            }
            alone
                .as_ref()
                .map_or(Ok(()), |alone| alone_admits(alone, leaves, seen))
        }
    }
}

/// The operand that has these codes.
fn operand(format: &Format, codes: &[u64]) -> OperandValues {
    let all = codes.iter().map(|code| {
        let (real, negative) = decoded(format, *code).unwrap();
        (real.finite().unwrap(), negative)
    });
    let all: Vec<(i128, bool)> = all.collect();
    let values: Vec<i128> = all.iter().map(|(value, _)| *value).collect();
    let significand = |value: i128| {
        let top = leading(value).map_or(0, |top| top.max(format.min_exponent().into()));
        match format.is_integer() {
            true => value.unsigned_abs() / power(0).unwrap().unsigned_abs(),
            false => {
                let place = power(top - i64::from(format.fraction_bits)).unwrap();
                value.unsigned_abs() / place.unsigned_abs()
            }
        }
    };
    OperandValues {
        values: multiples(&values),
        significand: values
            .iter()
            .map(|value| significand(*value))
            .max()
            .unwrap_or(0)
            .into(),
        zero: values.contains(&0),
        minus: all.iter().any(|(_, negative)| *negative),
        small: None,
    }
}

/// The least set of multiples with these numbers.
fn multiples(values: &[i128]) -> Multiples {
    let nonzero = || values.iter().copied().filter(|value| *value != 0);
    let Some(unit) = nonzero().filter_map(lowest).min() else {
        return Multiples::zero();
    };
    let most = nonzero().map(i128::unsigned_abs).max().unwrap_or(0) >> (unit - UNIT);
    let bits = nonzero()
        .filter_map(|value| Some(leading(value)? - lowest(value)? + 1))
        .max();
    let least = nonzero().filter_map(leading).min().unwrap_or(unit);
    Multiples::new(unit, most.into(), bits.unwrap_or(0) as u64, least)
}

/// A sum of which less, or more, is known; `keeps` says of which runs that holds.
fn changed(
    sum: &Sum,
    rng: &mut ChaCha8Rng,
    alive: &mut [bool],
    seen: &dyn Fn(usize) -> Seen,
) -> Sum {
    let mut sum = sum.clone();
    match rng.random_range(0..9) {
        0 => sum.zero = Zero::Unknown,
        1 => sum.negative = true,
        2 if sum.overflow == OverflowValue::Nothing => sum.overflow = OverflowValue::Infinity,
        3 => {
            let unit = sum.values.unit().unwrap_or(0) - rng.random_range(0..3);
            let top = sum.values.top().unwrap_or(0) + rng.random_range(0..3);
            let wide = Multiples::new(unit, (1u64 << (top - unit).clamp(1, 60)).into(), 60, unit);
            sum.values = sum.values.or(&wide);
        }
        4 => {
            // No number below a power of two.
            let least = sum.values.least().unwrap_or(0) + rng.random_range(0..4);
            let top = sum.values.top().unwrap_or(0);
            if least < top {
                sum.values = sum.values.none_below(least);
                filter(alive, |at| match seen(at).real {
                    Real::Finite(value) => leading(value).is_none_or(|top| top >= least),
                    _ => false,
                });
            }
        }
        5 => {
            sum.overflow = OverflowValue::Nothing;
            filter(alive, |at| seen(at).real.finite().is_some());
        }
        6 => {
            sum.negative = false;
            sum.zero = Zero::Plus;
            // The sign that a sum of zero gets later does not show yet.
            filter(alive, |at| {
                !seen(at).negative && seen(at).real != Real::Finite(0)
            });
        }
        7 => {
            // As small as what some run has.
            let some = rng.random_range(0..alive.len());
            if let Real::Finite(most) = seen(some).real {
                let are_all = |at: usize| match seen(at).real {
                    Real::Finite(value) => value.abs() <= most.abs(),
                    _ => false,
                };
                filter(alive, are_all);
                let left = (0..alive.len()).filter(|at| alive[*at]);
                let left: Vec<i128> = left.filter_map(|at| seen(at).real.finite()).collect();
                sum.values = multiples(&left);
            }
        }
        _ => {}
    }
    sum
}

fn filter(alive: &mut [bool], keeps: impl Fn(usize) -> bool) {
    for (at, is_alive) in alive.iter_mut().enumerate() {
        *is_alive &= keeps(at);
    }
}

/// The value with more or less known of it.
fn drawn(
    value: ExactnessValue,
    rng: &mut ChaCha8Rng,
    alive: &mut [bool],
    seen: &dyn Fn(usize) -> Seen,
) -> ExactnessValue {
    let on_grid = |term: &OnGrid, rng: &mut ChaCha8Rng, alive: &mut [bool]| OnGrid {
        sum: changed(&term.sum, rng, alive, seen),
        exponent: match rng.random_range(0..4) {
            0 => Some(term.exponent.unwrap_or(-9) + rng.random_range(0..4)),
            _ => term.exponent,
        },
        fraction: match rng.random_range(0..5) {
            0 => None,
            1 => term.fraction.map(|fraction| fraction + 1),
            _ => term.fraction,
        },
    };
    match value {
        ExactnessValue::Register(Register { sum, before }) => ExactnessValue::Register(Register {
            sum: changed(&sum, rng, alive, seen),
            before: before.filter(|_| rng.random()),
        }),
        ExactnessValue::Number(term) => ExactnessValue::Number(on_grid(&term, rng, alive)),
        ExactnessValue::Addend(addend) => ExactnessValue::Addend(Addend {
            term: on_grid(&addend.term, rng, alive),
            ..addend
        }),
        ExactnessValue::Fused(fused) => {
            let exact = fused.exact.map(|term| on_grid(&term, rng, alive));
            ExactnessValue::Fused(FusedSum {
                exact: exact.filter(|_| rng.random()),
                alone: fused.alone.filter(|_| rng.random()),
                within: fused.within.filter(|_| rng.random()),
            })
        }
        ExactnessValue::Factor(mut factor) => {
            factor.operand.zero |= rng.random::<bool>();
            factor.operand.minus |= rng.random::<bool>();
            factor.loses_sign |= rng.random::<bool>();
            ExactnessValue::Factor(factor)
        }
        other => other,
    }
}

/// Compares the values of one unit with what the rules say.
fn compare(case: &Case, rng: &mut ChaCha8Rng, met: &mut Met, faults: &mut Faults) {
    let program = case.unit.program();
    let signature = case.unit.signature();
    let scale = |index: usize| {
        let scales = signature.scales?;
        let block = index / scales.block as usize;
        let of = |side: usize| operand(&scales.format, &case.codes.scales[side][block]);
        Some([(of(0), scales.format), (of(1), scales.format)])
    };
    let product = |index: usize| Product {
        index,
        a: operand(&signature.a, &case.codes.a[index]),
        b: operand(&signature.b, &case.codes.b[index]),
        scales: scale(index),
    };
    let products: Vec<Product> = (0..signature.products as usize).map(product).collect();
    let addend = operand(&signature.c, &case.codes.c);
    let c = Sum::leaf(SumLeaf::Addend, addend.values, addend.zero, addend.minus);
    let mut units = Units::default();
    let mut walk = ExactnessWalk {
        units: &mut units,
        program,
        products: &products,
        block: signature.scales.map_or(1, |scales| scales.block as usize),
        values: Vec::new(),
    };
    let mut alive = vec![true; case.runs.len()];
    for (slot, node) in program.nodes.iter().enumerate() {
        let value = walk.value(&node.action, &node.kind, &c);
        let count = alive.iter().filter(|is_alive| **is_alive).count() as u64;
        met.note(&node.action, value.is_some(), count);
        let value = value.unwrap_or(ExactnessValue::Unknown);
        let mut is_wrong = false;
        for run in case
            .runs
            .iter()
            .zip(&alive)
            .filter(|(_, is_alive)| **is_alive)
        {
            let leaves = Leaves {
                run: run.0,
                units: walk.units,
                block: walk.block,
                has_scales: signature.scales.is_some(),
            };
            let seen = &run.0.seen[slot];
            if let Err(wrong) = admits(&value, &walk, slot, &leaves, seen) {
                is_wrong = true;
                let words = words(&node.action).join(", ");
                faults.note(format!("{words}: {wrong}"), || {
                    format!(
                        "{} at {}: {} is {seen:?}",
                        case.text,
                        case.line(run.0),
                        node.name
                    )
                });
                break;
            }
        }
        // A value that follows from a wrong one is no fault of its own.
        if is_wrong {
            walk.values.push(ExactnessValue::Unknown);
            continue;
        }
        let seen = |at: usize| case.runs[at].seen[slot];
        let value = match rng.random_range(0..3) {
            0 => drawn(value, rng, &mut alive, &seen),
            _ => value,
        };
        walk.values.push(value);
    }
}

/// The steps and options of which no rule says anything.
const SILENT: [&str; 6] = [
    "differ",
    "fuse negate Ones",
    "fuse negate OnesOfNonzero",
    "round integers Symmetric",
    "round specials",
    "term specials",
];

#[test]
fn each_value_is_one_that_its_rule_admits() {
    tried(1, count(1_000_000, 0, false), &SILENT, compare);
}

#[test]
#[ignore = "minutes"]
fn each_value_of_many_is_one_that_its_rule_admits() {
    tried(2, count(0, 40_000_000, true), &SILENT, compare);
}
