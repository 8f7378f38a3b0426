//! The trait [`Bv`]: bit-vectors with SMT-LIB semantics and run-time widths.

use super::host::{HostFormat, HostOperation, HostRounding};
use num_bigint::BigUint;
use std::cmp::Ordering;

/// A truth value of a [`Bv`] instance: `bool`, or a formula.
pub trait Prop: Clone {
    /// The constant `value`.
    fn constant(value: bool) -> Self;
    /// Negation.
    fn not(&self) -> Self;
    /// Conjunction.
    fn and(&self, other: &Self) -> Self;
    /// Disjunction.
    fn or(&self, other: &Self) -> Self;
    /// Exclusive or.
    fn xor(&self, other: &Self) -> Self;

    /// Conjunction of all `props`; true for none.
    fn all(props: impl IntoIterator<Item = Self>) -> Self {
        props
            .into_iter()
            .fold(Self::constant(true), |all, p| all.and(&p))
    }

    /// Disjunction of all `props`; false for none.
    fn any(props: impl IntoIterator<Item = Self>) -> Self {
        props
            .into_iter()
            .fold(Self::constant(false), |any, p| any.or(&p))
    }
}

/// Values that a truth value `P` can choose between.
pub trait Mux<P> {
    /// `then` where `cond` holds, `otherwise` where it does not.
    #[must_use]
    fn mux(cond: &P, then: &Self, otherwise: &Self) -> Self;
}

/// `then` where `cond` holds, `otherwise` where it does not.
#[inline(always)]
pub fn mux<P, T: Mux<P>>(cond: &P, then: &T, otherwise: &T) -> T {
    T::mux(cond, then, otherwise)
}

/// A bit-vector of a width of at least one bit.
///
/// The semantics are those of SMT-LIB's `QF_BV`: total and modular. A shift by the width or more
/// gives zero (`ashr`: copies of the sign). Binary operations take equal widths, checked by
/// `debug_assert!`; only a shift amount may have any width. Operations, not types, are signed or
/// unsigned.
///
/// The width of a result depends on widths and constants only, never on content.
pub trait Bv: Mux<Self::Bool> + Clone {
    /// The result of comparisons, and the condition of [`mux`].
    type Bool: Prop + Mux<Self::Bool>;

    /// The constant `value`, which must fit `width` bits.
    fn lit(width: u32, value: u64) -> Self;
    /// The width in bits.
    fn width(&self) -> u32;

