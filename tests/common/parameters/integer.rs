//! Integers: the exact sum of products and `c`, converted once to the accumulator's format, by
//! wrapping or by saturation.

use mmasmt_core::machines::algorithms::SumOverflow;
use mmasmt_numbers::float::Format;

/// The contribution of a pair of factors to the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// The product of the factors; for bits, this is AND.
    Product,
    /// 1 where two bits differ, else 0 (`mma … .b1 … .xor.popc`).
    Xor,
}

/// `d = c + a[0]*b[0] + a[1]*b[1] + ...` of integers. In a chain, the sum of every link is exact,
/// and the result of every link is converted to the accumulator's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerDot {
    /// Format of `a`.
    pub a: Format,
    /// Format of `b`.
    pub b: Format,
    /// Format of `c` and of the result.
    pub accumulator: Format,
    /// Number of products.
    pub products: u32,
    /// The contribution of a pair of factors to the sum.
    pub pairing: Pairing,
    /// Treatment of a sum that the accumulator does not hold.
    pub overflow: SumOverflow,
}
