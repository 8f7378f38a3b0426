//! The operators of bit-vectors and truth values in scripts.

use super::commands::{Sort, WIDEST};
use super::error::ScriptError;
use super::evaluate::{Evaluation, Value, shown};
use super::read::Expression;
use mmasmt_core::machines::model::Instance;
use mmasmt_core::numbers::bits::{Bv, Prop, mux};

/// The operators of scripts, for errors.
const OPERATORS: &str =
    "an operator of bit-vectors (division is none of them), a definition or a model";

type Result<T> = std::result::Result<T, ScriptError>;

/// The value of an operator without indices.
pub(super) fn apply<'x, B: Instance>(
    evaluation: &mut Evaluation<'x, B>,
    operation: &str,
    whole: &'x Expression,
    operands: &'x [Expression],
) -> Result<Value<B>> {
    match (operation, operands) {
        ("ite", [condition, then, otherwise]) => {
            let condition = evaluation.truth(condition)?;
            let chosen = [evaluation.value(then)?, evaluation.value(otherwise)?];
            match chosen {
                [Value::Word(x), Value::Word(y)] if x.width() == y.width() => {
                    Ok(Value::Word(mux(&condition, &x, &y)))
                }
                [Value::Truth(x), Value::Truth(y)] => {
                    let both = condition.and(&x).or(&condition.not().and(&y));
                    Ok(Value::Truth(both))
                }
                [x, _] => Err(otherwise.expected(format!("a value of sort {}", shown(x.sort())))),
            }
        }
        ("=" | "distinct", [_, _, ..]) => {
            let mut values = Vec::new();
            for operand in operands {
                values.push(evaluation.value(operand)?);
            }
            let first = values[0].sort();
            if let Some(other) = values.iter().position(|value| value.sort() != first) {
                return Err(operands[other].expected(format!("a value of sort {}", shown(first))));
            }
            let pairs = (0..values.len())
                .flat_map(|left| (left + 1..values.len()).map(move |right| (left, right)));
            let equal = |(left, right): (usize, usize)| equals(&values[left], &values[right]);
            Ok(Value::Truth(match operation {
                "=" => B::Bool::all((1..values.len()).map(|right| equal((right - 1, right)))),
                _ => B::Bool::all(pairs.map(|pair| equal(pair).not())),
            }))
        }
        ("not", [operand]) => Ok(Value::Truth(evaluation.truth(operand)?.not())),
        ("and" | "or" | "xor", [_, ..]) => {
            let mut truths = Vec::new();
            for operand in operands {
                truths.push(evaluation.truth(operand)?);
            }
            let joined = truths.into_iter().reduce(|x, y| match operation {
                "and" => x.and(&y),
                "or" => x.or(&y),
                _ => x.xor(&y),
            });
            joined
                .map(Value::Truth)
                .ok_or_else(|| whole.expected("operands"))
        }
        ("=>", [first @ .., last]) if !first.is_empty() => {
            let mut all = Vec::new();
            for operand in first {
                all.push(evaluation.truth(operand)?);
            }
            let last = evaluation.truth(last)?;
            Ok(Value::Truth(B::Bool::all(all).not().or(&last)))
        }
        ("bvnot" | "bvneg", [operand]) => {
            let word = evaluation.word(operand)?;
            Ok(Value::Word(match operation {
                "bvnot" => word.not(),
                _ => word.neg(),
            }))
        }
        ("concat", [first, rest @ ..]) if !rest.is_empty() => {
            let mut joined = evaluation.word(first)?;
            for operand in rest {
                let low = evaluation.word(operand)?;
                if joined.width() + low.width() > WIDEST {
                    return Err(whole.expected(format!("at most {WIDEST} bits")));
                }
                joined = joined.concat(&low);
            }
            Ok(Value::Word(joined))
        }
        (_, [left, right, rest @ ..]) => {
            let Some(kind) = Kind::named(operation) else {
                return Err(whole.expected(OPERATORS));
            };
            let first = evaluation.word(left)?;
            let mut value = kind.of(&first, &same_width(evaluation, &first, right)?);
            for operand in rest {
                let Value::Word(word) = &value else {
                    return Err(whole.expected("two operands"));
                };
                if !kind.is_associative() {
                    return Err(whole.expected("two operands"));
                }
                let next = same_width(evaluation, word, operand)?;
                value = kind.of(word, &next);
            }
            Ok(value)
        }
        _ => Err(whole.expected(OPERATORS)),
    }
}

fn same_width<'x, B: Instance>(
    evaluation: &mut Evaluation<'x, B>,
    first: &B,
    operand: &'x Expression,
) -> Result<B> {
    let word = evaluation.word(operand)?;
    if word.width() == first.width() {
        return Ok(word);
    }
    Err(operand.expected(format!(
        "a value of sort {}",
        shown(Sort::Word(first.width()))
    )))
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
pub(super) fn indexed<'x, B: Instance>(
    evaluation: &mut Evaluation<'x, B>,
    head: &Expression,
    operands: &'x [Expression],
) -> Result<Value<B>> {
    let wrong = || {
        head.expected("(_ extract HIGH LOW), (_ zero_extend N), (_ sign_extend N), (_ rotate_left N), (_ rotate_right N) or (_ repeat N)")
    };
    let words: Option<Vec<&str>> = head
        .list()
        .and_then(|list| list.iter().map(Expression::word).collect());
    let words = words.unwrap_or_default();
    let (Some((&"_", [name, indices @ ..])), [operand]) = (words.split_first(), operands) else {
        return Err(wrong());
    };
    let numbers: Option<Vec<u32>> = indices.iter().map(|index| index.parse().ok()).collect();
    let numbers = numbers.ok_or_else(wrong)?;
    let word = evaluation.word(operand)?;
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
            (1..*times).fold(word.clone(), |joined, _| joined.concat(&word))
        }
        ("rotate_left" | "rotate_right", [by]) => {
            let by = by % width;
            let left = if *name == "rotate_left" {
                by
            } else {
                (width - by) % width
            };
            match left {
                0 => word,
                _ => word
                    .extract(width - left - 1, 0)
                    .concat(&word.extract(width - 1, width - left)),
            }
        }
        _ => return Err(wrong()),
    }))
}
