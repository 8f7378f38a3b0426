//! FDA, the fused dot-add of NVIDIA tensor cores: all terms are aligned to the largest exponent,
//! cut, summed exactly and rounded once (Xie et al. §IV-C, whose steps 0 to 5 are named below).

mod layout;
mod params;

pub use super::{Align, FlushedResults, Products, SubnormalC, SumOverflow, ZeroRule};
pub use params::{Carry, NegativeZeros, Params};

use super::fused::{Rounded, ZeroSign, kept};
use super::terms::{BlockScale, Terms};
use super::{DotAdd, Fused, Operands, Signature, Stages, Step, Summand};
use crate::numbers::bits::Bv;
use crate::numbers::float::{
    Arithmetic, Format, NanCode, Overflow, Rounding, ieee_multiply, narrow, unpack,
};
use layout::Layout;

/// A fused dot-add with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fda {
    params: Params,
    layout: Layout,
}

impl Fda {
    /// The fused dot-add with these parameters.
    pub fn new(params: Params) -> Self {
        Fda {
            params,
            layout: Layout::of(&params),
        }
    }

    /// The parameters of this fused dot-add.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Step 4: limits the sum to the width that the unit keeps.
    #[inline(always)]
    fn keep<B: Bv>(&self, sum: &mut B) {
        let Some(width) = self.layout.kept_width else {
            return;
        };
        *sum = kept(sum, width, self.params.overflow);
    }

    /// The rules of step 5: the sum is rounded to the format of the result, or cut to an
    /// intermediate format from which the result is rounded later.
    #[inline(always)]
    fn rounded(&self) -> Rounded {
        Rounded {
            format: self.params.sum_format(),
            rounding: match self.params.via {
                Some(_) => Rounding::Rz,
                None => self.params.rounding,
            },
            overflow: Overflow::Infinity,
            flushed: self.params.results,
            zero: match self.params.negative_zeros {
                NegativeZeros::Plus => ZeroSign::Plus,
                NegativeZeros::Minus => ZeroSign::SharedByZeros,
            },
            nan: self.params.nan,
        }
    }

    /// If the parameters that the inner loops read have their most common values: the same dot-add,
    /// with constants for these parameters, so that the compiler specialises the loops. Otherwise
    /// `None`.
    #[inline(always)]
    fn common(&self) -> Option<Fda> {
        let params = Params {
            a: Format::F16,
            b: Format::F16,
            products: Products::Exact,
            rounded_products: None,
            align: Align::Trunc,
            zero: ZeroRule::Skip,
            scales: None,
            ..self.params
        };
        let is_common = self.params.a.has_layout_of(&params.a)
            && self.params.b.has_layout_of(&params.b)
            && self.params.products == params.products
            && self.params.rounded_products == params.rounded_products
            && self.params.align == params.align
            && self.params.zero == params.zero
            && self.params.scales == params.scales;
        let layout = self.layout;
        is_common.then_some(Fda { params, layout })
    }

