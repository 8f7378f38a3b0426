//! `--ordinary`: operands such as a person would write.

use mmasmt_core::machines::algorithms::Signature;

/// What `--ordinary` assumes of all operands.
const ORDINARY: &str = "a normal, b normal, c normal, a exp -4..4, b exp -4..4, c exp -4..4";

/// What `--ordinary` assumes of the operands of a signature; scales are 1.
pub(super) fn ordinary(signature: &Signature) -> String {
    match signature.scales {
        None => ORDINARY.into(),
        Some(_) => format!("{ORDINARY}, sa = 1, sb = 1"),
    }
}
