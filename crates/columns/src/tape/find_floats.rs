//! Operations of IEEE 754 on binary32, recognised in the instructions of a tape.
//!
//! An infinity or a NaN on the way makes the result one, and then the link gives up; so what a tape does with
//! NaNs does not matter.

use super::element::Type;
use super::find_links::Finder;
use super::float_chain::{FloatChain, FloatStep, MOST_NUMBERS, TinyNumbers};
use super::instruction::{Code, Value};
use super::link_results::{FIELD, SIGN};
use super::lower::Tape;
use super::truths::Truths;
use mmasmt_numbers::bits::HostOperation;

const ONE: u128 = 0x3f80_0000;
/// The most operations of a link.
const MOST_OPERATIONS: usize = 1024;

struct FloatFinder<'t> {
    finder: Finder<'t>,
    truths: Truths<'t>,
    /// The value that is `c`.
    register: Value,
}

/// Steps that give one number, and the numbers that they have on the stack at most.
struct NumberSteps {
    steps: Vec<FloatStep>,
    depth: usize,
}

impl FloatChain {
    /// The operations that a tape consists of; `None` if it does anything else. The numbers of inputs are as
    /// those of other links.
    pub(super) fn of(tape: &Tape, c: usize, sides: [usize; 2]) -> Option<FloatChain> {
        let is_host = |value: &Value| matches!(tape.instructions[*value].code, Code::Host(_));
        let operations: Vec<Value> = (0..tape.instructions.len()).filter(is_host).collect();
        let [result] = tape.results[..] else {
            return None;
        };
        if operations.is_empty() || operations.len() > MOST_OPERATIONS {
            return None;
        }
        let finder = Finder::new(tape, sides);
        let floats = FloatFinder {
            register: finder.input(c)?,
            truths: Truths::where_finite(tape, &operations),
            finder,
        };
        let found = floats.number(result)?;
        // A value that is used twice would be computed twice.
        let is_whole = found.steps.len() <= 2 * operations.len() + 1;
        (is_whole && found.depth <= MOST_NUMBERS).then_some(FloatChain { steps: found.steps })
    }
}

impl FloatFinder<'_> {
    fn is_side(&self, value: Value) -> bool {
        self.finder.at(value).code == Code::Input && value != self.register
    }

    /// The value itself, or that of which subnormal numbers are made zeros.
    fn flushed(&self, value: Value) -> (Value, TinyNumbers) {
        let one = self.finder.at(value);
        let is_test_of = |test: Value, of: Value| {
            let test = self.finder.at(test);
            test.code == Code::FieldEqual && test.args == [of] && test.constants == [FIELD, 0]
        };
        let is_sign_of = |zero: Value, of: Value| {
            let zero = self.finder.at(zero);
            let is_select = zero.code == Code::Select && zero.constants == [SIGN, 0];
            is_select && {
                let sign = self.finder.at(zero.args[0]);
                sign.code == Code::Bit && sign.constants[0] == SIGN && sign.args == [of]
            }
        };
        match (one.code, &one.args[..]) {
            (Code::Choose, &[test, zero, of]) if is_test_of(test, of) && is_sign_of(zero, of) => {
                (of, TinyNumbers::SignedZero)
            }
            (Code::ChooseThen, &[test, of]) if is_test_of(test, of) && one.constants[0] == 0 => {
                (of, TinyNumbers::PlusZero)
            }
            _ => (value, TinyNumbers::Kept),
        }
    }

    /// The steps that give a number.
    fn number(&self, value: Value) -> Option<NumberSteps> {
        let (mut of, mut tiny) = (self.truths.resolved(value), TinyNumbers::Kept);
        loop {
            let (inner, own) = self.flushed(of);
            if own == TinyNumbers::Kept {
                break;
            }
            tiny = own.then(tiny)?;
            of = self.truths.resolved(inner);
        }
        let one = self.finder.at(of);
        if one.to != Type::U32 {
            return None;
        }
        let single = |step| NumberSteps {
            steps: vec![step],
            depth: 1,
        };
        let operation = match one.code {
            _ if of == self.register => return Some(single(FloatStep::Addend(tiny))),
            Code::Constant if tiny == TinyNumbers::Kept => {
                return Some(single(FloatStep::Constant(one.constants[0] as u32)));
            }
            Code::Host(operation) => operation,
            _ => return None,
        };
        let tiny = match operation {
            HostOperation::FlushedFma => TinyNumbers::AfterRounding.then(tiny)?,
            _ => tiny,
        };
        match one.args[..] {
            [x, y] if operation == HostOperation::Multiply => {
                Some(single(FloatStep::Product(self.pair(x, y)?, tiny)))
            }
            [x, y] if operation == HostOperation::OddSum => self.sum(x, y, FloatStep::OddSum(tiny)),
            [x, y] => self.sum(x, y, FloatStep::Sum(tiny)),
            [x, y, z] if self.is_side(x) && self.is_side(y) => {
                let pair = self.pair(x, y)?;
                let addend = self.finder.at(z);
                if addend.code == Code::Constant && addend.constants[0] == SIGN {
                    return Some(single(FloatStep::Product(pair, tiny)));
                }
                let mut all = self.number(z)?;
                match all.steps.last_mut() {
                    Some(FloatStep::Products(pairs, own)) if *own == tiny => pairs.push(pair),
                    _ => all.steps.push(FloatStep::Products(vec![pair], tiny)),
                }
                Some(all)
            }
            [x, y, z] => {
                let factor = self.finder.at(y);
                let is_one = factor.code == Code::Constant && factor.constants[0] == ONE;
                is_one.then(|| self.sum(x, z, FloatStep::Sum(tiny)))?
            }
            _ => None,
        }
    }

    /// The inputs of two sides.
    fn pair(&self, x: Value, y: Value) -> Option<[usize; 2]> {
        self.finder.pairs(&[x, y])?.first().copied()
    }

    /// The number that needs more of the stack is the first.
    fn sum(&self, x: Value, y: Value, step: FloatStep) -> Option<NumberSteps> {
        let (mut first, mut second) = (self.number(x)?, self.number(y)?);
        if first.depth < second.depth {
            std::mem::swap(&mut first, &mut second);
        }
        if let (&[FloatStep::Product(pair, own)], &FloatStep::Sum(tiny)) =
            (&second.steps[..], &step)
        {
            first.steps.push(FloatStep::RoundedProduct(pair, own, tiny));
            return Some(first);
        }
        first.depth = first.depth.max(second.depth + 1);
        first.steps.append(&mut second.steps);
        first.steps.push(step);
        Some(first)
    }
}
