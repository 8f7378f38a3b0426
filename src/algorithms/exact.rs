//! The exact sum, rounded once: a reference to compare with, and in a chain over groups the 16-bit
//! MFMA of CDNA1 (reported MI100 rows, arXiv:2609.14845 §4).

use super::fused::{Rounded, ZeroSign};
use super::terms::{
    Products, SubnormalC, TermLayout, TermRules, Terms, ZeroRule, highest_exponent,
};
use super::{Align, DotAdd, Fused, Grid, Operands, Signature, Stages, Step};
use crate::bits::Bv;
use crate::float::{Format, NanCode, Overflow, Rounding, unpack};

/// One correct rounding of `c + a[0]*b[0] + …`.
///
/// The terms are aligned to the largest exponent as those of FDA are, but in a register so wide
/// that nothing is cut: whatever a unit keeps of them is the same bits in a formula for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Format of the left factors.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Format of the accumulator in.
    pub c: Format,
    /// Format of the result.
    pub out: Format,
    /// Number of products.
    pub products: u32,
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
            scale: None,
            products: Products::Exact,
            zero: ZeroRule::Skip,
            zero_c: ZeroRule::Skip,
            subnormal_c: SubnormalC::Own,
            min_exponent: None,
        }
    }

    /// Bits behind the point of the aligned terms: the last place of the least term is one of
    /// them when the largest one has the greatest exponent.
    fn fraction_bits(&self, layout: &TermLayout) -> u32 {
        let product = highest_exponent(&self.a) + highest_exponent(&self.b);
        let highest = product.max(highest_exponent(&self.c));
        let distance = highest - i64::from(layout.exponent_offset);
        distance as u32 + layout.product_fraction.max(self.c.fraction_bits)
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
            scales: None,
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
    /// The stages of the one sum, which are not added to `stages`.
    pub(crate) fn sum<B: Bv>(
        &self,
        operands: Operands<'_, B>,
        stages: &mut Stages<B>,
    ) -> Box<Fused<B>> {
        let rules = self.rules();
        let layout = &TermLayout::of(&rules);
        let terms = Terms { rules, layout };
        let fraction_bits = self.fraction_bits(layout);
        let mut stage = stages.begin_fused(Grid {
            exponent_offset: layout.exponent_offset,
            term_fraction: layout.product_fraction,
            last_term: Some(("c", self.c.fraction_bits)),
            fraction_bits,
            result: Some(self.out),
            ..Grid::PRODUCTS
        });
        let addend = terms.addend(&unpack(&self.c, operands.c));
        stage.fill(terms.products(operands).chain([addend]));
        stage.add_up(Align::Trunc, layout.sum_width(self.products, fraction_bits));
        stage.finish(&Rounded {
            format: self.out,
            rounding: self.rounding,
            overflow: Overflow::Ieee,
            zero: ZeroSign::Ieee,
            nan: self.nan,
        });
        stage
    }
}
