//! A link that is operations of IEEE 754 on numbers of binary32: products, sums and fused multiply-adds in
//! an order, whose subnormal results may become zeros.

/// The steps of such a link. Each takes its operands off a stack of numbers, and puts its result there.
#[derive(Clone, Debug)]
pub struct FloatChain {
    pub(super) steps: Vec<FloatStep>,
}

/// The most numbers that are on the stack at a time.
pub(super) const MOST_NUMBERS: usize = 8;

#[derive(Clone, Debug)]
pub(super) enum FloatStep {
    /// `c`.
    Addend(TinyNumbers),
    Constant(u32),
    /// The product of an input of the left side and one of the right side.
    Product([usize; 2], TinyNumbers),
    /// Adds such a product, which is rounded first.
    RoundedProduct([usize; 2], TinyNumbers, TinyNumbers),
    /// Adds such products, one after the other, each in one fused operation.
    Products(Vec<[usize; 2]>, TinyNumbers),
    /// Adds two numbers.
    Sum(TinyNumbers),
    /// Adds two numbers, and rounds to odd.
    OddSum(TinyNumbers),
}

/// What becomes of numbers below the normal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TinyNumbers {
    Kept,
    /// The zero of their sign.
    SignedZero,
    /// +0.
    PlusZero,
    /// The zero of their sign, if they are tiny after rounding with unlimited exponents: a result that is
    /// a least normal number may have been.
    AfterRounding,
}

impl TinyNumbers {
    /// What becomes of them if another rule is applied to the result.
    pub(super) fn then(self, other: TinyNumbers) -> Option<TinyNumbers> {
        match (self, other) {
            (one, TinyNumbers::Kept) | (TinyNumbers::Kept, one) => Some(one),
            (one, TinyNumbers::SignedZero) => Some(one),
            (TinyNumbers::SignedZero | TinyNumbers::PlusZero, TinyNumbers::PlusZero) => {
                Some(TinyNumbers::PlusZero)
            }
            (_, TinyNumbers::PlusZero | TinyNumbers::AfterRounding) => None,
        }
    }
}
