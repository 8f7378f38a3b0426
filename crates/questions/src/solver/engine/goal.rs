//! Goals: formulas over free inputs, generic over bit-vectors, so that an engine that does not use
//! the term graph receives the same formula.

use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Big, Bv, Input};

/// A formula and its inputs.
pub trait Goal: Sync {
    /// The inputs, in the order of their numbers, which start at 0.
    fn inputs(&self) -> Vec<Input>;

    /// The formula over `inputs`, which have the widths of [`inputs`](Self::inputs).
    fn formula<B: Instance>(&self, inputs: &[B]) -> B::Bool;

    /// Whether the formula holds where input number `i` is `value(i)`, evaluated on big integers.
    fn holds(&self, value: impl Fn(u32) -> u64) -> bool {
        let lifted = |input: &Input| Big::lit(input.width, value(input.index));
        self.formula(&self.inputs().iter().map(lifted).collect::<Vec<_>>())
    }
}
