//! Goals: formulas over free inputs that every instance of the bit-vectors can build, so that
//! engines that share nothing with the term layer can be asked the same question.

use crate::bits::{Big, Bv};

/// A step on the way to a proof that nothing meets a goal: it holds whatever inputs there are.
///
/// It is proved before it is used, so that a wrong one costs time and nothing else.
#[derive(Clone, Debug)]
pub struct Lemma<B: Bv> {
    /// What holds.
    pub holds: B::Bool,
    /// What it follows from, with the lemmas before it: these numbers, whatever they are, and no
    /// more that comes before them.
    pub from: Vec<B>,
}

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

    /// Lemmas from which it follows that nothing meets the goal, if that is so; none by default.
    fn lemmas<B: Bv>(&self, _inputs: &[B]) -> Vec<Lemma<B>> {
        Vec::new()
    }

    /// Whether the formula holds where input number `i` is `value(i)`, on big integers.
    fn holds(&self, value: impl Fn(u32) -> u64) -> bool {
        let lifted = |input: &Input| Big::lit(input.width, value(input.index));
        self.formula(&self.inputs().iter().map(lifted).collect::<Vec<_>>())
    }
}
