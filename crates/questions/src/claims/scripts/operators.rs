//! The operators of bit-vectors and truth values in scripts.

use super::error::ScriptError;
use super::read::Expression;
use super::value::{Value, WIDEST};
use crate::solver::engine::sort_in_smtlib;
use mmasmt_core::numbers::bits::circuit::Sort;
use mmasmt_core::numbers::bits::{Bv, Prop, mux};

/// The operators of scripts, for errors.
const OPERATORS: &str =
    "an operator of bit-vectors (division is none of them), a definition or a model";

type Result<T> = std::result::Result<T, ScriptError>;

fn truth<B: Bv>(operand: &Expression, value: &Value<B>) -> Result<B::Bool> {
    match value {
        Value::Truth(truth) => Ok(truth.clone()),
        Value::Word(_) => Err(operand.expected("a value of sort Bool")),
    }
}

fn word<B: Bv>(operand: &Expression, value: &Value<B>) -> Result<B> {
    match value {
        Value::Word(word) => Ok(word.clone()),
        Value::Truth(_) => Err(operand.expected("a bit-vector")),
    }
}

fn of_sort<B: Bv>(operand: &Expression, value: &Value<B>, sort: Sort) -> Result<()> {
    match value.sort() == sort {
        true => Ok(()),
        false => Err(operand.expected(format!("a value of sort {}", sort_in_smtlib(sort)))),
    }
}

/// The value of an operator without indices; `values` are those of `operands`.
pub(super) fn apply<B: Bv>(
    operation: &str,
    whole: &Expression,
    operands: &[Expression],
    values: &[Value<B>],
) -> Result<Value<B>> {
    let truths = || {
        let pairs = operands.iter().zip(values);
        pairs
            .map(|(operand, value)| truth(operand, value))
            .collect::<Result<Vec<_>>>()
    };
    let words = || {
        let pairs = operands.iter().zip(values);
        pairs
            .map(|(operand, value)| word(operand, value))
            .collect::<Result<Vec<_>>>()
    };
    match (operation, values) {
        ("ite", [condition, then, otherwise]) => {
            let condition = truth(&operands[0], condition)?;
            of_sort(&operands[2], otherwise, then.sort())?;
            Ok(match (then, otherwise) {
                (Value::Word(x), Value::Word(y)) => Value::Word(mux(&condition, x, y)),
                (Value::Truth(x), Value::Truth(y)) => Value::Truth(mux(&condition, x, y)),
                // Not reached: both have one sort.
                _ => then.clone(),
            })
        }
        ("=" | "distinct", [first, _, ..]) => {
            for (operand, value) in operands.iter().zip(values) {
                of_sort(operand, value, first.sort())?;
            }
            let count = values.len();
            let equal = |left: usize, right: usize| equals(&values[left], &values[right]);
            Ok(Value::Truth(match operation {
                "=" => B::Bool::all((1..count).map(|right| equal(right - 1, right))),
                _ => {
                    let pairs =
                        (1..count).flat_map(|right| (0..right).map(move |left| (left, right)));
                    B::Bool::all(pairs.map(|(left, right)| equal(left, right).not()))
                }
            }))
        }
        ("not", [operand]) => Ok(Value::Truth(truth(&operands[0], operand)?.not())),
        ("and" | "or" | "xor", [_, ..]) => {
            let joined = truths()?.into_iter().reduce(|x, y| match operation {
                "and" => x.and(&y),
                "or" => x.or(&y),
                _ => x.xor(&y),
            });
            joined
                .map(Value::Truth)
                .ok_or_else(|| whole.expected("operands"))
        }
        ("=>", [_, _, ..]) => {
            let truths = truths()?;
            let (last, first) = truths
                .split_last()
                .ok_or_else(|| whole.expected("operands"))?;
            let all = B::Bool::all(first.iter().cloned());
            Ok(Value::Truth(all.not().or(last)))
        }
        ("bvnot", [_]) => Ok(Value::Word(words()?[0].not())),
        ("bvneg", [_]) => Ok(Value::Word(words()?[0].neg())),
        ("concat", [_, _, ..]) => {
            let words = words()?;
            let bits: u64 = words.iter().map(|word| u64::from(word.width())).sum();
            if bits > u64::from(WIDEST) {
                return Err(whole.expected(format!("at most {WIDEST} bits")));
            }
            let joined = words.into_iter().reduce(|high, low| high.concat(&low));
            joined
                .map(Value::Word)
                .ok_or_else(|| whole.expected("operands"))
        }
        (_, [first, second, rest @ ..]) => {
            let kind = Kind::named(operation).ok_or_else(|| whole.expected(OPERATORS))?;
            let words = words()?;
            for (operand, value) in operands.iter().zip(values) {
                of_sort(operand, value, first.sort())?;
            }
            if !rest.is_empty() && !kind.is_associative() {
                return Err(whole.expected("two operands"));
            }
            let mut value = kind.of(&words[0], &word(&operands[1], second)?);
            for next in &words[2..] {
                value = kind.of(&word(whole, &value)?, next);
            }
            Ok(value)
        }
        _ => Err(whole.expected(OPERATORS)),
    }
}

