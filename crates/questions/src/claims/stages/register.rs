//! Compares the registers that a stage gives: they are equal, or equal but for the codes of NaNs or
//! the sign of a zero.

use super::facts::StageFacts;
use super::register_pair::RegisterPair;
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::bits::term::Term;
use mmasmt_numbers::float::Format;

impl StageFacts {
    /// Proves that `left` and `right`, the registers that a stage gives in the two models, are
    /// equal, or equal but for the codes of NaNs or the sign of a zero.
    pub fn register(&mut self, format: &Format, left: &Term, right: &Term) -> Option<()> {
        let now = self.same().term(right)?;
        let name = format_args!("the register is the same");
        if self.in_each_case(name, left.equals(&now)).is_some() {
            self.merge_registers(format, left, right);
            return Some(());
        }
        let pair = RegisterPair {
            format: *format,
            left: left.clone(),
            right: right.clone(),
        };
        if self.are_same_or_nan(&pair).is_some() {
            self.but_for_nans.push(pair);
            return Some(());
        }
        self.are_same_or_zero(&pair)?;
        self.merge_magnitudes(format, left, right);
        self.but_for_zeros.push(pair);
        Some(())
    }
}
