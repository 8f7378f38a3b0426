//! GDFS, group-dot-fused-sum (Xie et al. §IV-E): the algorithm of OMMA and UTCOMMA for FP4 with
//! block scales.

use super::fda::ZeroRule;
use mmasmt_core::machines::algorithms::BlockScales;
use mmasmt_numbers::float::{Format, NanCode};

/// Dot products of groups of 16, exact and in fixed point. Each group is scaled, and all groups are
/// summed with `c` as in a fused dot-add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gdfs {
    /// Format of the left factors: a small format without infinities and NaNs.
    pub a: Format,
    /// Format of the right factors: also a small format without infinities and NaNs.
    pub b: Format,
    /// The block scales; a block has one or more whole groups.
    pub scales: BlockScales,
    /// Number of products, a multiple of the length of a block.
    pub products: u32,
    /// Products in a group: 16.
    pub group: u32,
    /// Fraction bits that alignment keeps of groups and of `c`: F.
    pub fraction_bits: u32,
    /// Exponent of a zero group, of a zero scale factor and of a zero `c`.
    pub zero: ZeroRule,
    /// Exponent of a group whose nonzero products cancel, under [`ZeroRule::Skip`].
    pub cancelled: Cancelled,
    /// Lower limit of the alignment exponent.
    pub min_exponent: Option<i32>,
    /// Code of a NaN result.
    pub nan: NanCode,
}

/// The exponent of a group whose products add up to zero without all being zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cancelled {
    /// The exponent of a zero group: no exponent under [`ZeroRule::Skip`].
    Zero,
    /// The sum of the exponents of the group's two scale factors (MMA-Sim 2.1.1).
    Scales,
}
