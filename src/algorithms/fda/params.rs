//! Parameters of the fused dot-add: every point on which units or readings of them differ.

use crate::float::{Format, NanCode, Rounding};

/// Whether products are brought to a leading one before they are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Products {
    /// Exact and not normalised: a significand in `[0, 4)` (mma-sim.txt §IV-C step 2).
    Exact,
    /// Exact and normalised: a significand in `[1, 2)`, or 0 (smt-formalization.txt, its code).
    Normalised,
}

/// What happens to bits that alignment shifts out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Align {
    /// The magnitude is cut.
    Trunc,
    /// The two's complement number is cut: rounded down.
    Floor,
}

/// How many integer bits the sum has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Carry {
    /// As many as it can need.
    Full,
    /// A sign, 1 + n integer bits and F fraction bits; it wraps beyond.
    Bits(u32),
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

/// Sign of the result where every summand is -0.
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
    /// Fraction bits kept when terms are aligned: `F`, 1 to 64.
    pub fraction_bits: u32,
    /// Format of the left factors.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Format of the accumulator in.
    pub c: Format,
    /// Format of the result.
    pub out: Format,
    /// Rounding of the result.
    pub rounding: Rounding,
    /// Fraction bits kept of the result.
    pub result_fraction: u32,
    /// Normalisation of products.
    pub products: Products,
    /// Cutting of aligned terms.
    pub align: Align,
    /// Width of the sum.
    pub carry: Carry,
    /// Exponent of zeros.
    pub zero: ZeroRule,
    /// Lower limit of the alignment exponent.
    pub min_exponent: Option<i32>,
    /// Exponent of a subnormal `c`.
    pub subnormal_c: SubnormalC,
    /// Sign of a sum of -0.
    pub negative_zeros: NegativeZeros,
    /// Code of a NaN result.
    pub nan: NanCode,
}
