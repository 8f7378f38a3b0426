//! A reference to compare with: IEEE 754 operations in one accumulator format, in a stated order.

use mmasmt_numbers::float::{Format, NanCode, Rounding};

/// The order of the operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// `c + p0`, then `+ p1`, and so on; each product is rounded first.
    Sequential,
    /// As `Sequential`, but with fused multiply-adds: products are not rounded.
    SequentialFma,
    /// A chain of fused multiply-adds that starts with +0; its result is then added to `c`
    /// (HMMA.884 where the compiler emulates it).
    FmaThenAccumulator,
    /// The rounded products are summed pairwise (first half plus second half, each summed in the
    /// same way), and their sum is then added to `c`.
    Pairwise,
}

/// Products and sums by IEEE 754 operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ieee {
    /// Format of the left factors.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Format of the accumulator, of every intermediate result and of the result.
    pub accumulator: Format,
    /// Number of products.
    pub products: u32,
    /// Order of the operations.
    pub order: Order,
    /// Rounding of every operation.
    pub rounding: Rounding,
    /// Code of a NaN result.
    pub nan: NanCode,
}