fn equals<B: Bv>(left: &Value<B>, right: &Value<B>) -> B::Bool {
    match (left, right) {
        (Value::Word(x), Value::Word(y)) => x.equals(y),
        (Value::Truth(x), Value::Truth(y)) => x.xor(y).not(),
        // The sorts are the same.
        _ => B::Bool::constant(false),
    }
}

/// An operator of two words of the same width.
#[derive(Clone, Copy)]
enum Kind {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Nand,
    Nor,
    Xnor,
    Shl,
    Lshr,
    Ashr,
    Comp,
    /// A comparison: whether it is signed, whether operands are exchanged, whether equality counts.
    Less {
        signed: bool,
        exchanged: bool,
        or_equal: bool,
    },
}

impl Kind {
    fn named(name: &str) -> Option<Kind> {
        let less = |signed, exchanged, or_equal| Kind::Less {
            signed,
            exchanged,
            or_equal,
        };
        Some(match name {
            "bvadd" => Kind::Add,
            "bvsub" => Kind::Sub,
            "bvmul" => Kind::Mul,
            "bvand" => Kind::And,
            "bvor" => Kind::Or,
            "bvxor" => Kind::Xor,
            "bvnand" => Kind::Nand,
            "bvnor" => Kind::Nor,
            "bvxnor" => Kind::Xnor,
            "bvshl" => Kind::Shl,
            "bvlshr" => Kind::Lshr,
            "bvashr" => Kind::Ashr,
            "bvcomp" => Kind::Comp,
            "bvult" => less(false, false, false),
            "bvugt" => less(false, true, false),
            "bvule" => less(false, false, true),
            "bvuge" => less(false, true, true),
            "bvslt" => less(true, false, false),
            "bvsgt" => less(true, true, false),
            "bvsle" => less(true, false, true),
            "bvsge" => less(true, true, true),
            _ => return None,
        })
    }

    fn is_associative(self) -> bool {
        matches!(
            self,
            Kind::Add | Kind::Mul | Kind::And | Kind::Or | Kind::Xor
        )
    }

    fn of<B: Bv>(self, x: &B, y: &B) -> Value<B> {
        Value::Word(match self {
            Kind::Add => x.add(y),
            Kind::Sub => x.sub(y),
            Kind::Mul => x.mul(y),
            Kind::And => x.and(y),
            Kind::Or => x.or(y),
            Kind::Xor => x.xor(y),
            Kind::Nand => x.and(y).not(),
            Kind::Nor => x.or(y).not(),
            Kind::Xnor => x.xor(y).not(),
            Kind::Shl => x.shl(y),
            Kind::Lshr => x.lshr(y),
            Kind::Ashr => x.ashr(y),
            Kind::Comp => B::from_prop(1, &x.equals(y)),
            Kind::Less {
                signed,
                exchanged,
                or_equal,
            } => {
                let (x, y) = if exchanged { (y, x) } else { (x, y) };
                let less = |x: &B, y: &B| if signed { x.slt(y) } else { x.ult(y) };
                let held = if or_equal {
                    less(y, x).not()
                } else {
                    less(x, y)
                };
                return Value::Truth(held);
            }
        })
    }
}

/// The value of an operator with indices: `((_ extract 7 0) x)`.
pub(super) fn indexed<B: Bv>(head: &Expression, word: &B) -> Result<Value<B>> {
    let wrong = || {
        head.expected("(_ extract HIGH LOW), (_ zero_extend N), (_ sign_extend N), (_ rotate_left N), (_ rotate_right N) or (_ repeat N)")
    };
    let words: Option<Vec<&str>> = head
        .list()
        .and_then(|list| list.iter().map(Expression::word).collect());
    let words = words.unwrap_or_default();
    let Some((&"_", [name, indices @ ..])) = words.split_first() else {
        return Err(wrong());
    };
    let numbers: Option<Vec<u32>> = indices.iter().map(|index| index.parse().ok()).collect();
    let numbers = numbers.ok_or_else(wrong)?;
    let width = word.width();
    let fits = |bits: u64| bits <= u64::from(WIDEST);
    Ok(Value::Word(match (*name, &numbers[..]) {
        ("extract", [high, low]) if low <= high && *high < width => word.extract(*high, *low),
        ("zero_extend", [more]) if fits(u64::from(width) + u64::from(*more)) => {
            word.zext(width + more)
        }
        ("sign_extend", [more]) if fits(u64::from(width) + u64::from(*more)) => {
            word.sext(width + more)
        }
        ("repeat", [times]) if *times > 0 && fits(u64::from(width) * u64::from(*times)) => {
            (1..*times).fold(word.clone(), |joined, _| joined.concat(word))
        }
        ("rotate_left" | "rotate_right", [by]) => {
            let by = by % width;
            let left = if *name == "rotate_left" {
                by
            } else {
                (width - by) % width
            };
            match left {
                0 => word.clone(),
                _ => word
                    .extract(width - left - 1, 0)
                    .concat(&word.extract(width - 1, width - left)),
            }
        }
        _ => return Err(wrong()),
    }))
}
