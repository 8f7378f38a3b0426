//! Values of scripts and their sorts.

use super::error::ScriptError;
use super::read::Expression;
use mmasmt_core::numbers::bits::Bv;
use mmasmt_core::numbers::bits::circuit::{Sort, literal};
use num_bigint::BigUint;

/// The widest word.
pub(super) const WIDEST: u32 = 1 << 14;

/// A value: a word or a truth value.
#[derive(Clone)]
pub(super) enum Value<B: Bv> {
    Word(B),
    Truth(B::Bool),
}

impl<B: Bv> Value<B> {
    pub fn sort(&self) -> Sort {
        match self {
            Value::Word(word) => Sort::Word(word.width()),
            Value::Truth(_) => Sort::Truth,
        }
    }
}

/// The sort that an expression names.
pub(super) fn sort_of(sort: &Expression) -> Result<Sort, ScriptError> {
    let wrong = || sort.expected(format!("Bool or (_ BitVec N), N from 1 to {WIDEST}"));
    if sort.word() == Some("Bool") {
        return Ok(Sort::Truth);
    }
    let words: Option<Vec<&str>> = sort
        .list()
        .and_then(|list| list.iter().map(Expression::word).collect());
    match words.as_deref() {
        Some(["_", "BitVec", width]) => {
            let width = width
                .parse()
                .ok()
                .filter(|width| (1..=WIDEST).contains(width));
            Ok(Sort::Word(width.ok_or_else(wrong)?))
        }
        _ => Err(wrong()),
    }
}

/// The literal `(_ bvN WIDTH)`.
pub(super) fn literal_in_decimal<B: Bv>(
    whole: &Expression,
    operands: &[Expression],
) -> Result<Value<B>, ScriptError> {
    let words: Option<Vec<&str>> = operands.iter().map(Expression::word).collect();
    let read = words.and_then(|words| {
        let [number, width] = words[..] else {
            return None;
        };
        let number = BigUint::parse_bytes(number.strip_prefix("bv")?.as_bytes(), 10)?;
        let width = width
            .parse()
            .ok()
            .filter(|width| (1..=WIDEST).contains(width))?;
        (number.bits() <= u64::from(width)).then(|| literal(width, &number))
    });
    read.map(Value::Word)
        .ok_or_else(|| whole.expected("(_ bvN WIDTH)"))
}
