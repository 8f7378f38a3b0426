//! Parameters of the fused dot-add: every point in which units, or descriptions of a unit, differ.

use crate::machines::algorithms::terms::TermRules;
use crate::machines::algorithms::{
    Align, BlockScales, FlushedResults, Products, SubnormalC, SumOverflow, ZeroRule,
};
use crate::numbers::float::{Format, NanCode, Rounding};

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
    pub align: Align,
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

impl Params {
    /// The format that the sum is rounded or cut to first.
    #[inline(always)]
    pub(in crate::machines::algorithms) fn sum_format(&self) -> Format {
        self.via.unwrap_or_else(|| self.result_format())
    }

    /// The format of the result, with as many fraction bits as are kept.
    #[inline(always)]
    pub(in crate::machines::algorithms) fn result_format(&self) -> Format {
        self.out.with_fraction(self.result_fraction)
    }

    /// The parameters that concern the terms.
    #[inline(always)]
    pub(super) fn term_rules(&self) -> TermRules {
        TermRules {
            a: self.a,
            b: self.b,
            c: self.c,
            scale: self.scales.map(|scales| scales.format),
            products: self.products,
            rounded: self.rounded_products,
            zero: self.zero,
            zero_c: self.zero,
            subnormal_c: self.subnormal_c,
            min_exponent: self.min_exponent,
        }
    }
}
