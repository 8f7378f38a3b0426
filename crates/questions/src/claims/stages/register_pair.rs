//! A register of the left model and the one of the right model that is the same but for some
//! values.

use mmasmt_core::numbers::bits::term::{Substitution, Term};
use mmasmt_core::numbers::float::Format;

/// Two registers of one format.
pub(super) struct RegisterPair {
    pub format: Format,
    pub left: Term,
    pub right: Term,
}

impl RegisterPair {
    /// The right one as it is where numbers of its model are those of the left one.
    pub fn now(&self, same: &Substitution) -> Option<RegisterPair> {
        Some(RegisterPair {
            format: self.format,
            left: self.left.clone(),
            right: same.term(&self.right)?,
        })
    }
}
