//! Bits of numbers that a step loses when it aligns or cuts them.

use super::number::ExactNumber;
use super::program::{Action, Cut, Fuse, NegativeForm, ProgramNode, ValueKind};
use super::run::RunValues;
use super::{cut, fuse};
use crate::machines::algorithms::{Grid, Stages};
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_numbers::float::Rounding;

/// True if a fused sum is the exact sum unless alignment cuts a set bit of a term. Sums with too few bits above,
/// of ones' complements or of terms that vanish are inexact for other reasons, too.
pub(super) fn is_exact_unless_cut(step: &Fuse) -> bool {
    let vanishes = |step: &Fuse| step.terms.iter().any(|term| term.vanish.is_some());
    step.width.is_none() && step.negate == NegativeForm::Twos && !vanishes(step)
}

/// The condition under which a fused sum or a cut loses a set bit of its numbers; infinities and NaNs lose
/// nothing. `None` for other steps. `made` is the number of the step.
pub(super) fn lost<B: Bv>(
    values: &RunValues<'_, B>,
    node: &ProgramNode,
    made: &ExactNumber<B>,
) -> Option<B::Bool> {
    let ValueKind::Number(extent) = &node.kind else {
        return None;
    };
    let lost = match &node.action {
        Action::Fuse(step) => {
            let seen = Fuse {
                sticky: true,
                ..step.clone()
            };
            let terms = values.numbers(step.terms.iter().map(|term| term.of));
            let mut stage = Stages::forgotten().begin_fused(Grid::NONE);
            fuse::fuse(&seen, &terms, extent, (node.name, node.index), &mut stage).sticky?
        }
        Action::Cut(step) => {
            let (number, from) = values.number(step.of);
            let [below, above] = [Rounding::Rz, Rounding::Ra].map(|by| {
                let step = Cut { by, ..*step };
                cut::cut(&step, number, &from, extent).significand
            });
            below.equals(&above).not()
        }
        _ => return None,
    };
    let special = made.special.nan.or(&made.special.infinite);
    Some(lost.and(&special.not()))
}
