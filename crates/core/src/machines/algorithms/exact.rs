//! The exact sum, rounded once: a reference for comparisons. A chain of exact sums, each over a
//! group of products, models the 16-bit MFMA of CDNA1 (reported MI100 rows, arXiv:2609.14845 §4).

use super::fused::{Rounded, ZeroSign};
use super::terms::{
    Products, SubnormalC, TermLayout, TermRules, Terms, ZeroRule, highest_exponent,
};
use super::{
    Align, BlockScales, DotAdd, FlushedResults, Fused, Grid, Operands, Signature, Stages, Step,
    Summand,
};
use crate::numbers::bits::{Bv, Prop, mux};
use crate::numbers::float::{Format, NanCode, Overflow, Rounding, unpack};

/// The sum `c + a[0]*b[0] + …`, rounded correctly once.
///
/// The terms are aligned to the largest exponent, as in FDA, but in a register so wide that nothing
/// is cut. A formula that compares this sum with a unit can therefore use the same bits for the
/// terms in the sum as in the unit, as far as the unit keeps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Format of the left factors.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Format of the accumulator operand `c`.
    pub c: Format,
    /// Format of the result.
    pub out: Format,
    /// Number of products.
    pub products: u32,
    /// Block scales of both factors.
    pub scales: Option<BlockScales>,
    /// Rounding of the result.
    pub rounding: Rounding,
    /// Code of a NaN result.
    pub nan: NanCode,
}

impl Exact {
    fn rules(&self) -> TermRules {
        TermRules {
            a: self.a,
            b: self.b,
            c: self.c,
            scale: self.scales.map(|scales| scales.format),
            products: Products::Exact,
            rounded: None,
            zero: ZeroRule::Skip,
            zero_c: ZeroRule::Skip,
            subnormal_c: SubnormalC::Own,
            min_exponent: None,
        }
    }

    /// Fraction bits of the aligned terms: enough to keep the last place of the least possible term
    /// where the largest term has the greatest possible exponent.
    fn fraction_bits(&self, layout: &TermLayout) -> u32 {
        let scales = self.scales.map_or(0, |s| 2 * highest_exponent(&s.format));
        let product = highest_exponent(&self.a) + highest_exponent(&self.b) + scales;
        let highest = product.max(highest_exponent(&self.c));
        let distance = highest - i64::from(layout.exponent_offset);
        distance as u32 + self.product_fraction(layout).max(self.c.fraction_bits)
    }

    /// Fraction bits of a product's significand, including those of its scales.
    fn product_fraction(&self, layout: &TermLayout) -> u32 {
        let scales = self.scales.map_or(0, |s| 2 * s.format.fraction_bits);
        layout.product_fraction + scales
    }

    /// The exclusive upper limit of a product's significand. The significands of factors and of
    /// scales are below 2; a scale that is a power of two has the significand 1.
    pub fn product_limit(&self) -> u32 {
        match self.scales {
            Some(scales) if scales.format.fraction_bits > 0 => 16,
            _ => 4,
        }
    }

    /// The exact products of factors and of their scales, each with its exponent.
    fn products<B: Bv>(
        &self,
        terms: &Terms<'_>,
        scales: BlockScales,
        operands: Operands<'_, B>,
    ) -> Vec<(Summand<B>, B)> {
        let format = &scales.format;
        let blocks = operands.a_scales.iter().zip(operands.b_scales);
        let blocks: Vec<_> = blocks
            .map(|(x, y)| {
                let exponent = terms.block_scale(format, x, y);
                let (x, y) = (unpack(format, x), unpack(format, y));
                let significand = x.significand.mul_wide(&y.significand);
                (exponent, significand, x.zero.or(&y.zero))
            })
            .collect();
        let factors = operands.a.iter().zip(operands.b).enumerate();
        let products = factors.filter_map(|(k, (x, y))| {
            let (scale, significand, zero) = blocks.get(k / scales.block as usize)?;
            let (x, y) = (unpack(&self.a, x), unpack(&self.b, y));
            let (mut summand, exponent) = terms.product(&x, &y, Some(scale));
            summand.significand = summand.significand.mul_wide(significand);
            summand.zero = summand.zero.or(zero);
            let none = B::lit(exponent.width(), 0);
            Some((summand, mux(zero, &none, &exponent)))
        });
        products.collect()
    }
}

impl DotAdd for Exact {
    fn signature(&self) -> Signature {
        Signature {
            a: self.a,
            b: self.b,
            c: self.c,
            d: self.out,
            products: self.products,
            scales: self.scales,
        }
    }

    fn nan(&self) -> NanCode {
        self.nan
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let stage = self.sum(operands, stages);
        let result = stage.result.clone();
        stages.push(Step::Fused(stage));
        result
    }
}

impl Exact {
    /// Computes the exact sum and its rounding, and returns the stages of both. They are not
    /// recorded in `stages`; the caller may do that.
    pub fn sum<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> Box<Fused<B>> {
        let rules = self.rules();
        let layout = &TermLayout::of(&rules);
        let terms = Terms { rules, layout };
        let fraction_bits = self.fraction_bits(layout);
        let mut stage = stages.begin_fused(Grid {
            exponent_offset: layout.exponent_offset,
            term_fraction: self.product_fraction(layout),
            last_term: Some(("c", self.c.fraction_bits)),
            fraction_bits,
            result: Some(self.out),
            ..Grid::PRODUCTS
        });
        let addend = terms.addend(&unpack(&self.c, operands.c));
        match self.scales {
            None => stage.fill(terms.products(operands).chain([addend])),
            Some(scales) => {
                let products = self.products(&terms, scales, operands);
                stage.fill(products.into_iter().chain([addend]));
            }
        }
        let limit = u64::from(self.products) * u64::from(self.product_limit());
        stage.add_up(Align::Trunc, layout.width_below(limit + 2, fraction_bits));
        stage.finish(&Rounded {
            format: self.out,
            rounding: self.rounding,
            overflow: Overflow::Ieee,
            flushed: FlushedResults::Kept,
            zero: ZeroSign::Ieee,
            nan: self.nan,
        });
        stage
    }
}
