//! FDA, the fused dot-add of NVIDIA tensor cores: all terms are aligned to the largest exponent,
//! cut, summed exactly and rounded once (mma-sim.txt §IV-C; shared readings in its steps 0 to 5).

mod layout;
mod params;

pub use params::{Align, Carry, NegativeZeros, Params, Products, SubnormalC, ZeroRule};

use super::{DotAdd, Fused, Operands, Signature, Stages, Step, Summand};
use crate::bits::{Bv, Prop, mux};
use crate::float::{
    Format, Overflow, SpecialTerm, Unpacked, Unrounded, round, special_or_finite, unpack,
};
use layout::{Fields, Layout};

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

    /// Its parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Step 2: the exact product, its exponent the sum of the factors' exponents.
    #[inline(always)]
    fn product<B: Bv>(&self, a: &Unpacked<B>, b: &Unpacked<B>) -> (Summand<B>, B) {
        let Layout {
            exponent_width,
            product_width,
            ..
        } = self.layout;
        let zero = a.zero.or(&b.zero);
        let exponent = self
            .operand_exponent(a, &self.layout.a)
            .add(&self.operand_exponent(b, &self.layout.b))
            .add_const(self.layout.product_shift);
        let significand = a.significand.mul_wide(&b.significand);

        let (significand, exponent) = match self.params.products {
            Products::Exact => (significand, exponent),
            Products::Normalised => {
                let (normal, zeros) = significand.normalise(exponent_width);
                let up = exponent.add_const(i64::from(product_width));
                let normal_exponent = up.sub(&zeros);
                (normal, mux(&zero, &up.add_const(-1), &normal_exponent))
            }
        };
        self.summand(SpecialTerm::product(a, b), exponent, significand, zero)
    }

    /// The accumulator as a term.
    #[inline(always)]
    fn addend<B: Bv>(&self, c: &Unpacked<B>) -> (Summand<B>, B) {
        let exponent = self
            .operand_exponent(c, &self.layout.c)
            .add_const(self.layout.c_shift);
        let (significand, exponent) = match self.layout.subnormal_c {
            SubnormalC::Own => (c.significand.clone(), exponent),
            SubnormalC::Widened => {
                let (normal, zeros) = c.significand.normalise(self.layout.exponent_width);
                let normal_exponent = exponent.sub(&zeros);
                (normal, mux(&c.zero, &exponent, &normal_exponent))
            }
        };
        self.summand(
            SpecialTerm::summand(c),
            exponent,
            significand,
            c.zero.clone(),
        )
    }

    /// The exponent field, that of a zero by the zero rule, less `fields.base`.
    #[inline(always)]
    fn operand_exponent<B: Bv>(&self, x: &Unpacked<B>, fields: &Fields) -> B {
        let width = self.layout.exponent_width;
        let field = x.exponent.zext(width);
        match self.params.zero {
            ZeroRule::Skip | ZeroRule::Raw => field,
            ZeroRule::Min => {
                let above_base = field.add_const(-fields.base);
                mux(&x.zero, &B::lit(width, fields.zero_above_base), &above_base)
            }
        }
    }

    /// The term and the exponent with which it takes part in the maximum.
    #[inline(always)]
    fn summand<B: Bv>(
        &self,
        special: SpecialTerm<B>,
        exponent: B,
        significand: B,
        zero: B::Bool,
    ) -> (Summand<B>, B) {
        // The least exponent of all never is the largest one: the term is left out.
        let exponent = match self.params.zero {
            ZeroRule::Skip => mux(&zero, &B::lit(self.layout.exponent_width, 0), &exponent),
            ZeroRule::Raw | ZeroRule::Min => exponent,
        };
        (
            Summand {
                significand,
                zero,
                special,
            },
            exponent,
        )
    }

    /// Step 3: the term shifted right to the largest exponent and cut to F fraction bits.
    #[inline(always)]
    fn align<B: Bv>(&self, term: &Summand<B>, exponent: &B, fraction: u32, largest: &B) -> B {
        let kept = self.params.fraction_bits;
        let distance = largest.sub(exponent);
        // The integer bits and F fraction bits; what lies below goes first if there is more.
        let on_grid = |value: &B| match kept.checked_sub(fraction) {
            Some(room) => value.widen_low(room),
            None => value.extract(value.width() - 1, fraction - kept),
        };
        let width = self.layout.sum_width;
        match self.params.align {
            Align::Trunc => {
                let cut = on_grid(&term.significand).lshr(&distance);
                cut.zext(width).neg_if(&term.special.sign)
            }
            Align::Floor => {
                let signed = term.significand.zext(term.significand.width() + 1);
                on_grid(&signed.neg_if(&term.special.sign))
                    .ashr(&distance)
                    .sext(width)
            }
        }
    }

    /// Step 4: the sum as wide as the unit keeps it.
    #[inline(always)]
    fn wrap<B: Bv>(&self, sum: B) -> B {
        match self.layout.wrapped_width {
            Some(width) => sum.extract(width - 1, 0),
            None => sum,
        }
    }

    /// Step 5: the sum rounded to the result's format. There is no -0, but perhaps from -0 alone.
    #[inline(always)]
    fn round<B: Bv>(&self, stage: &Fused<B>) -> B {
        let format = &self.layout.grid.result;
        let sign = stage.sum.msb();
        let value = Unrounded {
            sign: &sign,
            exponent: &stage.max_exponent,
            exponent_offset: self.layout.grid.exponent_offset,
            significand: &stage.sum.neg_if(&sign),
            fraction_bits: self.params.fraction_bits,
        };
        let magnitude = round(&value, format, self.params.rounding, Overflow::Infinity);
        let negative = sign.and(&magnitude.is_zero().not());
        let negative = match self.params.negative_zeros {
            NegativeZeros::Plus => negative,
            NegativeZeros::Minus => {
                let zeros = stage
                    .terms
                    .iter()
                    .map(|term| term.zero.and(&term.special.sign));
                negative.or(&B::Bool::all(zeros))
            }
        };
        format.assemble(&negative, &magnitude)
    }

    /// The same again where it is of the most common kind, but with constants in the place of the
    /// parameters that the inner loops read: the compiler makes loops for these values of them.
    #[inline(always)]
    fn common(&self) -> Option<Fda> {
        let params = Params {
            a: Format::F16,
            b: Format::F16,
            products: Products::Exact,
            align: Align::Trunc,
            zero: ZeroRule::Skip,
            ..self.params
        };
        let is_common = self.params.a.has_layout_of(&params.a)
            && self.params.b.has_layout_of(&params.b)
            && self.params.products == params.products
            && self.params.align == params.align
            && self.params.zero == params.zero;
        let layout = self.layout;
        is_common.then_some(Fda { params, layout })
    }

    /// Steps 0 to 5.
    #[inline(always)]
    fn fused<B: Bv>(&self, operands: Operands<'_, B>, stage: &mut Fused<B>) {
        let Params { a, b, .. } = &self.params;
        let grid = &self.layout.grid;

        // Steps 0 to 2: unused low bits are dropped, special values noted, products formed.
        // Vectors of their final length: no test of a capacity for each product.
        let products = operands.a.len();
        let none = B::lit(1, 0);
        let limits = usize::from(self.layout.exponent_limit.is_some());
        stage.terms.resize(products + 1, Summand::none());
        stage.exponents.resize(products + 1 + limits, none.clone());
        stage.aligned.resize(products + 1, none);
        let filled = stage.terms.iter_mut().zip(&mut stage.exponents);
        let factors = operands.a.iter().zip(operands.b);
        for ((term, exponent), (x, y)) in filled.zip(factors) {
            (*term, *exponent) = self.product(&unpack(a, x), &unpack(b, y));
        }
        (stage.terms[products], stage.exponents[products]) =
            self.addend(&unpack(&self.params.c, operands.c));

        // Step 3: alignment to the largest exponent.
        if let Some(limit) = self.layout.exponent_limit {
            stage.exponents[products + 1] = B::lit(self.layout.exponent_width, limit);
        }
        let largest = B::umax(&stage.exponents);
        let terms = stage.terms.iter().zip(&stage.exponents);
        for (aligned, (term, exponent)) in stage.aligned.iter_mut().zip(terms).take(products) {
            *aligned = self.align(term, exponent, grid.product_fraction, &largest);
        }
        let (term, exponent) = (&stage.terms[products], &stage.exponents[products]);
        stage.aligned[products] = self.align(term, exponent, grid.c_fraction, &largest);
        stage.max_exponent = largest;

        // Step 4: the sum.
        stage.sum = self.wrap(B::sum(&stage.aligned));

        // Step 5, and the outcome of step 1.
        let finite = self.round(stage);
        let special = stage.terms.iter().map(|term| &term.special);
        stage.result = special_or_finite(special, &grid.result, self.params.nan, &finite);
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
            ..
        } = self.params;
        Signature {
            a,
            b,
            c,
            d: out,
            products: products_per_sum,
        }
    }

    #[inline]
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let mut stage = stages.begin_fused(self.layout.grid);
        match self.common() {
            Some(common) => common.fused(operands, &mut stage),
            None => self.fused(operands, &mut stage),
        }
        let result = stage.result.clone();
        stages.push(Step::Fused(stage));
        result
    }
}
