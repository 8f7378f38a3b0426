//! Inputs of a dot-add as free bit-vectors.

use crate::algorithms::{Registers, Signature};
use crate::bits::term::{Formula, Term};
use crate::bits::{Bv, Prop};
use crate::float::{Format, unpack};
use crate::vectors::Inputs;

/// Operands of a dot-add of which nothing is known; inputs 0, 1, … of the graph are
/// `a[0]`, `b[0]`, `a[1]`, `b[1]`, …, `c`, and the scales of `a` and `b` in turn.
#[derive(Clone, Debug)]
pub struct SymbolicInputs {
    /// The formats.
    pub signature: Signature,
    /// The operands.
    pub registers: Registers<Term>,
}

/// The number of every operand as an input of a formula.
pub(crate) fn input_numbers(signature: &Signature) -> Registers<u32> {
    let row = |first: u32, count: u32| (0..count).map(|k| first + 2 * k).collect();
    let (products, scales) = (signature.products, signature.scale_count());
    Registers {
        a: row(0, products),
        b: row(1, products),
        c: 2 * products,
        a_scales: row(2 * products + 1, scales),
        b_scales: row(2 * products + 2, scales),
    }
}

/// Whether no operand is an infinity or a NaN.
pub(crate) fn all_finite<B: Bv>(signature: &Signature, inputs: &Registers<B>) -> B::Bool {
    let each = inputs.each(signature);
    B::Bool::all(each.map(|(format, bits)| unpack(&format, bits).finite()))
}

impl SymbolicInputs {
    /// Free operands of the formats of `signature`, in this thread's graph.
    pub fn new(signature: Signature) -> Self {
        let input = |format: &Format, &number: &u32| Term::input(number, format.width());
        SymbolicInputs {
            signature,
            registers: input_numbers(&signature).map(&signature, input),
        }
    }

    /// Unsatisfiable together with any formula that only infinities and NaNs satisfy: all
    /// operands are finite.
    pub fn finite(&self) -> Formula {
        all_finite(&self.signature, &self.registers)
    }

    /// What input number `index` is called: `a0`, `b0`, …, `c`, `sa0`, `sb0`, ….
    pub fn name(&self, index: u32) -> String {
        let c = 2 * self.signature.products;
        let (index, letters) = match index {
            index if index < c => (index, ["a", "b"]),
            index if index == c => return "c".into(),
            index => (index - c - 1, ["sa", "sb"]),
        };
        format!("{}{}", letters[(index % 2) as usize], index / 2)
    }

    /// The inputs that `value` gives, by number of input.
    pub fn read(&self, value: impl Fn(u32) -> u64) -> Inputs {
        input_numbers(&self.signature).map(&self.signature, |_, &number| value(number))
    }
}
