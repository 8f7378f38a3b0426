//! A register of the left model and the one of the right model that is the same but for some values.

use super::facts::Facts;
use crate::bits::Bv;
use crate::bits::term::{Substitution, Term};
use crate::float::Format;

/// Two registers of one format.
pub(super) struct Twin {
    pub format: Format,
    pub left: Term,
    pub right: Term,
}

impl Facts {
    /// Registers of a format that a stage gives: proves that they are the same, or that they are but for
    /// the codes of NaNs or the sign of a zero.
    pub fn register(&mut self, format: &Format, left: &Term, right: &Term) -> Option<()> {
        let now = self.same().term(right)?;
        let name = format_args!("the register is the same");
        if self.in_each_case(name, left.equals(&now)).is_some() {
            self.merge_registers(format, left, right);
            return Some(());
        }
        let twin = Twin {
            format: *format,
            left: left.clone(),
            right: right.clone(),
        };
        if self.are_same_or_nan(&twin).is_some() {
            self.but_for_nans.push(twin);
            return Some(());
        }
        self.are_same_or_zero(&twin)?;
        self.merge_magnitudes(format, left, right);
        self.but_for_zeros.push(twin);
        Some(())
    }
}

impl Twin {
    /// The right one as it is where numbers of its model are those of the left one.
    pub fn now(&self, same: &Substitution) -> Option<Twin> {
        Some(Twin {
            format: self.format,
            left: self.left.clone(),
            right: same.term(&self.right)?,
        })
    }
}
