//! FDA, the fused dot-add of NVIDIA tensor cores: all terms are aligned to the largest exponent,
//! cut, summed exactly and rounded once (mma-sim.txt §IV-C; shared readings in its steps 0 to 5).

mod layout;
mod params;

pub use params::{
    Align, Carry, NegativeZeros, Params, Products, SubnormalC, ZeroRule,
};

use super::{DotAdd, Fused, Operands, Signature, Stages, Step, Summand};
use crate::bits::{Bv, Prop, mux};
use crate::float::{Overflow, SpecialValues, Unpacked, Unrounded, round, unpack};
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
        Fda { params, layout: Layout::of(&params) }
    }

    /// Its parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Step 2: the exact product, its exponent the sum of the factors' exponents.
    #[inline(always)]
    fn product<B: Bv>(&self, a: &Unpacked<B>, b: &Unpacked<B>) -> Summand<B> {
        let Layout { exponent_width, product_width, .. } = self.layout;
        let zero = a.zero.or(&b.zero);
        let exponent = self
            .operand_exponent(a, &self.layout.a)
            .add(&self.operand_exponent(b, &self.layout.b))
            .add_const(self.layout.product_shift);
        let significand = a.significand.zext(product_width).mul(&b.significand.zext(product_width));

        let (significand, exponent) = match self.params.products {
            Products::Exact => (significand, exponent),
            Products::Normalised => {
                let (normal, zeros) = significand.normalise(exponent_width);
                let up = exponent.add_const(i64::from(product_width));
                let normal_exponent = up.sub(&zeros);
                (normal, mux(&zero, &up.add_const(-1), &normal_exponent))
            }
        };
        self.summand(a.sign.xor(&b.sign), exponent, significand, zero)
    }

    /// The accumulator as a term.
    #[inline(always)]
    fn addend<B: Bv>(&self, c: &Unpacked<B>) -> Summand<B> {
        let exponent = self.operand_exponent(c, &self.layout.c).add_const(self.layout.c_shift);
        let (significand, exponent) = match self.params.subnormal_c {
            SubnormalC::Own => (c.significand.clone(), exponent),
            SubnormalC::Widened => {
                let (normal, zeros) = c.significand.normalise(self.layout.exponent_width);
                let normal_exponent = exponent.sub(&zeros);
                (normal, mux(&c.zero, &exponent, &normal_exponent))
            }
        };
        self.summand(c.sign.clone(), exponent, significand, c.zero.clone())
    }

    /// The exponent field, that of a zero by the zero rule, less the least one.
    #[inline(always)]
    fn operand_exponent<B: Bv>(&self, x: &Unpacked<B>, fields: &Fields) -> B {
        let width = self.layout.exponent_width;
        let above_least = x.exponent.zext(width).add_const(-fields.least);
        match self.params.zero {
            ZeroRule::Skip | ZeroRule::Raw => above_least,
            ZeroRule::Min => mux(&x.zero, &B::lit(width, fields.zero_above_least), &above_least),
        }
    }

    #[inline(always)]
    fn summand<B: Bv>(&self, sign: B::Bool, exponent: B, significand: B, zero: B::Bool) -> Summand<B> {
        // The least exponent of all never is the largest one: the term is left out.
        let exponent = match self.params.zero {
            ZeroRule::Skip => mux(&zero, &B::lit(self.layout.exponent_width, 0), &exponent),
            ZeroRule::Raw | ZeroRule::Min => exponent,
        };
        Summand { sign, exponent, significand, zero }
    }

    /// The largest exponent of all terms.
    #[inline(always)]
    fn max_exponent<B: Bv>(&self, stage: &mut Fused<B>) -> B {
        // `aligned` is filled later; until then it is room for the exponents.
        stage.aligned.clear();
        stage.aligned.extend(stage.terms.iter().map(|term| term.exponent.clone()));
        if let Some(limit) = self.layout.exponent_limit {
            stage.aligned.push(B::lit(self.layout.exponent_width, limit));
        }
        let largest = B::umax(&stage.aligned);
        stage.aligned.clear();
        largest
    }

    /// Step 3: the term shifted right to the largest exponent and cut to F fraction bits.
    #[inline(always)]
    fn align<B: Bv>(&self, term: &Summand<B>, fraction: u32, max_exponent: &B) -> B {
        let kept = self.params.fraction_bits;
        let distance = max_exponent.sub(&term.exponent);
        let on_grid = |value: &B, cut: fn(&B, &B) -> B| match kept.checked_sub(fraction) {
            Some(room) => value.widen_low(room),
            None => cut(value, &B::lit(32, u64::from(fraction - kept))),
        };
        let width = self.layout.sum_width;
        match self.params.align {
            Align::Trunc => {
                let shifted = on_grid(&term.significand, B::lshr).lshr(&distance);
                shifted.resize(width).neg_if(&term.sign)
            }
            Align::Floor => {
                let room = term.significand.width() + 1;
                let signed = term.significand.zext(room).neg_if(&term.sign);
                let shifted = on_grid(&signed, B::ashr).ashr(&distance);
                if shifted.width() > width {
                    shifted.extract(width - 1, 0)
                } else {
                    shifted.sext(width)
                }
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
                let zeros = stage.terms.iter().map(|term| term.zero.and(&term.sign));
                negative.or(&B::Bool::all(zeros))
            }
        };
        format.assemble(&negative, &magnitude)
    }
}

impl DotAdd for Fda {
    fn signature(&self) -> Signature {
        let Params { a, b, c, out, products_per_sum, .. } = self.params;
        Signature { a, b, c, d: out, products: products_per_sum }
    }

    #[inline]
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let Params { a, b, c, nan, .. } = &self.params;
        let grid = &self.layout.grid;
        let mut stage = stages.begin_fused(*grid);

        // Steps 0 to 2: unused low bits are dropped, special values noted, products formed.
        let mut special = SpecialValues::none();
        for (x, y) in operands.a.iter().zip(operands.b) {
            let (x, y) = (unpack(a, x), unpack(b, y));
            special.add_product(&x, &y);
            stage.terms.push(self.product(&x, &y));
        }
        let accumulator = unpack(c, operands.c);
        special.add_summand(&accumulator);
        stage.terms.push(self.addend(&accumulator));

        // Step 3.
        stage.max_exponent = self.max_exponent(&mut stage);
        let last = stage.terms.len() - 1;
        for (k, term) in stage.terms.iter().enumerate() {
            let fraction = if k < last { grid.product_fraction } else { grid.c_fraction };
            stage.aligned.push(self.align(term, fraction, &stage.max_exponent));
        }

        // Step 4.
        stage.sum = self.wrap(B::sum(&stage.aligned));

        // Step 5, and the outcome of step 1.
        let finite = self.round(&stage);
        stage.result = special.or_finite(&grid.result, *nan, &finite);
        let result = stage.result.clone();
        stages.push(Step::Fused(stage));
        result
    }
}
