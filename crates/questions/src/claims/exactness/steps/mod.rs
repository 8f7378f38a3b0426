//! Models on sets of operands: a rule for each of their steps.

mod parts;
mod products;
mod rounds;
mod sums;
mod values;
mod walk;

use super::operand::OperandValues;
use super::sum::Sum;
use super::terms::{GridTerm, ZeroRule};
use super::units::{Product, Units};
use mmasmt_core::machines::algorithms::descriptions::{Program, Slot, ValueKind};
use mmasmt_numbers::float::Format;
pub use values::{Addend, Bounds, ExactnessValue, Factor, FusedSum, LoneAddend, Register};
pub use walk::ExactnessWalk;

impl Units {
    /// The result of these steps as a sum; `None` if it is not known, since a value may be cut, wrap or overflow on the way.
    pub(in crate::claims::exactness) fn run(
        &mut self,
        program: &Program,
        products: &[Product],
        c: Sum,
    ) -> Option<Sum> {
        let mut result = None;
        each_step(self, program, products, c, |walk, slot| {
            if slot == program.result
                && let Some(KnownStep::Register(sum)) = walk.known(slot)
            {
                result = Some(sum.clone());
            }
        });
        result
    }
}

/// What is known of a value.
pub(super) enum KnownStep<'v> {
    /// A factor or a scale; of its number also the format and the exponent of a zero.
    Operand(&'v OperandValues, Option<(&'v Format, ZeroRule)>),
    /// A number.
    Number(GridTerm),
    /// A register that is no factor.
    Register(&'v Sum),
}

/// Calls `take` after each step.
pub(super) fn each_step(
    units: &mut Units,
    program: &Program,
    products: &[Product],
    c: Sum,
    mut take: impl FnMut(&ExactnessWalk<'_>, Slot),
) {
    let scales = program.signature.scales;
    let mut walk = ExactnessWalk {
        units,
        program,
        products,
        block: scales.map_or(1, |scales| scales.block as usize),
        values: Vec::with_capacity(program.nodes.len()),
    };
    // A long row has many values: each is dropped after its last use.
    let last = program.last_uses();
    for (number, node) in (0..).zip(&program.nodes) {
        let value = walk.value(&node.action, &node.kind, &c);
        walk.values.push(value.unwrap_or(ExactnessValue::Unknown));
        take(&walk, number);
        node.action.each_slot(|slot| {
            if last[slot as usize] == number {
                walk.values[slot as usize] = ExactnessValue::Unknown;
            }
        });
    }
}

impl ExactnessWalk<'_> {
    /// What is known of a value that a later step takes.
    pub(super) fn known(&self, slot: Slot) -> Option<KnownStep<'_>> {
        let is_number = matches!(self.program.kind(slot), ValueKind::Number(_));
        Some(match &self.values[slot as usize] {
            ExactnessValue::Factor(factor) => {
                let number = is_number.then_some((&factor.format, factor.rule));
                KnownStep::Operand(&factor.operand, number)
            }
            ExactnessValue::Scale(scale) => {
                let product = self.products.get(scale.index * self.block)?;
                let (operand, format) = &product.scales.as_ref()?[scale.side];
                KnownStep::Operand(operand, is_number.then_some((format, scale.rule)))
            }
            ExactnessValue::Register(register) => KnownStep::Register(&register.sum),
            ExactnessValue::Unknown => return None,
            _ => KnownStep::Number(self.on_grid(slot)?),
        })
    }
}