    /// Computes steps 0 to 5 of the fused dot-add in `stage`. If products are rounded before the
    /// sum, `rounded` holds their registers.
    #[inline(always)]
    fn fused<B: Bv>(&self, operands: Operands<'_, B>, rounded: &[B], stage: &mut Fused<B>) {
        let Params { a, b, c, .. } = &self.params;
        let layout = &self.layout.terms;
        let rules = self.params.term_rules();
        let terms = Terms { rules, layout };

        // Steps 0 to 2: unused low bits are dropped, special values noted, products formed. The
        // vectors get their final length first, so that no product has to test their capacity.
        let products = operands.a.len();
        let limits = usize::from(layout.exponent_limit.is_some());
        stage.terms.resize(products + 1, Summand::none());
        stage.exponents.resize(products + 1 + limits, B::lit(1, 0));
        let filled = stage.terms.iter_mut().zip(&mut stage.exponents);
        let factors = operands.a.iter().zip(operands.b);
        match (self.params.rounded_products, self.params.scales) {
            (Some(_), _) => {
                let products = terms.rounded_products(rounded);
                filled
                    .zip(products)
                    .for_each(|((term, exponent), product)| (*term, *exponent) = product);
            }
            (None, None) => {
                for ((term, exponent), (x, y)) in filled.zip(factors) {
                    (*term, *exponent) = terms.product(&unpack(a, x), &unpack(b, y), None);
                }
            }
            (None, Some(scales)) => {
                let pairs = operands.a_scales.iter().zip(operands.b_scales);
                let scale = |(x, y)| terms.block_scale(&scales.format, x, y);
                let scales_of_blocks: Vec<BlockScale<B>> = pairs.map(scale).collect();
                for (k, ((term, exponent), (x, y))) in filled.zip(factors).enumerate() {
                    let scale = &scales_of_blocks[k / scales.block as usize];
                    (*term, *exponent) = terms.product(&unpack(a, x), &unpack(b, y), Some(scale));
                }
            }
        }
        (stage.terms[products], stage.exponents[products]) = terms.addend(&unpack(c, operands.c));

        // Steps 3 to 5: alignment to the largest exponent, the sum, its rounding; and the special
        // values that step 1 noted.
        if let Some(limit) = layout.exponent_limit {
            stage.exponents[products + 1] = B::lit(layout.exponent_width, limit);
        }
        stage.add_up(self.params.align, self.layout.sum_width);
        if self.params.sticky {
            stage.keep_sticky();
        }
        self.keep(&mut stage.sum);
        stage.finish(&self.rounded());
    }

    /// The registers of the products, each rounded to `format`.
    fn rounded_products<B: Bv>(
        &self,
        format: &Format,
        operands: Operands<'_, B>,
        stages: &mut Stages<B>,
    ) -> Vec<B> {
        let Params { a, b, .. } = &self.params;
        let to = Arithmetic {
            format: *format,
            rounding: Rounding::Rne,
            nan: NanCode::Quiet,
        };
        let factors = operands.a.iter().zip(operands.b).enumerate();
        let products = factors.map(|(k, (x, y))| {
            let product = ieee_multiply(&to, [a, b], x, y);
            stages.push(Step::Rounded {
                what: "product",
                index: Some(k),
                format: *format,
                value: product.clone(),
            });
            product
        });
        products.collect()
    }

    /// The result if the sum was first cut to the wider format `wide`: the register `cut` of that
    /// format is rounded (Valpey et al. Algorithm 1, steps 6 to 8).
    fn round_again<B: Bv>(&self, wide: &Format, cut: &B, stages: &mut Stages<B>) -> B {
        let format = self.params.result_format();
        let result = narrow(wide, &format, self.params.rounding, self.params.nan, cut);
        stages.push(Step::Rounded {
            what: "rounded again",
            index: None,
            format,
            value: result.clone(),
        });
        result
    }
}

impl DotAdd for Fda {
    fn signature(&self) -> Signature {
        let Params {
            a,
            b,
            c,
            out,
            products_per_sum,
            scales,
            ..
        } = self.params;
        Signature {
            a,
            b,
            c,
            d: out,
            products: products_per_sum,
            scales,
        }
    }

    fn nan(&self) -> NanCode {
        self.params.nan
    }

    #[inline]
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let rounded = match &self.params.rounded_products {
            None => Vec::new(),
            Some(format) => self.rounded_products(format, operands, stages),
        };
        let mut stage = stages.begin_fused(self.layout.grid);
        match self.common() {
            Some(common) if B::IS_WORD => common.fused(operands, &rounded, &mut stage),
            _ => self.fused(operands, &rounded, &mut stage),
        }
        let result = stage.result.clone();
        stages.push(Step::Fused(stage));
        match &self.params.via {
            Some(wide) => self.round_again(wide, &result, stages),
            None => result,
        }
    }
}
