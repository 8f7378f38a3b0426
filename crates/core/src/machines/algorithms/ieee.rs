//! A reference to compare with: IEEE 754 operations in one accumulator format, in a stated order.

use super::pairwise::pairwise_sum;
use super::{DotAdd, Operands, Signature, Stages, Step};
use crate::numbers::bits::Bv;
use crate::numbers::float::{
    Arithmetic, Format, NanCode, Rounding, ieee_add, ieee_fma, ieee_multiply,
};

/// The order of the operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// `c + p0`, then `+ p1`, and so on; each product is rounded first.
    Sequential,
    /// As `Sequential`, but with fused multiply-adds: products are not rounded.
    SequentialFma,
    /// A chain of fused multiply-adds that starts with +0; its result is then added to `c`
    /// (HMMA.884 where the compiler emulates it).
    FmaThenAccumulator,
    /// The rounded products are summed pairwise (first half plus second half, each summed in the
    /// same way), and their sum is then added to `c`.
    Pairwise,
}

/// Products and sums by IEEE 754 operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ieee {
    /// Format of the left factors.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Format of the accumulator, of every intermediate result and of the result.
    pub accumulator: Format,
    /// Number of products.
    pub products: u32,
    /// Order of the operations.
    pub order: Order,
    /// Rounding of every operation.
    pub rounding: Rounding,
    /// Code of a NaN result.
    pub nan: NanCode,
}

impl DotAdd for Ieee {
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
        self.nan
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let format = self.accumulator;
        let factors = [&self.a, &self.b];
        let to = Arithmetic {
            format,
            rounding: self.rounding,
            nan: self.nan,
        };
        let mut step = |what, index, value: &B| {
            stages.push(Step::Rounded {
                what,
                index,
                format,
                value: value.clone(),
            });
        };
        let add = |x: &B, y: &B| ieee_add(&format, self.rounding, self.nan, x, y);
        let pairs = operands.a.iter().zip(operands.b);
        let start = match self.order {
            Order::SequentialFma => Some(operands.c.clone()),
            Order::FmaThenAccumulator => Some(B::lit(format.width(), 0)),
            Order::Sequential | Order::Pairwise => None,
        };
        if let Some(mut d) = start {
            for (k, (a, b)) in pairs.enumerate() {
                d = ieee_fma(&to, factors, &format, a, b, &d);
                step("sum after product", Some(k), &d);
            }
            if self.order == Order::FmaThenAccumulator {
                d = add(operands.c, &d);
                step("c added", None, &d);
            }
            return d;
        }
        let products: Vec<B> = pairs
            .map(|(a, b)| ieee_multiply(&to, factors, a, b))
            .collect();
        for (k, product) in products.iter().enumerate() {
            step("product", Some(k), product);
        }
        if self.order == Order::Pairwise {
            let mut partial_sums = 0;
            let sum = pairwise_sum(&products, &add, &mut |sum| {
                step("partial sum", Some(partial_sums), sum);
                partial_sums += 1;
            });
            step("sum of products", None, &sum);
            let d = add(operands.c, &sum);
            step("c added", None, &d);
            return d;
        }
        let mut d = operands.c.clone();
        for (k, product) in products.iter().enumerate() {
            d = add(&d, product);
            step("sum after product", Some(k), &d);
        }
        d
    }
}
