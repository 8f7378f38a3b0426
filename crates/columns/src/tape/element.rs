//! Machine integers as elements of columns.

/// The type of a column's elements, an unsigned machine integer. Truth values are bytes, 0 or ff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// 8 bits.
    U8,
    /// 16 bits.
    U16,
    /// 32 bits.
    U32,
    /// 64 bits.
    U64,
    /// 128 bits.
    U128,
}

impl Type {
    /// The narrowest type of at least `bits` bits; `bits` is at most 128.
    pub fn of(bits: u32) -> Type {
        match bits {
            0..=8 => Type::U8,
            9..=16 => Type::U16,
            17..=32 => Type::U32,
            33..=64 => Type::U64,
            _ => Type::U128,
        }
    }

    /// The width of this type in bits.
    pub fn bits(self) -> u32 {
        match self {
            Type::U8 => 8,
            Type::U16 => 16,
            Type::U32 => 32,
            Type::U64 => 64,
            Type::U128 => 128,
        }
    }

    /// A mask with ones in all bits of this type.
    pub(super) fn mask(self) -> u128 {
        u128::MAX >> (128 - self.bits())
    }
}

/// The operations on elements. All arithmetic is modulo 2^width, where `width` is the number of
/// bits of the type.
pub trait Element: Copy + Default + PartialEq + PartialOrd + Send + Sync + 'static {
    /// This type as a value of [`Type`].
    const TYPE: Type;
    /// The element that holds the low bits of `value`.
    fn of(value: u128) -> Self;
    /// The element as an unsigned number.
    fn number(self) -> u128;
    /// The element as a two's complement number.
    fn signed(self) -> i128;
    /// The element with all bits set if `truth` is ff, and with no bits set if `truth` is 0.
    fn filled(truth: u8) -> Self;
    /// Sum.
    fn add(self, other: Self) -> Self;
    /// Difference.
    fn sub(self, other: Self) -> Self;
    /// Product.
    fn mul(self, other: Self) -> Self;
    /// Bitwise conjunction.
    fn and(self, other: Self) -> Self;
    /// Bitwise disjunction.
    fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;
    /// Left shift by less than the width.
    fn shl_const(self, amount: u32) -> Self;
    /// Right shift by less than the width.
    fn shr_const(self, amount: u32) -> Self;
    /// Arithmetic right shift by less than the width, of a two's complement number.
    fn sar_const(self, amount: u32) -> Self;
    /// Left shift by any amount; 0 if the amount is the width or more.
    fn shl(self, amount: Self) -> Self;
    /// Right shift by any amount; 0 if the amount is the width or more.
    fn shr(self, amount: Self) -> Self;
    /// Arithmetic right shift of a two's complement number by any amount; only copies of the sign
    /// are left if the amount is the width or more.
    fn sar(self, amount: Self) -> Self;
    /// Whether this element is less than the other, both as two's complement numbers.
    fn is_below(self, other: Self) -> bool;
    /// The number of leading zeros.
    fn zeros(self) -> u8;
}

macro_rules! element {
    ($unsigned:ident, $signed:ident, $type:ident) => {
        impl Element for $unsigned {
            const TYPE: Type = Type::$type;
            #[inline(always)]
            fn of(value: u128) -> Self {
                value as $unsigned
            }
            #[inline(always)]
            fn number(self) -> u128 {
                self as u128
            }
            #[inline(always)]
            fn signed(self) -> i128 {
                self as $signed as i128
            }
            #[inline(always)]
            fn filled(truth: u8) -> Self {
                truth as i8 as $signed as $unsigned
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn shl_const(self, amount: u32) -> Self {
                self.wrapping_shl(amount)
            }
            #[inline(always)]
            fn shr_const(self, amount: u32) -> Self {
                self.wrapping_shr(amount)
            }
            #[inline(always)]
            fn sar_const(self, amount: u32) -> Self {
                (self as $signed).wrapping_shr(amount) as $unsigned
            }
            #[inline(always)]
            fn shl(self, amount: Self) -> Self {
                const BITS: $unsigned = $unsigned::BITS as $unsigned;
                let shifted = self << (amount & (BITS - 1));
                if amount < BITS { shifted } else { 0 }
            }
            #[inline(always)]
            fn shr(self, amount: Self) -> Self {
                const BITS: $unsigned = $unsigned::BITS as $unsigned;
                let shifted = self >> (amount & (BITS - 1));
                if amount < BITS { shifted } else { 0 }
            }
            #[inline(always)]
            fn sar(self, amount: Self) -> Self {
                let amount = amount.min($unsigned::BITS as $unsigned - 1);
                ((self as $signed) >> amount) as $unsigned
            }
            #[inline(always)]
            fn is_below(self, other: Self) -> bool {
                (self as $signed) < (other as $signed)
            }
            #[inline(always)]
            fn zeros(self) -> u8 {
                self.leading_zeros() as u8
            }
        }
    };
}

element!(u8, i8, U8);
element!(u16, i16, U16);
element!(u32, i32, U32);
element!(u64, i64, U64);
element!(u128, i128, U128);
