//! The common parts of FDRDA and GFDRDA: products that overflow, dot products without `c`, and the
//! late addition of `c`, a later step that rounds down (Xie et al. §IV-F, §IV-H).

mod addition;

use super::terms::{TermLayout, TermRules, Terms};
use super::{
    Align, Grid, Operands, Products, Signature, Stages, Step, SubnormalC, Summand, ZeroRule,
};
use crate::numbers::bits::{Bv, Prop};
use crate::numbers::float::{Format, NanCode, SpecialTerm, unsigned_width};

/// The form of the addition of the dot product and `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LateAdd {
    /// The dot product is cut to 31 fraction bits (Xie et al. §IV-F step 6).
    Cut31,
    /// The dot product is cut to 32 fraction bits, and the normalised total to 31
    /// (arXiv:2609.14845; four reported MI300 rows need it).
    Cut32Normalise31,
}

/// Treatment of a `c` far below the dot product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FarC {
    /// A far `c` is treated like any other `c`.
    Same,
    /// `c` is cut toward zero where its exponent is more than 25 below the largest (§IV-H step 8).
    Truncated,
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
    pub align: Align,
    /// The form of the addition of the dot product and `c`.
    pub late: LateAdd,
    /// The precedence between infinities of operands and infinities of products that overflow.
    pub infinities: Infinities,
    /// Exponent of zero factors; a zero `c` always has the exponent of its field.
    pub zero: ZeroRule,
    /// Code of a NaN result.
    pub nan: NanCode,
}

/// A dot product with the exponent that its products were aligned to.
pub(in crate::machines::algorithms) struct Dot<B: Bv> {
    /// The sum in two's complement.
    pub sum: B,
    pub exponent: B,
}

/// The unit common to FDRDA and GFDRDA: its parameters and the values derived from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::machines::algorithms) struct LateUnit {
    pub params: LateParams,
    rules: TermRules,
    layout: TermLayout,
    far_c: FarC,
}

const OUT: Format = Format::F32;

impl LateUnit {
    pub(in crate::machines::algorithms) fn new(params: LateParams, far_c: FarC) -> Self {
        let rules = TermRules {
            a: params.a,
            b: params.b,
            c: OUT,
            scale: None,
            products: Products::Exact,
            rounded: None,
            zero: params.zero,
            zero_c: ZeroRule::Raw,
            subnormal_c: SubnormalC::Own,
            min_exponent: None,
        };
        LateUnit {
            params,
            rules,
            layout: TermLayout::of(&rules),
            far_c,
        }
    }

    fn terms(&self) -> Terms<'_> {
        Terms {
            rules: self.rules,
            layout: &self.layout,
        }
    }

    pub(in crate::machines::algorithms) fn signature(&self) -> Signature {
        Signature {
            a: self.params.a,
            b: self.params.b,
            c: OUT,
            d: OUT,
            products: self.params.products,
            scales: None,
        }
    }

    /// The products, each with the exponent that it is aligned by.
    pub(in crate::machines::algorithms) fn products<B: Bv>(
        &self,
        operands: Operands<'_, B>,
    ) -> Vec<(Summand<B>, B)> {
        self.terms().products(operands).collect()
    }

    /// The exact sum of products that are aligned to their largest exponent and cut.
    pub(in crate::machines::algorithms) fn dot<'p, B: Bv + 'p>(
        &self,
        products: impl Iterator<Item = &'p (Summand<B>, B)>,
        grid: Grid,
        stages: &mut Stages<B>,
    ) -> Dot<B> {
        let kept = self.params.fraction_bits;
        let grid = Grid {
            term_fraction: self.layout.product_fraction,
            ..grid
        };
        let count = self.params.products as usize;
        let width = unsigned_width(count as u64 * self.layout.product_limit - 1) + kept + 1;
        self.sum(Align::Trunc, products.cloned(), grid, width, stages)
    }

    /// The sum of two dot products that are aligned to the larger exponent and rounded down.
    pub(in crate::machines::algorithms) fn both<B: Bv>(
        &self,
        dots: &[Dot<B>; 2],
        stages: &mut Stages<B>,
    ) -> Dot<B> {
        let grid = Grid {
            what: "both dot products",
            term: "dot",
            term_fraction: self.params.fraction_bits,
            ..Grid::PRODUCTS
        };
        let width = dots[0].sum.width().max(dots[1].sum.width()) + 1;
        let terms = dots
            .iter()
            .map(|dot| (dot_term(&dot.sum), dot.exponent.clone()));
        self.sum(self.params.align, terms, grid, width, stages)
    }

    /// The exact sum of terms that are aligned to their largest exponent and cut to F fraction
    /// bits.
    fn sum<B: Bv>(
        &self,
        rule: Align,
        terms: impl Iterator<Item = (Summand<B>, B)>,
        grid: Grid,
        width: u32,
        stages: &mut Stages<B>,
    ) -> Dot<B> {
        let mut stage = stages.begin_fused(Grid {
            exponent_offset: self.layout.exponent_offset,
            fraction_bits: self.params.fraction_bits,
            ..grid
        });
        stage.fill(terms);
        stage.add_up(rule, width);
        let dot = Dot {
            sum: stage.sum.clone(),
            exponent: stage.max_exponent.clone(),
        };
        stages.push(Step::Fused(stage));
        dot
    }
}

/// A dot product as a term with sign and magnitude.
fn dot_term<B: Bv>(sum: &B) -> Summand<B> {
    let sign = sum.msb();
    let no = B::Bool::constant(false);
    Summand {
        significand: sum.neg_if(&sign),
        zero: sum.is_zero(),
        special: SpecialTerm {
            nan: no.clone(),
            infinite: no,
            sign,
        },
    }
}
