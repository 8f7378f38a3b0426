//! What the walk knows of each step, as facts of a certificate.

use super::operand::OperandValues;
use super::operands::DomainOperands;
use super::rounded::SumConversion;
use super::set::Multiples;
use super::steps::{KnownStep, each_step};
use super::sum::{OverflowValue, Sum, SumLeaf, Zero};
use super::terms::exponent_of;
use super::units::Units;
use crate::claims::property::Domain;
use mmasmt_core::machines::algorithms::descriptions::{Action, Program, Slot};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// What a domain says of each operand, and what is known of each step then.
pub(in crate::claims) struct Facts {
    /// The section `given` of a certificate.
    pub given: Value,
    /// The facts of each step.
    pub steps: Vec<Map<String, Value>>,
}

/// The facts about operands of the domain; `None` if it admits no finite value for some operand.
pub(in crate::claims) fn facts(program: &Program, domain: &Domain) -> Option<Facts> {
    let operands = DomainOperands::of(&program.signature, domain)?;
    Some(Facts {
        given: given(program, &operands),
        steps: of_steps(program, &operands),
    })
}

fn given(program: &Program, operands: &DomainOperands) -> Value {
    let all = &operands.products;
    let a: Vec<Value> = all.iter().map(|product| of_operand(&product.a)).collect();
    let b: Vec<Value> = all.iter().map(|product| of_operand(&product.b)).collect();
    let block = program
        .signature
        .scales
        .map_or(1, |scales| scales.block as usize);
    let scales = |side: usize| -> Vec<Value> {
        let firsts = all.iter().step_by(block);
        let each = firsts.filter_map(|product| product.scales.as_ref());
        each.map(|scales| of_operand(&scales[side].0)).collect()
    };
    json!({"a": a, "b": b, "c": of_operand(operands.c()), "a_scales": scales(0), "b_scales": scales(1)})
}

fn of_operand(operand: &OperandValues) -> Value {
    let negative = operand.minus && !operand.values.is_zero();
    of_values(
        &operand.values,
        true,
        [negative, operand.minus, operand.zero],
    )
}

/// A set of numbers. The number of bits of a sum follows from its magnitude, and need not be said.
fn of_values(values: &Multiples, is_one: bool, [negative, minus, zero]: [bool; 3]) -> Value {
    let unit = values.unit();
    let bits = is_one.then(|| values.bits());
    json!({
        "multiple": unit.unwrap_or(0),
        "most": values.most().to_string(),
        "least": values.least().filter(|least| Some(*least) > unit),
        "bits": bits.filter(|bits| *bits < values.most().bits()),
        "negative": negative,
        "minus": minus,
        "zero": zero,
    })
}

/// The steps so far whose registers are rounded sums, by the numbers of these.
#[derive(Default)]
struct Roundings(HashMap<usize, Slot>);

impl Roundings {
    /// The atoms of a sum; `None` if one is no product, no `c` and no rounding of a step.
    fn atoms(&self, leaves: &[SumLeaf]) -> Option<Vec<String>> {
        let atom = |leaf: &SumLeaf| match leaf {
            SumLeaf::Product(index) => Some(format!("p{index}")),
            SumLeaf::Addend => Some("c".into()),
            SumLeaf::Rounded(number) => Some(format!("r{}", self.0.get(number)?)),
            SumLeaf::FlushedProduct(..) => None,
        };
        leaves.iter().map(atom).collect()
    }
}

fn of_steps(program: &Program, operands: &DomainOperands) -> Vec<Map<String, Value>> {
    let mut all = vec![Map::new(); program.nodes.len()];
    let mut roundings = Roundings::default();
    let mut units = Units::default();
    let (products, c) = (&operands.products, operands.addend());
    each_step(&mut units, program, products, c, |walk, slot| {
        let Some(known) = walk.known(slot) else {
            return;
        };
        let mut found = Map::new();
        let mut note = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                found.insert(name.into(), value);
            }
        };
        match known {
            KnownStep::Operand(operand, number) => {
                note("value", Some(of_operand(operand)));
                let exponent = number.map(|(format, rule)| {
                    let takes_part = rule.counts_zero() || !operand.values.is_zero();
                    takes_part.then(|| exponent_of(operand, format, rule))
                });
                note("exponent", exponent.map(of_exponent));
            }
            KnownStep::Number(term) => {
                if term.sum.overflow == OverflowValue::Nothing {
                    note("value", Some(of_sum(&term.sum)));
                    note("sum", roundings.atoms(&term.sum.leaves).map(Value::from));
                    note("exponent", Some(of_exponent(term.exponent)));
                }
            }
            KnownStep::Register(sum) => {
                let is_round = matches!(program.nodes[slot as usize].action, Action::Round(_));
                if let ([SumLeaf::Rounded(number)], true) = (&sum.leaves[..], is_round)
                    && !roundings.0.contains_key(number)
                {
                    note("rounds", rounds(walk.units, &roundings, *number, sum));
                    roundings.0.insert(*number, slot);
                } else {
                    note("sum", roundings.atoms(&sum.leaves).map(Value::from));
                }
                if sum.overflow == OverflowValue::Nothing {
                    note("value", Some(of_sum(sum)));
                }
            }
        }
        all[slot as usize] = found;
    });
    all
}

fn of_exponent(exponent: Option<i64>) -> Value {
    exponent.map_or(json!("none"), |exponent| json!(exponent))
}

fn of_sum(sum: &Sum) -> Value {
    let minus = sum.negative || sum.zero != Zero::Plus;
    of_values(
        &sum.values,
        sum.leaves.len() == 1,
        [sum.negative, minus, true],
    )
}

/// The sum that a step rounded.
fn rounds(units: &Units, roundings: &Roundings, number: usize, sum: &Sum) -> Option<Value> {
    let rounded = units.rounded.get(number)?;
    let is_rounded = matches!(
        rounded.how,
        SumConversion::Rounded { .. } | SumConversion::RoundedEitherWay
    );
    let atoms = roundings.atoms(&rounded.leaves).filter(|_| is_rounded)?;
    Some(match sum.overflow {
        OverflowValue::Nothing => json!({"terms": atoms}),
        _ => json!({"terms": atoms, "may_overflow": true}),
    })
}
