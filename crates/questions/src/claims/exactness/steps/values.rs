//! The values of a walk: factors, scales, products, and sums as sets of numbers.

use super::super::operand::OperandValues;
use super::super::sum::Sum;
use super::super::terms::ZeroRule;
use super::super::terms::{GridTerm as OnGrid, exponent_of, product_term};
use super::super::units::Product;
use mmasmt_core::machines::algorithms::descriptions::{Extent, SumZeros};
use mmasmt_numbers::float::Format;

/// A value of the walk.
#[derive(Clone)]
pub enum ExactnessValue {
    Factor(Factor),
    Scale(Scale),
    /// Products, each of which still lacks scales; several are the exact sum of a group.
    Products(Products),
    /// Some bits of a factor.
    Part(FactorBits),
    /// A product of parts of two factors.
    PartOfProduct(ProductPart),
    /// A register that is no factor.
    Register(Register),
    /// A number, as a term of a sum on a grid.
    Number(OnGrid),
    /// The number of a register that may be all that is left of a sum.
    Addend(Addend),
    /// A fused sum.
    Fused(FusedSum),
    Unknown,
}

#[derive(Clone)]
pub struct Factor {
    pub side: usize,
    pub index: usize,
    pub operand: OperandValues,
    pub format: Format,
    pub rule: ZeroRule,
    pub loses_sign: bool,
}

#[derive(Clone, Copy)]
pub struct Scale {
    pub(super) side: usize,
    pub(super) index: usize,
    pub(super) rule: ZeroRule,
}

#[derive(Clone)]
pub struct Products {
    pub(super) all: Vec<Product>,
    pub(super) formats: [Format; 2],
    pub(super) rule: ZeroRule,
    /// The number that normalisation adds to the exponent.
    pub(super) up: u32,
    pub(super) loses_sign: bool,
    /// The rule of the scales of each side, once they are there.
    pub(super) scaled: [Option<ZeroRule>; 2],
    /// When an exact sum of a group has no exponent; `None` for one product.
    pub(super) group: Option<SumZeros>,
}

#[derive(Clone)]
pub struct Register {
    pub sum: Sum,
    /// The sum before it was rounded to odd: a later rounding to fewer bits gives the same as if it rounded this sum.
    pub before: Option<Sum>,
}

/// Bits of a factor, from the lowest to the one above the highest.
#[derive(Clone)]
pub struct FactorBits {
    pub(super) of: Factor,
    pub(super) bits: [u32; 2],
    /// The factor as all that it has, if these bits are.
    pub(super) alone: Option<Factor>,
}

#[derive(Clone)]
pub struct ProductPart {
    /// The product of the whole factors.
    pub(super) of: Products,
    /// The bits of each factor.
    pub(super) bits: [[u32; 2]; 2],
    /// The product, if it is known by itself.
    pub alone: Option<Products>,
}

#[derive(Clone)]
pub struct Addend {
    pub term: OnGrid,
    /// The least exponent of a number that is not zero.
    pub least: i64,
    /// The number that was added to the exponent of the leading bit, or to the least one; `None` for integers, which have one
    /// exponent.
    pub shift: Option<i64>,
}

#[derive(Clone)]
pub struct FusedSum {
    /// The exact sum, if nothing is cut.
    pub exact: Option<OnGrid>,
    pub alone: Option<LoneAddend>,
    pub within: Option<Bounds>,
}

/// A number of at least `-2^top` and below `2^top`, with this exponent at most if it has one.
#[derive(Clone, Copy)]
pub struct Bounds {
    pub top: Option<i64>,
    pub exponent: Option<i64>,
}

/// A fused sum of which nothing but one addend is left, if what the other terms add up to, which is
/// below `2^top`, is rounded to zero.
#[derive(Clone)]
pub struct LoneAddend {
    pub addend: Sum,
    pub top: i64,
    /// How far from the addend the sum may lie where that is no zero.
    pub off: Option<Distance>,
}

/// At most `units * 2^(e - places)`, where the leading bit of the number, or the lowest one that counts, has the exponent e.
#[derive(Clone, Copy)]
pub struct Distance {
    pub units: u32,
    pub places: i64,
    /// The exponent below which no leading bit counts.
    pub least: i64,
    /// Whether the sum is the greater magnitude.
    pub away: bool,
}

impl ExactnessValue {
    /// A register with nothing before it.
    pub(super) fn register(sum: Sum) -> ExactnessValue {
        ExactnessValue::Register(Register { sum, before: None })
    }
}

impl Products {
    /// The exact sum, if all scales are there.
    pub(super) fn exact(&self) -> Option<Sum> {
        let has_scales = self.all.iter().any(|product| product.scales.is_some());
        if has_scales && self.scaled.iter().any(Option::is_none) {
            return None;
        }
        let sum = self.all.iter().map(Product::exact).reduce(Sum::plus)?;
        let is_unknown = self.loses_sign && self.all.iter().any(Product::may_be_zero);
        // A sum that is scaled has one sign: that of a sum of zero is plus.
        if self.group.is_some() && has_scales && !is_unknown {
            let mut scales = self
                .all
                .iter()
                .flat_map(|product| product.scales.iter().flatten());
            let may_vanish = scales.any(|(scale, _)| scale.zero);
            return Some(match may_vanish && sum.negative {
                true => sum.with_unknown_zero(),
                false => sum.with_plus_zero(),
            });
        }
        Some(if is_unknown {
            sum.with_unknown_zero()
        } else {
            sum
        })
    }

    /// The sum as a term on a grid.
    pub fn on_grid(&self, extent: &Extent) -> Option<OnGrid> {
        let sum = self.exact()?;
        let Some(zeros) = self.group else {
            let [a, b] = &self.formats;
            let of_scales = self.scaled.map(|rule| rule.unwrap_or(ZeroRule::Skip));
            let rules = (self.rule, of_scales);
            let term = product_term(self.all.first()?, [a, b], rules, self.up);
            return Some(OnGrid { sum, ..term });
        };
        let mut exponent = 0;
        let mut places = None;
        match self.all.first()?.scales.as_ref() {
            None => places = u32::try_from(extent.fraction).ok(),
            Some(scales) => {
                for ((scale, format), rule) in scales.iter().zip(self.scaled) {
                    exponent += exponent_of(scale, format, rule?);
                }
            }
        }
        let takes_part = zeros != SumZeros::None || !sum.values.is_zero();
        Some(OnGrid {
            sum,
            exponent: takes_part.then_some(exponent),
            fraction: places,
        })
    }
}
