//! Expressions over bit-vectors that stand for integers: widths, signs, literals.

use mmasmt_numbers::bits::term::Interval;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::One;

/// The width of an expression, and whether it is a two's complement number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SmtlibSort {
    pub width: u32,
    pub signed: bool,
}

impl SmtlibSort {
    /// The narrowest sort for the values of `range`, at least one bit wide: SMT-LIB has no empty
    /// bit-vectors.
    pub fn of(range: &Interval) -> Self {
        let signed = !range.is_unsigned();
        SmtlibSort {
            width: (range.bits() + u32::from(signed)).max(1),
            signed,
        }
    }

    /// The narrowest sort that holds the values of both sorts.
    pub fn union(self, other: SmtlibSort) -> Self {
        let signed = self.signed || other.signed;
        // Beside a signed number, an unsigned one needs a sign bit.
        let needs = |sort: SmtlibSort| sort.width + u32::from(signed && !sort.signed);
        SmtlibSort {
            width: needs(self).max(needs(other)),
            signed,
        }
    }
}

/// An expression and its sort.
#[derive(Clone, Debug)]
pub struct SmtlibWord {
    pub(super) text: String,
    pub(super) sort: SmtlibSort,
}

impl SmtlibWord {
    pub fn new(text: String, width: u32, signed: bool) -> Self {
        SmtlibWord {
            text,
            sort: SmtlibSort { width, signed },
        }
    }

    /// The low `width` bits of the number; a narrower expression is extended.
    pub fn low(&self, width: u32) -> String {
        let SmtlibWord { text, sort } = self;
        if width == sort.width {
            text.clone()
        } else if width < sort.width {
            format!("((_ extract {} 0) {text})", width - 1)
        } else {
            let kind = if sort.signed { "sign" } else { "zero" };
            format!("((_ {kind}_extend {}) {text})", width - sort.width)
        }
    }

    /// The low `width` bits of the number times `factor`; `None` if they are 0.
    pub fn scaled(&self, factor: &BigInt, width: u32) -> Option<String> {
        let zeros = u32::try_from(factor.trailing_zeros()?).ok()?;
        if zeros >= width {
            return None;
        }
        let is_power = factor.magnitude().count_ones() == 1;
        let product = if !is_power {
            let factor = literal(factor, width);
            return Some(format!("(bvmul {} {factor})", self.low(width)));
        } else if zeros == 0 {
            self.low(width)
        } else {
            let zero = literal(&BigInt::ZERO, zeros);
            format!("(concat {} {zero})", self.low(width - zeros))
        };
        Some(match factor.sign() {
            Sign::Minus => format!("(bvneg {product})"),
            _ => product,
        })
    }
}

/// The literal of `value` modulo `2^width`.
pub(super) fn literal(value: &BigInt, width: u32) -> String {
    let value = value.mod_floor(&(BigInt::one() << width));
    format!("(_ bv{value} {width})")
}

/// Applies a binary operation to all expressions from the left; `None` if there are none. In the
/// standard `bvadd` takes two operands, though most solvers accept more.
pub(super) fn fold(operation: &str, parts: impl IntoIterator<Item = String>) -> Option<String> {
    parts
        .into_iter()
        .reduce(|left, right| format!("({operation} {left} {right})"))
}
