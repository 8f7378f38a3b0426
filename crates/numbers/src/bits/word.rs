//! Bit-vectors in machine integers, for the simulator. They are `Copy` and need no allocation.

use super::{Bv, Concrete, Mux};
use num_bigint::BigUint;
use num_traits::{
    AsPrimitive, PrimInt, Unsigned, WrappingAdd, WrappingMul, WrappingShl, WrappingShr, WrappingSub,
};

/// An unsigned machine integer that holds a bit-vector.
pub trait MachineInteger:
    PrimInt
    + Unsigned
    + WrappingAdd
    + WrappingSub
    + WrappingMul
    + WrappingShl
    + WrappingShr
    + AsPrimitive<u64>
    + From<u64>
    + Into<BigUint>
    + std::fmt::Debug
{
    /// The width of the integer type, the greatest width of a bit-vector in it.
    const BITS: u32;
}
impl MachineInteger for u64 {
    const BITS: u32 = u64::BITS;
}
impl MachineInteger for u128 {
    const BITS: u32 = u128::BITS;
}

/// A bit-vector in a machine integer `T`, whose bits from `width` upwards are zero.
///
/// The caller keeps widths within `T::BITS`, which `debug_assert!` checks: a
/// A model knows its greatest width and takes a sufficient `T`.
#[derive(Clone, Copy, Debug)]
pub struct Word<T> {
    bits: T,
    width: u32,
}
/// A bit-vector of at most 64 bits.
pub type W64 = Word<u64>;
/// A bit-vector of at most 128 bits.
pub type W128 = Word<u128>;

impl<T: MachineInteger> Word<T> {
    #[inline(always)]
    fn mask(width: u32) -> T {
        debug_assert!(
            (1..=T::BITS).contains(&width),
            "width {width} in a word of {}",
            T::BITS
        );
        T::max_value().unsigned_shr(T::BITS - width)
    }

    /// The low `width` bits of `bits` as a bit-vector.
    #[inline(always)]
    pub(super) fn masked(bits: T, width: u32) -> Self {
        let bits = bits & Self::mask(width);
        Word { bits, width }
    }

    /// The bits as a number.
    #[inline(always)]
    pub(super) fn bits(self) -> T {
        self.bits
    }

    /// A choice without a branch, since the processor could not predict a branch on arbitrary
    /// operands.
    #[inline(always)]
    fn select(cond: bool, then: T, otherwise: T) -> T {
        std::hint::select_unpredictable(cond, then, otherwise)
    }

    #[inline(always)]
    fn same_width(self, other: Self) -> u32 {
        debug_assert_eq!(self.width, other.width, "operands of different widths");
        self.width
    }

    /// The value sign-extended to `T::BITS`.
    #[inline(always)]
    fn signed(self) -> T {
        let spare = T::BITS - self.width;
        self.bits.unsigned_shl(spare).signed_shr(spare)
    }

    /// Whether the value is less than `limit`. Left and logical right shifts compare their amount
    /// with `T::BITS`, not with the width: the bits above the width are zero, or are masked
    /// afterwards.
    #[inline(always)]
    fn is_below(self, limit: u32) -> bool {
        self.bits < <T as From<u64>>::from(u64::from(limit))
    }

    /// The low 32 bits.
    #[inline(always)]
    fn low(self) -> u32 {
        let low: u64 = self.bits.as_();
        low as u32
    }
}

impl<T: MachineInteger> Mux<bool> for Word<T> {
    #[inline(always)]
    fn mux(cond: &bool, then: &Self, otherwise: &Self) -> Self {
        let width = then.same_width(*otherwise);
        let bits = Self::select(*cond, then.bits, otherwise.bits);
        Word { bits, width }
    }
}

impl<T: MachineInteger> Bv for Word<T> {
    type Bool = bool;
    const IS_WORD: bool = true;

    #[inline(always)]
    fn as_word(&self) -> Option<u64> {
        (self.width <= 64).then(|| self.bits.as_())
    }

