//! The operands of a dot-add as free inputs of a formula.

use mmasmt_core::machines::algorithms::{Inputs, Operand, Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::Input;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::bits::term::Term;
use mmasmt_numbers::float::{Format, unpack};

/// Free operands of a dot-add. The inputs of the graph are numbered from 0 in this order: `a[0]`,
/// `b[0]`, `a[1]`, `b[1]`, …, `c`, then the scales `sa[0]`, `sb[0]`, `sa[1]`, …; those of a conversion in the order of
/// `Registers::each`.
#[derive(Clone, Debug)]
pub struct SymbolicInputs {
    /// The formats of the operands.
    pub signature: Signature,
    /// The operands, as terms.
    pub registers: Registers<Term>,
}

/// The input number of each operand.
pub fn input_numbers(signature: &Signature) -> Registers<u32> {
    if signature.is_conversion() {
        let mut next = 0..;
        let numbers = Inputs::zero(signature);
        return numbers.map(signature, |_, _| next.next().unwrap_or_default());
    }
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

impl SymbolicInputs {
    /// Free operands with the formats of `signature`, as inputs of this thread's graph.
    pub fn new(signature: Signature) -> Self {
        let input = |format: &Format, &number: &u32| Term::input(number, format.width());
        SymbolicInputs {
            signature,
            registers: input_numbers(&signature).map(&signature, input),
        }
    }

    /// The name of input number `index`: `a0`, `b0`, …, `c`, `sa0`, `sb0`, ….
    pub fn name(&self, index: u32) -> String {
        name(&self.signature, index)
    }

    /// The operands, in the order of their input numbers.
    pub fn by_number(&self) -> Vec<Term> {
        by_number(&self.signature, &self.registers)
    }

    /// The inputs whose operands have the values `value(number)`, where `number` is the input
    /// number of an operand.
    pub fn read(&self, value: impl Fn(u32) -> u64) -> Inputs {
        input_numbers(&self.signature).map(&self.signature, |_, &number| value(number))
    }
}

fn name(signature: &Signature, index: u32) -> String {
    if signature.is_conversion() {
        return name_in_order(signature, index as usize);
    }
    let c = 2 * signature.products;
    let (index, letters) = match index {
        index if index < c => (index, ["a", "b"]),
        index if index == c => return "c".into(),
        index => (index - c - 1, ["sa", "sb"]),
    };
    format!("{}{}", letters[(index % 2) as usize], index / 2)
}

/// The name of the operand with this number in the order of `Registers::each`.
fn name_in_order(signature: &Signature, index: usize) -> String {
    let rows = signature.rows();
    let mut names = rows.flat_map(|row| {
        let name = row.operand.name();
        (0..row.length).map(move |place| match row.operand {
            Operand::C => name.to_owned(),
            _ => format!("{name}{place}"),
        })
    });
    names.nth(index).unwrap_or_default()
}

/// The operands of a signature as inputs of a goal, in the order of their input numbers.
pub fn inputs_of(signature: &Signature) -> Vec<Input> {
    let input = |format: &Format, &index: &u32| Input {
        index,
        width: format.width(),
        name: name(signature, index),
    };
    by_number(signature, &input_numbers(signature).map(signature, input))
}

/// The operands of a dot-add, taken from `inputs`, which are in the order of input numbers.
pub fn registers_of<B: Clone>(signature: &Signature, inputs: &[B]) -> Registers<B> {
    // The `c` of a unit that has none is any of them.
    let input = |number: u32| inputs.get(number as usize).unwrap_or(&inputs[0]);
    input_numbers(signature).map(signature, |_, &number| input(number).clone())
}

fn by_number<T: Clone>(signature: &Signature, registers: &Registers<T>) -> Vec<T> {
    let numbers = input_numbers(signature);
    let pairs = numbers.each(signature).zip(registers.each(signature));
    let mut pairs: Vec<_> = pairs.map(|((_, number), (_, x))| (*number, x)).collect();
    pairs.sort_unstable_by_key(|(number, _)| *number);
    pairs.into_iter().map(|(_, x)| x.clone()).collect()
}

/// True if all operands are finite.
pub fn all_finite<B: Instance>(signature: &Signature, registers: &Registers<B>) -> B::Bool {
    let each = registers.each(signature);
    let finite = each.map(|(format, bits)| unpack(&format, bits).finite());
    B::Bool::all(finite.collect::<Vec<_>>())
}
