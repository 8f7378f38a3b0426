//! GPS, group-pairwise-sum (Xie et al. §IV-B, Algorithm 3): 16-bit MFMA of CDNA2.

use super::pairwise::pairwise_sum;
use super::{DotAdd, Operands, Signature, Stages, Step};
use crate::numbers::bits::Bv;
use crate::numbers::float::{
    Arithmetic, FlushedTo, Format, NanCode, Rounding, flush, ieee_add, ieee_fma, ieee_multiply,
};

/// Treatment of subnormal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subnormals {
    /// Operands that are subnormal in their own format (in f16: below 2^-14) become +0; subnormal
    /// results become the zero of their sign (MMA-Sim's code).
    Flush,
    /// As `Flush`, except that only operands below 2^-126 become +0 (Xie et al. Algorithm 3).
    FlushBelowF32,
    /// Subnormal numbers are treated like any other numbers.
    Keep,
}

/// The operation that computes a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProductForm {
    /// `a * b`.
    Multiply,
    /// `fma(a, b, +0)`: a product of -0 becomes +0 (MMA-Sim's code for CDNA1 and CDNA2).
    FmaZero,
}

/// Products in f32, summed pairwise in groups; the group sums are added to `c` in sequence. All
/// operations are those of IEEE 754 in f32, rounded to nearest even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gps {
    /// Format of `a` and `b`.
    pub factors: Format,
    /// Number of products, a multiple of `group`.
    pub products: u32,
    /// Products in a group: G, a power of two.
    pub group: u32,
    /// Treatment of subnormal numbers.
    pub subnormals: Subnormals,
    /// The operation that computes a product.
    pub product_form: ProductForm,
    /// Code of a NaN result.
    pub nan: NanCode,
}

const F32: Format = Format::F32;

impl Gps {
    fn operand<B: Bv>(&self, format: &Format, bits: &B) -> B {
        let is_flushed = match self.subnormals {
            Subnormals::Flush => true,
            Subnormals::FlushBelowF32 => format.min_exponent() == F32.min_exponent(),
            Subnormals::Keep => false,
        };
        if is_flushed {
            flush(format, FlushedTo::Plus, bits)
        } else {
            bits.clone()
        }
    }

    fn result<B: Bv>(&self, bits: B) -> B {
        match self.subnormals {
            Subnormals::Flush | Subnormals::FlushBelowF32 => {
                flush(&F32, FlushedTo::SameSign, &bits)
            }
            Subnormals::Keep => bits,
        }
    }

    fn product<B: Bv>(&self, a: &B, b: &B) -> B {
        let to = Arithmetic {
            format: F32,
            rounding: Rounding::Rne,
            nan: self.nan,
        };
        let factors = [&self.factors; 2];
        let (a, b) = (
            self.operand(&self.factors, a),
            self.operand(&self.factors, b),
        );
        self.result(match self.product_form {
            ProductForm::Multiply => ieee_multiply(&to, factors, &a, &b),
            ProductForm::FmaZero => {
                let zero = B::lit(F32.width(), 0);
                ieee_fma(&to, factors, &F32, &a, &b, &zero)
            }
        })
    }

    fn add<B: Bv>(&self, x: &B, y: &B) -> B {
        self.result(ieee_add(&F32, Rounding::Rne, self.nan, x, y))
    }
}

impl DotAdd for Gps {
    fn signature(&self) -> Signature {
        Signature {
            a: self.factors,
            b: self.factors,
            c: F32,
            d: F32,
            products: self.products,
            scales: None,
        }
    }

    fn nan(&self) -> NanCode {
        self.nan
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let mut step = |what, index, value: &B| {
            stages.push(Step::Rounded {
                what,
                index: Some(index),
                format: F32,
                value: value.clone(),
            });
        };
        let factors = operands.a.iter().zip(operands.b);
        let products: Vec<B> = factors.map(|(a, b)| self.product(a, b)).collect();
        let mut partial_sums = 0;
        let mut d = self.operand(&F32, operands.c);
        let size = self.group as usize;
        for (number, group) in products.chunks(size).enumerate() {
            for (k, product) in (number * size..).zip(group) {
                step("product", k, product);
            }
            let sum = pairwise_sum(group, &|x, y| self.add(x, y), &mut |sum| {
                step("partial sum", partial_sums, sum);
                partial_sums += 1;
            });
            step("sum of group", number, &sum);
            d = self.add(&d, &sum);
            step("sum after group", number, &d);
        }
        d
    }
}
