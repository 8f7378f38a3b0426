//! Pairs of a register of the left model and a register of the right model, equal but for some
//! values.

use mmasmt_numbers::bits::term::{Substitution, Term};
use mmasmt_numbers::float::Format;

/// Two registers of one format, one of each model.
pub(super) struct RegisterPair {
    pub format: Format,
    pub left: Term,
    pub right: Term,
}

impl RegisterPair {
    /// The pair after numbers of the right register were replaced by equal numbers of the left
    /// model.
    pub fn now(&self, same: &Substitution) -> Option<RegisterPair> {
        Some(RegisterPair {
            format: self.format,
            left: self.left.clone(),
            right: same.term(&self.right)?,
        })
    }
}