    /// Sum modulo `2^width`.
    fn add(&self, other: &Self) -> Self;
    /// Difference modulo `2^width`.
    fn sub(&self, other: &Self) -> Self;
    /// Product modulo `2^width`.
    fn mul(&self, other: &Self) -> Self;
    /// Bitwise conjunction.
    fn and(&self, other: &Self) -> Self;
    /// Bitwise disjunction.
    fn or(&self, other: &Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(&self, other: &Self) -> Self;
    /// Bitwise complement.
    fn not(&self) -> Self;

    /// Shift left by `amount`, unsigned and of any width.
    fn shl(&self, amount: &Self) -> Self;
    /// Shift right by `amount`, unsigned and of any width; zeros enter.
    fn lshr(&self, amount: &Self) -> Self;
    /// Shift right by `amount`, unsigned and of any width; copies of the sign enter.
    fn ashr(&self, amount: &Self) -> Self;

    /// `self` as the high bits, `low` as the low bits.
    fn concat(&self, low: &Self) -> Self;
    /// Bits `high` down to `low`, both included.
    fn extract(&self, high: u32, low: u32) -> Self;
    /// Zero extension to `width`, which is at least the present width.
    fn zext(&self, width: u32) -> Self;
    /// Sign extension to `width`, which is at least the present width.
    fn sext(&self, width: u32) -> Self;

    /// Equality.
    fn equals(&self, other: &Self) -> Self::Bool;
    /// Unsigned less-than.
    fn ult(&self, other: &Self) -> Self::Bool;
    /// Two's complement less-than.
    fn slt(&self, other: &Self) -> Self::Bool;

    /// Sum of one or more vectors modulo `2^width`.
    fn sum(terms: &[Self]) -> Self {
        fold(terms, |a, b| a.add(b))
    }

    /// Unsigned maximum of one or more vectors.
    fn umax(terms: &[Self]) -> Self {
        fold(terms, |a, b| mux(&a.ult(b), b, a))
    }

    /// Bit `index` as a truth value.
    fn bit(&self, index: u32) -> Self::Bool {
        self.extract(index, index).equals(&Self::lit(1, 1))
    }

    /// The highest bit: the sign of a two's complement number.
    fn msb(&self) -> Self::Bool {
        self.bit(self.width() - 1)
    }

    /// Whether every bit is zero.
    fn is_zero(&self) -> Self::Bool {
        self.equals(&Self::lit(self.width(), 0))
    }

    /// 1 where `prop` holds, else 0, in `width` bits.
    fn from_prop(width: u32, prop: &Self::Bool) -> Self {
        mux(prop, &Self::lit(width, 1), &Self::lit(width, 0))
    }

    /// Zero extension, or truncation to the low bits.
    fn resize(&self, width: u32) -> Self {
        match width.cmp(&self.width()) {
            Ordering::Greater => self.zext(width),
            Ordering::Equal => self.clone(),
            Ordering::Less => self.extract(width - 1, 0),
        }
    }

    /// Two's complement negation.
    fn neg(&self) -> Self {
        Self::lit(self.width(), 0).sub(self)
    }

    /// The two's complement negation where `cond` holds, else the value itself.
    fn neg_if(&self, cond: &Self::Bool) -> Self {
        mux(cond, &self.neg(), self)
    }

    /// Sum with the constant `value`, which may be negative, modulo `2^width`.
    fn add_const(&self, value: i64) -> Self {
        let constant = Self::lit(64, value as u64);
        let constant = if self.width() <= 64 {
            constant.resize(self.width())
        } else {
            constant.sext(self.width())
        };
        self.add(&constant)
    }

    /// The full product; its width is the sum of the widths of the factors.
    fn mul_wide(&self, other: &Self) -> Self {
        let width = self.width() + other.width();
        self.zext(width).mul(&other.zext(width))
    }

    /// `amount` zeros appended below: a left shift that widens.
    fn widen_low(&self, amount: u32) -> Self {
        if amount == 0 {
            return self.clone();
        }
        let mut zeros = Self::lit(amount.min(64), 0);
        if amount > 64 {
            zeros = zeros.zext(amount);
        }
        self.concat(&zeros)
    }

    /// Unsigned less-than-or-equal.
    fn ule(&self, other: &Self) -> Self::Bool {
        other.ult(self).not()
    }

    /// Shift right by `amount`, and the sticky bit: whether a one was shifted out.
    fn lshr_sticky(&self, amount: &Self) -> (Self, Self::Bool) {
        let shifted = self.lshr(amount);
        let lost = shifted.shl(amount).equals(self).not();
        (shifted, lost)
    }

    /// The value shifted left until its highest bit is one, and the shift distance in `count_width`
    /// bits. Zero stays zero; its distance is unspecified.
    fn normalise(&self, count_width: u32) -> (Self, Self) {
        normalise_by_halves(self, count_width)
    }

    /// Whether the instance knows that the value is zero for all inputs. `false` is always allowed:
    /// results are the same, but formulas are longer.
    fn is_known_zero(&self) -> bool {
        false
    }

    /// Whether the instance is a machine word. An algorithm may then be compiled once more with its
    /// most common parameters as constants; results are the same.
    const IS_WORD: bool = false;

    /// The content of a machine word, if it is one of at most 64 bits.
    fn as_word(&self) -> Option<u64> {
        None
    }

    /// Whether [`on_host`](Self::on_host) may return a result.
    const USES_HOST: bool = false;

    /// The result of an operation on registers of the format, computed by the processor that runs
    /// this program; a NaN result has any code. `None` where the instance does not use the
    /// processor: the code of `float` then computes the operation from other operations of this
    /// trait.
    fn on_host(_: HostOperation, _: HostFormat, _operands: &[&Self]) -> Option<Self> {
        None
    }

    /// Tells the instance that `register` is a number of binary32 with this exponent and this
    /// significand, in the sense of `float::unpack`, so that it may use the number in place of them.
    fn is_binary32(_register: &Self, _exponent: &Self, _significand: &Self) {}

    /// The register of binary32 that the sum, a two's complement number, gives with the unsigned
    /// exponent; computed by the processor in binary64, which holds the sum times the power of two
    /// exactly. `None` where the instance does not use the processor, or does not know that the
    /// number fits binary64.
    fn rounded_on_host(_sum: &Self, _exponent: &Self, _: &HostRounding) -> Option<Self> {
        None
    }
}

/// [`Bv::normalise`] by binary search: each step tests half as many bits as the one before.
pub(super) fn normalise_by_halves<B: Bv>(value: &B, count_width: u32) -> (B, B) {
    let width = value.width();
    let mut shifted = value.clone();
    let mut count = B::lit(count_width, 0);
    for step in (0..u32::BITS - (width - 1).leading_zeros()).rev() {
        let amount = 1 << step;
        let empty = shifted.extract(width - 1, width - amount).is_zero();
        let moved = shifted.shl(&B::lit(32, u64::from(amount)));
        shifted = mux(&empty, &moved, &shifted);
        count = mux(&empty, &count.add_const(i64::from(amount)), &count);
    }
    (shifted, count)
}

fn fold<B: Bv>(terms: &[B], mut op: impl FnMut(&B, &B) -> B) -> B {
    debug_assert!(!terms.is_empty(), "sum or maximum of nothing");
    let mut total = terms[0].clone();
    for term in &terms[1..] {
        total = op(&total, term);
    }
    total
}

/// A bit-vector with a concrete value.
pub trait Concrete: Bv<Bool = bool> {
    /// The content as an unsigned number.
    fn to_big(&self) -> BigUint;
    /// The low 64 bits of the content.
    fn to_u64(&self) -> u64;
}

impl Prop for bool {
    #[inline(always)]
    fn constant(value: bool) -> Self {
        value
    }
    #[inline(always)]
    fn not(&self) -> Self {
        !*self
    }
    #[inline(always)]
    fn and(&self, other: &Self) -> Self {
        *self & *other
    }
    #[inline(always)]
    fn or(&self, other: &Self) -> Self {
        *self | *other
    }
    #[inline(always)]
    fn xor(&self, other: &Self) -> Self {
        *self ^ *other
    }
}

impl Mux<bool> for bool {
    #[inline(always)]
    fn mux(cond: &bool, then: &Self, otherwise: &Self) -> Self {
        if *cond { *then } else { *otherwise }
    }
}
