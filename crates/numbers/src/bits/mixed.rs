//! [`MixedBits`]: a machine word where a bit-vector is narrow, a big integer where it is wide. It is
//! for models that have few wide bit-vectors.

use super::{Big, Bv, Concrete, Mux, W64};
use num_bigint::BigUint;
use std::borrow::Cow;

/// The greatest width of a machine word.
const NARROW: u32 = u64::BITS;

/// A bit-vector of any width; the width decides which type holds it.
#[derive(Clone, Debug)]
pub enum MixedBits {
    /// A bit-vector of at most 64 bits.
    Narrow(W64),
    /// A bit-vector of more than 64 bits.
    Wide(Big),
}

use MixedBits::{Narrow, Wide};

impl MixedBits {
    fn of(big: Big) -> Self {
        if big.width() <= NARROW {
            Narrow(W64::lit(big.width(), big.to_u64()))
        } else {
            Wide(big)
        }
    }

    fn big(&self) -> Cow<'_, Big> {
        match self {
            Narrow(word) => Cow::Owned(Big::lit(word.width(), word.to_u64())),
            Wide(big) => Cow::Borrowed(big),
        }
    }

    /// The result of an operation on two vectors of the same width.
    #[inline]
    fn both<T>(
        &self,
        other: &Self,
        narrow: impl FnOnce(&W64, &W64) -> T,
        wide: impl FnOnce(&Big, &Big) -> T,
    ) -> T {
        match (self, other) {
            (Narrow(a), Narrow(b)) => narrow(a, b),
            _ => wide(&self.big(), &other.big()),
        }
    }

    /// The result of an operation on two vectors of the same width, which is a vector of that
    /// width.
    #[inline]
    fn combined(
        &self,
        other: &Self,
        narrow: impl FnOnce(&W64, &W64) -> W64,
        wide: impl FnOnce(&Big, &Big) -> Big,
    ) -> Self {
        self.both(other, |a, b| Narrow(narrow(a, b)), |a, b| Wide(wide(a, b)))
    }

    /// A shift by an amount of any width.
    #[inline]
    fn shifted(
        &self,
        amount: &Self,
        narrow: impl FnOnce(&W64, &W64) -> W64,
        wide: impl FnOnce(&Big, &Big) -> Big,
    ) -> Self {
        match (self, amount) {
            (Narrow(value), Narrow(amount)) => Narrow(narrow(value, amount)),
            (Wide(value), _) => Wide(wide(value, &amount.big())),
            (Narrow(_), Wide(amount)) => Self::of(wide(&self.big(), amount)),
        }
    }

    /// The result of an operation that gives a vector of `width` bits, which is at least the
    /// present width.
    #[inline]
    fn widened(
        &self,
        width: u32,
        narrow: impl FnOnce(&W64) -> W64,
        wide: impl FnOnce(&Big) -> Big,
    ) -> Self {
        match self {
            Narrow(word) if width <= NARROW => Narrow(narrow(word)),
            Narrow(_) => Wide(wide(&self.big())),
            Wide(big) => Wide(wide(big)),
        }
    }
}

impl Mux<bool> for MixedBits {
    #[inline]
    fn mux(cond: &bool, then: &Self, otherwise: &Self) -> Self {
        match (then, otherwise) {
            (Narrow(then), Narrow(otherwise)) => Narrow(W64::mux(cond, then, otherwise)),
            _ if *cond => then.clone(),
            _ => otherwise.clone(),
        }
    }
}

impl Bv for MixedBits {
    type Bool = bool;

    #[inline]
    fn lit(width: u32, value: u64) -> Self {
        if width <= NARROW {
            Narrow(W64::lit(width, value))
        } else {
            Wide(Big::lit(width, value))
        }
    }
    #[inline]
    fn width(&self) -> u32 {
        match self {
            Narrow(word) => word.width(),
            Wide(big) => big.width(),
        }
    }

