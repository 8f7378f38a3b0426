//! Parameters of the fused dot-add: every point in which units, or descriptions of a unit, differ.

use mmasmt_core::machines::algorithms::SumOverflow;
use mmasmt_core::machines::algorithms::{BlockScales, FlushedResults};
use mmasmt_numbers::float::{Format, NanCode, Rounding};

/// Whether products are normalised, to a leading one, before they are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Products {
    /// Exact and not normalised: a significand in `[0, 4)` (Xie et al. §IV-C step 2).
    Exact,
    /// Exact and normalised: a significand in `[1, 2)`, or 0 (the code of Valpey et al.).
    Normalised,
}

/// The exponent of a zero in the search for the largest exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZeroRule {
    /// No exponent: zero products and a zero `c` are left out of the search.
    Skip,
    /// The exponent that the exponent field of the zero means, as for a subnormal number
    /// (Xie et al. §IV-C, text).
    Raw,
    /// The exponent -126 for a zero operand of every format; it takes part in the search (MMA-Sim's
    /// code).
    Min,
}

/// The exponent of a subnormal `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubnormalC {
    /// The least exponent of the format of `c`.
    Own,
    /// The exponent of the leading one of `c`, as if `c` had been converted to f32 first.
    Widened,
}

/// The number of integer bits of the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Carry {
    /// As many integer bits as the sum can need.
    Full,
    /// A sign, 1 + n integer bits and F fraction bits; n is the number given here.
    Bits(u32),
}

/// The sign of a result if every summand is -0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NegativeZeros {
    /// +0.
    Plus,
    /// -0.
    Minus,
}

/// All parameters of a fused dot-add.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    /// Products in one fused operation: `K`.
    pub products_per_sum: u32,
    /// Fraction bits that alignment keeps of terms: `F`, 1 to 64.
    pub fraction_bits: u32,
    /// Format of the left factors.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Block scales of both factors, powers of two.
    pub scales: Option<BlockScales>,
    /// Format of the accumulator operand `c`.
    pub c: Format,
    /// Format of the result.
    pub out: Format,
    /// Rounding of the result.
    pub rounding: Rounding,
    /// Number of fraction bits to which the result is rounded; its further fraction bits are zeros.
    pub result_fraction: u32,
    /// Format that the sum is cut to before the result is rounded from it; `None` if the sum itself
    /// is rounded.
    pub via: Option<Format>,
    /// Normalisation of products.
    pub products: Products,
    /// Format that products are rounded to (to nearest, ties to even) before they are aligned.
    pub rounded_products: Option<Format>,
    /// The way in which aligned terms are cut.
    pub align: Rounding,
    /// Whether a one that alignment shifts out of any term sets a sticky bit below the sum.
    pub sticky: bool,
    /// Width of the sum.
    pub carry: Carry,
    /// Treatment of a sum that does not fit its width.
    pub overflow: SumOverflow,
    /// The results below the normal numbers that become zeros of their sign.
    pub results: FlushedResults,
    /// Exponent of a zero term in the search for the largest exponent.
    pub zero: ZeroRule,
    /// Lower limit of the alignment exponent.
    pub min_exponent: Option<i32>,
    /// Exponent of a subnormal `c`.
    pub subnormal_c: SubnormalC,
    /// Sign of the result if every summand is -0.
    pub negative_zeros: NegativeZeros,
    /// Code of a NaN result.
    pub nan: NanCode,
}
