//! The rules by which operands become terms.

use crate::numbers::float::Format;

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

/// The parameters of the terms of a fused sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::machines::algorithms) struct TermRules {
    pub a: Format,
    pub b: Format,
    pub c: Format,
    /// Format of block scales, which are powers of two; `None` where there are no scales.
    pub scale: Option<Format>,
    pub products: Products,
    /// Format that products are rounded to before they are aligned; `None` where they are exact.
    pub rounded: Option<Format>,
    /// The zero rule for factors, and the zero rule for `c`.
    pub zero: ZeroRule,
    pub zero_c: ZeroRule,
    pub subnormal_c: SubnormalC,
    /// Lower limit of the alignment exponent.
    pub min_exponent: Option<i32>,
}
