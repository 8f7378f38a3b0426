//! The operations of BTOR2 on any instance of bit-vectors.

use super::btor2::{Btor2Kind, Btor2Word, File, Reference};
use super::error::DesignError;
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::circuit::literal;
use mmasmt_numbers::bits::{Prop, mux};

impl File {
    /// Checks that the operands of every operation have the right widths, that its result has the
    /// width of its sort, and that every register gets a next value of its width.
    ///
    /// # Errors
    /// If a width is wrong.
    pub fn check(&self) -> Result<(), DesignError> {
        for word in &self.words {
            let Btor2Kind::Operation {
                name,
                operands,
                numbers,
            } = &word.kind
            else {
                continue;
            };
            let widths: Vec<u32> = operands
                .iter()
                .map(|operand| self.words[operand.index].width)
                .collect();
            if !fits(name, word.width, &widths, numbers) {
                return Err(DesignError::Line {
                    line: word.line,
                    expected: "operands and a sort of widths that go together".into(),
                    found: name.clone(),
                });
            }
        }
        for (state, next) in &self.next {
            let (state, next) = (&self.words[*state], &self.words[next.index]);
            if state.width != next.width || !matches!(state.kind, Btor2Kind::State) {
                return Err(DesignError::Line {
                    line: state.line,
                    expected: "a register that gets a next value of its width".into(),
                    found: state.symbol.clone(),
                });
            }
        }
        Ok(())
    }

    /// The values of all words; `given` returns the value of an input or register, by its index.
    pub fn values<B: Instance>(&self, given: impl Fn(usize, &Btor2Word) -> B) -> Vec<B> {
        let mut values: Vec<B> = Vec::with_capacity(self.words.len());
        for (index, word) in self.words.iter().enumerate() {
            let value = match &word.kind {
                Btor2Kind::Input | Btor2Kind::State => given(index, word),
                Btor2Kind::Constant(value) => literal(word.width, value),
                Btor2Kind::Operation {
                    name,
                    operands,
                    numbers,
                } => {
                    let operands = operands.iter().map(|of| read(&values, *of));
                    let operands: Vec<B> = operands.collect();
                    apply(name, word.width, &operands, numbers)
                }
            };
            values.push(value);
        }
        values
    }
}

/// The value that a reference refers to.
pub(super) fn read<B: Instance>(values: &[B], of: Reference) -> B {
    let value = &values[of.index];
    if of.negated {
        value.not()
    } else {
        value.clone()
    }
}

fn fits(name: &str, width: u32, operands: &[u32], numbers: &[u32]) -> bool {
    let same = operands.windows(2).all(|pair| pair[0] == pair[1]);
    match (name, operands, numbers) {
        ("slice", [x], [high, low]) => low <= high && high < x && high - low + 1 == width,
        ("uext" | "sext", [x], [more]) => x.checked_add(*more) == Some(width),
        ("redand" | "redor" | "redxor", ..) => width == 1,
        ("ite", [c, x, y], _) => *c == 1 && x == y && *x == width,
        ("concat", [x, y], _) => x + y == width,
        ("iff" | "implies", [x, _], _) => same && *x == 1 && width == 1,
        ("eq" | "neq" | "ugt" | "ugte" | "ult" | "ulte" | "sgt" | "sgte" | "slt" | "slte", ..) => {
            same && width == 1
        }
        _ => same && operands.first() == Some(&width),
    }
}

/// The result of an operation whose widths were checked.
fn apply<B: Instance>(name: &str, width: u32, operands: &[B], numbers: &[u32]) -> B {
    let x = &operands[0];
    let y = operands.get(1).unwrap_or(x);
    let truth = |truth: B::Bool| B::from_prop(1, &truth);
    match name {
        "slice" => x.extract(numbers[0], numbers[1]),
        "uext" => x.zext(width),
        "sext" => x.sext(width),
        "not" => x.not(),
        "inc" => x.add_const(1),
        "dec" => x.add_const(-1),
        "neg" => x.neg(),
        "redand" => truth(x.not().is_zero()),
        "redor" => truth(x.is_zero().not()),
        "redxor" => {
            let bits = (0..x.width()).map(|index| x.extract(index, index));
            bits.reduce(|all, bit| all.xor(&bit))
                .unwrap_or_else(|| x.clone())
        }
        "ite" => mux(&x.bit(0), y, &operands[2]),
        "iff" | "eq" => truth(x.equals(y)),
        "implies" => x.not().or(y),
        "neq" => truth(x.equals(y).not()),
        "ugt" => truth(y.ult(x)),
        "ugte" => truth(x.ult(y).not()),
        "ult" => truth(x.ult(y)),
        "ulte" => truth(y.ult(x).not()),
        "sgt" => truth(y.slt(x)),
        "sgte" => truth(x.slt(y).not()),
        "slt" => truth(x.slt(y)),
        "slte" => truth(y.slt(x).not()),
        "nand" => x.and(y).not(),
        "nor" => x.or(y).not(),
        "or" => x.or(y),
        "xnor" => x.xor(y).not(),
        "xor" => x.xor(y),
        "sll" => x.shl(y),
        "srl" => x.lshr(y),
        "sra" => x.ashr(y),
        "add" => x.add(y),
        "sub" => x.sub(y),
        "mul" => x.mul(y),
        "concat" => x.concat(y),
        _ => x.and(y),
    }
}
