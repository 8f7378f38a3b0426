//! The values that a later step aligns.

use mmasmt_core::machines::algorithms::descriptions::{Action, Program};

/// For each value, whether a fused sum takes it, as it is or changed:
/// what is known of its exponent counts there alone.
pub(in crate::claims) fn are_aligned(program: &Program) -> Vec<bool> {
    let mut all = vec![false; program.nodes.len()];
    for (slot, node) in program.nodes.iter().enumerate().rev() {
        let takes = match node.action {
            Action::Fuse(_) => true,
            Action::Round(_) => false,
            _ => all[slot],
        };
        if takes {
            node.action.each_slot(|of| all[of as usize] = true);
        }
    }
    all
}
