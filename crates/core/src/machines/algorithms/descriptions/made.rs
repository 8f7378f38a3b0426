//! The values of all steps for given operands, as plain numbers: for tests of what is said of a step.

use super::program::{Program, ValueKind};
use super::run::{RunValue, RunValues};
use super::tree::Tree;
use super::{Description, DescriptionError};
use crate::machines::algorithms::{Inputs, Stages};
use mmasmt_numbers::bits::{Concrete, W128};
use mmasmt_numbers::float::Format;
use std::sync::Arc;

/// The value of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepValue {
    /// A register.
    Register(u64),
    /// A number that was not rounded.
    Number(MadeNumber),
}

/// A number that was not rounded: `(-1)^negative * significand * 2^place`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeNumber {
    /// The sign, that of a zero too.
    pub negative: bool,
    /// The magnitude, in units of the last place.
    pub significand: u64,
    /// The exponent of the last place.
    pub place: i64,
    /// The exponent by which the number is compared.
    pub exponent: i64,
    /// Whether it takes no part in the search for the greatest exponent.
    pub is_absent: bool,
    /// True for a number that counts as zero.
    pub is_zero: bool,
    /// Whether it is a NaN.
    pub is_nan: bool,
    /// Whether it is an infinity.
    pub is_infinite: bool,
    /// Whether less than the last place was lost below the significand.
    pub is_sticky: bool,
}

impl Description {
    /// The description with this text, whose names of formats may be these too.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub fn with_formats(
        text: &str,
        formats: &[(&str, Format)],
    ) -> Result<Description, DescriptionError> {
        let tree = Tree::parse(text)?;
        let settings = tree.defaults()?;
        let program = Arc::new(Program::with_formats(&tree, &settings, formats)?);
        Ok(Description {
            tree: Arc::new(tree),
            settings,
            program,
            for_result: Arc::default(),
            on_words: Arc::default(),
        })
    }
}

impl Program {
    /// The values of all steps, in their order. Words of 128 bits hold them all, and 64 bits each
    /// significand.
    pub fn made(&self, inputs: &Inputs) -> Vec<StepValue> {
        let registers = inputs.lifted::<W128>(&self.signature);
        let operands = registers.operands();
        let mut values = RunValues::of(self);
        let mut stages = Stages::forgotten();
        for node in &self.nodes {
            let value = match node.kind {
                ValueKind::Register(format) => {
                    RunValue::Register(values.make_register(&node.action, &format, operands))
                }
                ValueKind::Number(extent) => {
                    RunValue::Number(values.make_sum(node, &extent, &mut stages))
                }
            };
            values.all.push(value);
        }
        let each = values.all.iter().zip(&self.nodes);
        each.map(|(value, node)| match (value, node.kind) {
            (RunValue::Number(number), ValueKind::Number(extent)) => {
                let exponent = number.exponent.to_u64() as i64 + extent.lowest;
                StepValue::Number(MadeNumber {
                    negative: number.special.sign,
                    significand: number.significand.to_u64(),
                    place: exponent - extent.fraction,
                    exponent,
                    is_absent: number.absent,
                    is_zero: number.zero,
                    is_nan: number.special.nan,
                    is_infinite: number.special.infinite,
                    is_sticky: number.sticky.unwrap_or(false),
                })
            }
            (RunValue::Register(bits), _) => StepValue::Register(bits.to_u64()),
            (RunValue::Number(_), ValueKind::Register(_)) => {
                unreachable!("elaboration gives steps their kinds")
            }
        })
        .collect()
    }
}
