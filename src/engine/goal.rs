//! Goals: formulas over free inputs that every instance of the bit-vectors can build, so that
//! engines that share nothing with the term layer can be asked the same question.

use crate::bits::{Big, Bv};

/// A free input: any bit-vector of its width.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its number.
    pub index: u32,
    /// Bits, at most 64.
    pub width: u32,
    /// A simple symbol of SMT-LIB that is no `n` or `p` before a number.
    pub name: String,
}

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
