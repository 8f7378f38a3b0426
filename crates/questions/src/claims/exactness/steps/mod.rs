//! Described units on sets of operands: a rule for each step of a description.

#[cfg(test)]
mod local;
mod parts;
mod products;
mod rounds;
mod sums;
mod values;
mod walk;

use super::sum::Sum;
use super::units::{Product, Units};
use mmasmt_core::machines::algorithms::DotAdd;
use mmasmt_core::machines::algorithms::descriptions::Description;
use values::Value;
use walk::Walk;

impl Units {
    /// The result of a described unit; `None` if it is not known.
    pub(in crate::claims::exactness) fn description(
        &mut self,
        unit: &Description,
        products: &[Product],
        c: Sum,
    ) -> Option<Sum> {
        let program = unit.program();
        let scales = unit.signature().scales;
        let mut walk = Walk {
            units: self,
            program,
            products,
            block: scales.map_or(1, |scales| scales.block as usize),
            values: Vec::with_capacity(program.nodes.len()),
        };
        // A long row has many values: each is dropped after its last use.
        let last = program.last_uses();
        for (number, node) in (0..).zip(&program.nodes) {
            let value = walk.value(&node.action, &node.kind, &c);
            walk.values.push(value.unwrap_or(Value::Unknown));
            node.action.each_slot(|slot| {
                if last[slot as usize] == number {
                    walk.values[slot as usize] = Value::Unknown;
                }
            });
        }
        match walk.values.swap_remove(program.result as usize) {
            Value::Register(register) => Some(register.sum),
            _ => None,
        }
    }
}
