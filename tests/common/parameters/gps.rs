//! GPS, group-pairwise-sum (Xie et al. §IV-B, Algorithm 3): 16-bit MFMA of CDNA2.

use mmasmt_numbers::float::{Format, NanCode};

/// Treatment of subnormal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subnormals {
    /// Operands that are subnormal in their own format (in f16: below 2^-14) become +0; subnormal
    /// results become the zero of their sign (MMA-Sim's code).
    Flush,
    /// As `Flush`, except that only operands below 2^-126 become +0 (Xie et al. Algorithm 3).
    FlushBelowF32,
    /// Subnormal numbers are treated like any other numbers.
    Keep,
}

/// The operation that computes a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProductForm {
    /// `a * b`.
    Multiply,
    /// `fma(a, b, +0)`: a product of -0 becomes +0 (MMA-Sim's code for CDNA1 and CDNA2).
    FmaZero,
}

/// Products in f32, summed pairwise in groups; the group sums are added to `c` in sequence. All
/// operations are those of IEEE 754 in f32, rounded to nearest even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gps {
    /// Format of `a` and `b`.
    pub factors: Format,
    /// Number of products, a multiple of `group`.
    pub products: u32,
    /// Products in a group: G, a power of two.
    pub group: u32,
    /// Treatment of subnormal numbers.
    pub subnormals: Subnormals,
    /// The operation that computes a product.
    pub product_form: ProductForm,
    /// Code of a NaN result.
    pub nan: NanCode,
}
