//! Integers: the exact sum of products and `c`, converted once to the accumulator's format, by
//! wrapping or by saturation.

use super::stages::{Stages, Step};
use super::{DotAdd, Operands, Signature};
use crate::numbers::bits::{Bv, mux};
use crate::numbers::float::{Format, NanCode, integer};

/// The contribution of a pair of factors to the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// The product of the factors; for bits, this is AND.
    Product,
    /// 1 where two bits differ, else 0 (`mma … .b1 … .xor.popc`).
    Xor,
}

/// Treatment of a sum that the accumulator does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SumOverflow {
    /// The low bits of the sum are kept.
    Wrap,
    /// The nearest integer of the accumulator (`.satfinite`, `clamp`, VPDPBUSDS).
    Saturate,
}

/// `d = c + a[0]*b[0] + a[1]*b[1] + ...` of integers. In a chain, the sum of every link is exact,
/// and the result of every link is converted to the accumulator's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerDot {
    /// Format of `a`.
    pub a: Format,
    /// Format of `b`.
    pub b: Format,
    /// Format of `c` and of the result.
    pub accumulator: Format,
    /// Number of products.
    pub products: u32,
    /// The contribution of a pair of factors to the sum.
    pub pairing: Pairing,
    /// Treatment of a sum that the accumulator does not hold.
    pub overflow: SumOverflow,
}

impl IntegerDot {
    /// The number of bits that hold any product in two's complement.
    fn product_width(&self) -> u32 {
        self.a.width() + self.b.width() + 1
    }

    /// The number of bits that hold any sum in two's complement.
    fn sum_width(&self) -> u32 {
        let count = u32::BITS - self.products.leading_zeros();
        self.accumulator.width().max(self.product_width() + count) + 2
    }

    fn term<B: Bv>(&self, a: &B, b: &B) -> B {
        let width = self.product_width();
        match self.pairing {
            Pairing::Product => integer(&self.a, a, width).mul(&integer(&self.b, b, width)),
            Pairing::Xor => a.xor(b).zext(width),
        }
    }

    /// The sum of `c` and the products modulo 2^n, where n is the width of the accumulator. In a
    /// formula, a chain of sums modulo 2^n becomes one sum.
    fn wrapped<B: Bv>(&self, products: &[B], c: &B) -> B {
        let low = |product: &B| {
            if product.width() < c.width() {
                product.sext(c.width())
            } else {
                product.extract(c.width() - 1, 0)
            }
        };
        let mut terms: Vec<B> = products.iter().map(low).collect();
        terms.push(c.clone());
        B::sum(&terms)
    }

    /// The integer of the accumulator that is nearest to the sum.
    fn saturated<B: Bv>(&self, sum: &B) -> B {
        let format = &self.accumulator;
        let low = sum.extract(format.width() - 1, 0);
        let fits = integer(format, &low, sum.width()).equals(sum);
        let [least, greatest] =
            [format.sign_mask(), format.greatest()].map(|end| B::lit(format.width(), end));
        mux(&fits, &low, &mux(&sum.msb(), &least, &greatest))
    }
}

/// Records an integer as a step, if 32 or 64 bits hold all of its values.
fn note<B: Bv>(stages: &mut Stages<B>, what: &'static str, index: Option<usize>, value: &B) {
    let formats = [Format::S32, Format::S64];
    let format = formats
        .into_iter()
        .find(|format| value.width() <= format.width());
    if let Some(format) = format {
        stages.push(Step::Rounded {
            what,
            index,
            format,
            value: value.sext(format.width()),
        });
    }
}

impl DotAdd for IntegerDot {
    fn signature(&self) -> Signature {
        Signature {
            a: self.a,
            b: self.b,
            c: self.accumulator,
            d: self.accumulator,
            products: self.products,
            scales: None,
        }
    }

    fn nan(&self) -> NanCode {
        NanCode::Quiet
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let pairs = operands.a.iter().zip(operands.b);
        let products: Vec<B> = pairs.map(|(a, b)| self.term(a, b)).collect();
        for (k, product) in products.iter().enumerate() {
            note(stages, "product", Some(k), product);
        }
        let width = self.sum_width();
        let mut terms: Vec<B> = products.iter().map(|product| product.sext(width)).collect();
        terms.push(integer(&self.accumulator, operands.c, width));
        let sum = B::sum(&terms);
        note(stages, "exact sum", None, &sum);
        let d = match self.overflow {
            SumOverflow::Wrap => self.wrapped(&products, operands.c),
            SumOverflow::Saturate => self.saturated(&sum),
        };
        note(stages, "accumulator", None, &d);
        d
    }
}