    #[inline(always)]
    fn lit(width: u32, value: u64) -> Self {
        let bits = <T as From<u64>>::from(value);
        debug_assert!(bits & Self::mask(width) == bits, "{value} in {width} bits");
        Word { bits, width }
    }
    #[inline(always)]
    fn width(&self) -> u32 {
        self.width
    }

    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        Self::masked(self.bits.wrapping_add(&other.bits), self.same_width(*other))
    }
    #[inline(always)]
    fn sub(&self, other: &Self) -> Self {
        Self::masked(self.bits.wrapping_sub(&other.bits), self.same_width(*other))
    }
    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        Self::masked(self.bits.wrapping_mul(&other.bits), self.same_width(*other))
    }
    #[inline(always)]
    fn and(&self, other: &Self) -> Self {
        Word {
            bits: self.bits & other.bits,
            width: self.same_width(*other),
        }
    }
    #[inline(always)]
    fn or(&self, other: &Self) -> Self {
        Word {
            bits: self.bits | other.bits,
            width: self.same_width(*other),
        }
    }
    #[inline(always)]
    fn xor(&self, other: &Self) -> Self {
        Word {
            bits: self.bits ^ other.bits,
            width: self.same_width(*other),
        }
    }
    #[inline(always)]
    fn not(&self) -> Self {
        Self::masked(!self.bits, self.width)
    }

    #[inline(always)]
    fn shl(&self, amount: &Self) -> Self {
        let shifted = self.bits.wrapping_shl(amount.low());
        Self::masked(
            Self::select(amount.is_below(T::BITS), shifted, T::zero()),
            self.width,
        )
    }
    #[inline(always)]
    fn lshr(&self, amount: &Self) -> Self {
        let shifted = self.bits.wrapping_shr(amount.low());
        let bits = Self::select(amount.is_below(T::BITS), shifted, T::zero());
        Word {
            bits,
            width: self.width,
        }
    }
    #[inline(always)]
    fn ashr(&self, amount: &Self) -> Self {
        let most = self.width - 1;
        let amount = if amount.is_below(most) {
            amount.low()
        } else {
            most
        };
        Self::masked(self.signed().signed_shr(amount), self.width)
    }

    #[inline(always)]
    fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        debug_assert!(width <= T::BITS, "width {width} in a word of {}", T::BITS);
        let bits = self.bits.unsigned_shl(low.width) | low.bits;
        Word { bits, width }
    }
    #[inline(always)]
    fn extract(&self, high: u32, low: u32) -> Self {
        debug_assert!(
            low <= high && high < self.width,
            "bits {high} to {low} of {}",
            self.width
        );
        Self::masked(self.bits.unsigned_shr(low), high - low + 1)
    }
    #[inline(always)]
    fn zext(&self, width: u32) -> Self {
        debug_assert!(
            self.width <= width && width <= T::BITS,
            "{} to {width} bits",
            self.width
        );
        Word {
            bits: self.bits,
            width,
        }
    }
    #[inline(always)]
    fn sext(&self, width: u32) -> Self {
        debug_assert!(
            self.width <= width && width <= T::BITS,
            "{} to {width} bits",
            self.width
        );
        Self::masked(self.signed(), width)
    }

    #[inline(always)]
    fn equals(&self, other: &Self) -> bool {
        self.same_width(*other);
        self.bits == other.bits
    }
    #[inline(always)]
    fn ult(&self, other: &Self) -> bool {
        self.same_width(*other);
        self.bits < other.bits
    }
    #[inline(always)]
    fn slt(&self, other: &Self) -> bool {
        let sign = T::one().unsigned_shl(self.same_width(*other) - 1);
        (self.bits ^ sign) < (other.bits ^ sign)
    }

    #[inline(always)]
    fn sum(terms: &[Self]) -> Self {
        debug_assert!(!terms.is_empty(), "sum of nothing");
        let first = terms[0];
        let bits = terms[1..].iter().fold(first.bits, |total, term| {
            first.same_width(*term);
            total.wrapping_add(&term.bits)
        });
        Self::masked(bits, first.width)
    }
    #[inline(always)]
    fn umax(terms: &[Self]) -> Self {
        debug_assert!(!terms.is_empty(), "maximum of nothing");
        let first = terms[0];
        // Two running maxima: the compiler turns a single one into branches, which are slower.
        let mut greatest = [first.bits; 2];
        let mut include = |lane: usize, term: &Self| {
            first.same_width(*term);
            greatest[lane] = greatest[lane].max(term.bits);
        };
        let (pairs, last) = terms.as_chunks();
        for [even, odd] in pairs {
            include(0, even);
            include(1, odd);
        }
        last.iter().for_each(|term| include(0, term));
        let bits = greatest[0].max(greatest[1]);
        Word {
            bits,
            width: first.width,
        }
    }

    #[inline(always)]
    fn bit(&self, index: u32) -> bool {
        debug_assert!(index < self.width, "bit {index} of {}", self.width);
        !(self.bits.unsigned_shr(index) & T::one()).is_zero()
    }
    #[inline(always)]
    fn add_const(&self, value: i64) -> Self {
        let constant = <T as From<u64>>::from(value as u64);
        let spare = T::BITS - 64;
        let constant = constant.unsigned_shl(spare).signed_shr(spare);
        Self::masked(self.bits.wrapping_add(&constant), self.width)
    }
    #[inline(always)]
    fn neg_if(&self, cond: &bool) -> Self {
        let all = Self::select(*cond, T::max_value(), T::zero());
        Self::masked((self.bits ^ all).wrapping_sub(&all), self.width)
    }
    #[inline(always)]
    fn mul_wide(&self, other: &Self) -> Self {
        let width = self.width + other.width;
        debug_assert!(width <= T::BITS, "width {width} in a word of {}", T::BITS);
        Word {
            bits: self.bits.wrapping_mul(&other.bits),
            width,
        }
    }
    #[inline(always)]
    fn widen_low(&self, amount: u32) -> Self {
        let width = self.width + amount;
        debug_assert!(width <= T::BITS, "width {width} in a word of {}", T::BITS);
        Word {
            bits: self.bits.unsigned_shl(amount),
            width,
        }
    }
    #[inline(always)]
    fn normalise(&self, count_width: u32) -> (Self, Self) {
        let zeros = (self.bits.leading_zeros() - (T::BITS - self.width)).min(self.width);
        let count = Self::lit(count_width, u64::from(zeros));
        (self.shl(&Self::lit(32, u64::from(zeros))), count)
    }
}

impl<T: MachineInteger> Concrete for Word<T> {
    fn to_big(&self) -> BigUint {
        self.bits.into()
    }
    #[inline(always)]
    fn to_u64(&self) -> u64 {
        self.bits.as_()
    }
}
