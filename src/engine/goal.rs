//! Goals: formulas over free inputs that every instance of the bit-vectors can build, so that
//! engines that share nothing with the term layer can be asked the same question.

use crate::bits::{Big, Bv, Input};

/// A formula, and what it is about.
pub trait Goal: Sync {
    /// The inputs, by number from 0.
    fn inputs(&self) -> Vec<Input>;

    /// The formula over `inputs`, which have the widths that [`inputs`](Self::inputs) says.
    fn formula<B: Bv>(&self, inputs: &[B]) -> B::Bool;

    /// Whether the formula holds where input number `i` is `value(i)`, on big integers.
    fn holds(&self, value: impl Fn(u32) -> u64) -> bool {
        let lifted = |input: &Input| Big::lit(input.width, value(input.index));
        self.formula(&self.inputs().iter().map(lifted).collect::<Vec<_>>())
    }
}
