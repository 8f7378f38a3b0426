//! Terms of a fused sum for the references: values with the exponents that they are aligned by.

use super::arithmetic::{Number, Value, product as exact_product, value};
use super::exact::{Datum, decode};
use super::parameters::ZeroRule;
use mmasmt_numbers::float::Format;
use num_traits::Zero;

/// A product, a sum or `c`; the exponent means nothing unless the value is a number.
#[derive(Clone, Debug)]
pub struct Term {
    pub value: Value,
    pub exponent: i64,
}

/// The exponent of an operand, that of a zero by the zero rule; 0 if it is no number.
pub fn exponent(format: &Format, zero: ZeroRule, bits: u64) -> i64 {
    match decode(format, bits) {
        Datum::Finite(x) if x.is_zero() && zero == ZeroRule::Min => -126,
        Datum::Finite(x) => x.exponent,
        Datum::Infinite { .. } | Datum::Nan => 0,
    }
}

/// The operand itself.
pub fn operand(format: &Format, zero: ZeroRule, bits: u64) -> Term {
    Term {
        value: value(format, bits),
        exponent: exponent(format, zero, bits),
    }
}

/// The product, not normalised.
pub fn product([x, y]: [&Format; 2], zero: ZeroRule, a: u64, b: u64) -> Term {
    Term {
        value: exact_product(&value(x, a), &value(y, b)),
        exponent: exponent(x, zero, a) + exponent(y, zero, b),
    }
}

impl Term {
    /// The number; a term that is none has had its say in step 1.
    pub fn number(&self) -> &Number {
        match &self.value {
            Value::Number(number) => number,
            other => panic!("{other:?} is no number"),
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(&self.value, Value::Number(number) if number.magnitude.is_zero())
    }

    /// The term times a power of two.
    pub fn scaled(mut self, exponent: i64) -> Term {
        self.exponent += exponent;
        if let Value::Number(number) = &mut self.value {
            number.unit += exponent;
        }
        self
    }
}

/// The largest exponent; none if all terms are zeros that are left out.
pub fn largest(terms: &[Term], zero: ZeroRule) -> Option<i64> {
    let counted = terms
        .iter()
        .filter(|term| zero != ZeroRule::Skip || !term.is_zero());
    counted.map(|term| term.exponent).max()
}
