//! The rules by which operands become terms.

use crate::numbers::float::Format;

/// Whether products are brought to a leading one before they are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Products {
    /// Exact and not normalised: a significand in `[0, 4)` (mma-sim.txt §IV-C step 2).
    Exact,
    /// Exact and normalised: a significand in `[1, 2)`, or 0 (smt-formalization.txt, its code).
    Normalised,
}

/// Which exponent a zero has when the largest one is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZeroRule {
    /// None: zero products and a zero `c` are left out.
    Skip,
    /// That of its bit field, as for a subnormal number (mma-sim.txt §IV-C, text).
    Raw,
    /// A zero operand has -126 in every format, and takes part (MMA-Sim's code).
    Min,
}

/// Which exponent a subnormal `c` has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubnormalC {
    /// The least of its format.
    Own,
    /// That of its leading one, as if it had been converted to f32 first.
    Widened,
}

/// The parameters of the terms of a fused sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::machines::algorithms) struct TermRules {
    pub a: Format,
    pub b: Format,
    pub c: Format,
    /// Format of block scales, a power of two; none where there are no scales.
    pub scale: Option<Format>,
    pub products: Products,
    /// Format that products are rounded to first; none where they are exact.
    pub rounded: Option<Format>,
    /// For factors and for `c`.
    pub zero: ZeroRule,
    pub zero_c: ZeroRule,
    pub subnormal_c: SubnormalC,
    /// Lower limit of the alignment exponent.
    pub min_exponent: Option<i32>,
}
