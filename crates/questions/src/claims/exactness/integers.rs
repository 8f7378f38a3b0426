//! Sums of integers, which may saturate or wrap.

use super::sum::Sum;
use super::units::Units;
use mmasmt_core::machines::algorithms::SumOverflow;
use mmasmt_core::machines::algorithms::descriptions::{Action, ValueKind};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;

impl Units {
    /// The sum of products and of an integer, as an integer of the format; `rises` says that no product is
    /// negative, and that the integer is one of the format.
    pub(super) fn in_integers(
        &mut self,
        sum: Sum,
        format: &Format,
        overflow: SumOverflow,
        rises: bool,
    ) -> Option<Sum> {
        let sum = sum.with_plus_zero();
        let is_held = (!sum.negative || format.is_signed()) && !sum.values.exceeds(format);
        match overflow {
            _ if is_held => Some(sum),
            SumOverflow::Saturate => Some(self.rounded.saturated(sum, format, rises)),
            SumOverflow::Wrap => Some(self.rounded.wrapped(sum, format)),
        }
    }
}

/// Whether the unit has an integer register that its result is not computed from: its overflow does not show there.
pub(super) fn has_other_integers(model: &Model) -> bool {
    let unit = model.algorithm().inside().operation();
    let Some(description) = unit.and_then(|(unit, _)| unit.description()) else {
        return false;
    };
    let program = description.program();
    let mut is_read = vec![false; program.nodes.len()];
    is_read[program.result as usize] = true;
    for (number, node) in program.nodes.iter().enumerate().rev() {
        let is_integer = matches!(node.kind, ValueKind::Register(format) if format.is_integer());
        match &node.action {
            Action::Round(_) if is_integer && !is_read[number] => return true,
            _ if !is_read[number] => {}
            // Others give infinities and NaNs alone.
            Action::Special { of, .. } | Action::Replace { of, .. } => is_read[*of as usize] = true,
            action => action.each_slot(|slot| is_read[slot as usize] = true),
        }
    }
    false
}
