//! The parameters of FDRDA and GFDRDA: dot products without `c`, and the late addition of `c`, a later step that rounds
//! down (Xie et al. §IV-F, §IV-H).

use super::fda::ZeroRule;
use mmasmt_numbers::float::{Format, NanCode, Rounding};

/// The form of the addition of the dot product and `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LateAdd {
    /// The dot product is cut to 31 fraction bits (Xie et al. §IV-F step 6).
    Cut31,
    /// The dot product is cut to 32 fraction bits, and the normalised total to 31
    /// (arXiv:2609.14845; four reported MI300 rows need it).
    Cut32Normalise31,
}

/// The precedence between infinities among the operands and infinities of products that overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Infinities {
    /// No precedence: infinities of both signs give a NaN, whatever their origin (MMA-Sim 2.1.1).
    Together,
    /// Infinities among the operands come first: an overflow counts only if no operand is infinite
    /// (Xie et al. §IV-F step 2).
    OperandsFirst,
}

/// Parameters of a dot product with a late addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateParams {
    /// Format of the left factors.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Products in one operation.
    pub products: u32,
    /// Fraction bits that are kept of products and of `c`: F.
    pub fraction_bits: u32,
    /// The way in which terms are cut in the sum of two dot products and in the sum with `c`. Both
    /// sums usually round down.
    pub align: Rounding,
    /// The form of the addition of the dot product and `c`.
    pub late: LateAdd,
    /// The precedence between infinities of operands and infinities of products that overflow.
    pub infinities: Infinities,
    /// Exponent of zero factors; a zero `c` always has the exponent of its field.
    pub zero: ZeroRule,
    /// Code of a NaN result.
    pub nan: NanCode,
}