    #[inline]
    fn add(&self, other: &Self) -> Self {
        self.combined(other, W64::add, Big::add)
    }
    #[inline]
    fn sub(&self, other: &Self) -> Self {
        self.combined(other, W64::sub, Big::sub)
    }
    #[inline]
    fn mul(&self, other: &Self) -> Self {
        self.combined(other, W64::mul, Big::mul)
    }
    #[inline]
    fn and(&self, other: &Self) -> Self {
        self.combined(other, W64::and, Big::and)
    }
    #[inline]
    fn or(&self, other: &Self) -> Self {
        self.combined(other, W64::or, Big::or)
    }
    #[inline]
    fn xor(&self, other: &Self) -> Self {
        self.combined(other, W64::xor, Big::xor)
    }
    #[inline]
    fn not(&self) -> Self {
        self.widened(self.width(), W64::not, Big::not)
    }

    #[inline]
    fn shl(&self, amount: &Self) -> Self {
        self.shifted(amount, W64::shl, Big::shl)
    }
    #[inline]
    fn lshr(&self, amount: &Self) -> Self {
        self.shifted(amount, W64::lshr, Big::lshr)
    }
    #[inline]
    fn ashr(&self, amount: &Self) -> Self {
        self.shifted(amount, W64::ashr, Big::ashr)
    }

    #[inline]
    fn concat(&self, low: &Self) -> Self {
        match (self, low) {
            (Narrow(high), Narrow(low)) if high.width() + low.width() <= NARROW => {
                Narrow(high.concat(low))
            }
            _ => Wide(self.big().concat(&low.big())),
        }
    }
    #[inline]
    fn extract(&self, high: u32, low: u32) -> Self {
        match self {
            Narrow(word) => Narrow(word.extract(high, low)),
            Wide(big) => Self::of(big.extract(high, low)),
        }
    }
    #[inline]
    fn zext(&self, width: u32) -> Self {
        self.widened(width, |word| word.zext(width), |big| big.zext(width))
    }
    #[inline]
    fn sext(&self, width: u32) -> Self {
        self.widened(width, |word| word.sext(width), |big| big.sext(width))
    }

    #[inline]
    fn equals(&self, other: &Self) -> bool {
        self.both(other, W64::equals, Big::equals)
    }
    #[inline]
    fn ult(&self, other: &Self) -> bool {
        self.both(other, W64::ult, Big::ult)
    }
    #[inline]
    fn slt(&self, other: &Self) -> bool {
        self.both(other, W64::slt, Big::slt)
    }

    #[inline]
    fn bit(&self, index: u32) -> bool {
        match self {
            Narrow(word) => word.bit(index),
            Wide(big) => big.bit(index),
        }
    }
    #[inline]
    fn is_zero(&self) -> bool {
        match self {
            Narrow(word) => word.is_zero(),
            Wide(big) => big.is_zero(),
        }
    }
    #[inline]
    fn add_const(&self, value: i64) -> Self {
        self.widened(
            self.width(),
            |word| word.add_const(value),
            |big| big.add_const(value),
        )
    }
    #[inline]
    fn neg_if(&self, cond: &bool) -> Self {
        self.widened(
            self.width(),
            |word| word.neg_if(cond),
            |big| big.neg_if(cond),
        )
    }
    #[inline]
    fn widen_low(&self, amount: u32) -> Self {
        self.widened(
            self.width() + amount,
            |word| word.widen_low(amount),
            |big| big.widen_low(amount),
        )
    }
    #[inline]
    fn lshr_sticky(&self, amount: &Self) -> (Self, bool) {
        match (self, amount) {
            (Narrow(word), Narrow(amount)) => {
                let (shifted, lost) = word.lshr_sticky(amount);
                (Narrow(shifted), lost)
            }
            _ => {
                let (shifted, lost) = self.big().lshr_sticky(&amount.big());
                (Self::of(shifted), lost)
            }
        }
    }
    #[inline]
    fn normalise(&self, count_width: u32) -> (Self, Self) {
        match self {
            Narrow(word) => {
                let (shifted, count) = word.normalise(count_width);
                (Narrow(shifted), Narrow(count))
            }
            Wide(big) => {
                let (shifted, count) = big.normalise(count_width);
                (Wide(shifted), Self::of(count))
            }
        }
    }
}

impl Concrete for MixedBits {
    fn to_big(&self) -> BigUint {
        match self {
            Narrow(word) => word.to_big(),
            Wide(big) => big.to_big(),
        }
    }
    #[inline]
    fn to_u64(&self) -> u64 {
        match self {
            Narrow(word) => word.to_u64(),
            Wide(big) => big.to_u64(),
        }
    }
}
