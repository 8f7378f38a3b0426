//! Registers that are equal but for the code of a NaN. Later numbers are compared by cases: for
//! each such register, one case where it is a NaN, and one more case where all such registers are
//! equal.

use super::facts::{StageFacts, put_register};
use super::register_pair::RegisterPair;
use mmasmt_numbers::bits::term::{Formula, Substitution};
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_numbers::float::unpack;

impl StageFacts {
    /// Proves that the two registers of a pair are the same or both NaN.
    pub(super) fn are_same_or_nan(&mut self, pair: &RegisterPair) -> Option<()> {
        let now = pair.now(self.same())?;
        let fact = now.left.equals(&now.right).or(&now.both_nan());
        let mut cases = Vec::new();
        // Replace the registers of later pairs first, since an operand must be replaced before the
        // registers that it was made of.
        let mut all_same = fact;
        for pair in self.but_for_nans.iter().rev() {
            let pair = pair.now(self.same())?;
            let same = pair.one().formula(all_same)?;
            if same != all_same {
                cases.push(pair.both_nan().not().or(&fact));
                all_same = same;
            }
        }
        cases.push(all_same);
        for (number, case) in (1..).zip(cases) {
            let name = format_args!(
                "the register is the same, or a NaN in both, case {number} of NaNs before it"
            );
            self.prove(name, case)?;
        }
        self.know(fact);
        Some(())
    }
}

impl RegisterPair {
    fn both_nan(&self) -> Formula {
        let [left, right] = [&self.left, &self.right].map(|x| unpack(&self.format, x).nan);
        left.and(&right)
    }

    /// The substitution of the right register by the left one.
    fn one(&self) -> Substitution {
        let mut one = Substitution::new();
        put_register(&mut one, &self.format, &self.right, &self.left);
        one
    }
}
