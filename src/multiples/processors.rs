//! Dot instructions of processors: operations of IEEE 754 whose operands and results may be flushed.

use super::fused::ieee_zero;
use super::run::pairwise;
use super::sum::{Sum, To};
use super::units::{Product, Units};
use crate::algorithms::{CpuDot, DotOrder, FlushedOperands, FlushedResults};
use crate::float::Format;

const F32: Format = Format::F32;

impl Units {
    /// Where nothing is flushed.
    pub(super) fn cpu(&mut self, unit: &CpuDot, products: &[Product], c: Sum) -> Option<Sum> {
        let (factors, addend) = match unit.operands {
            FlushedOperands::Neither => (false, false),
            FlushedOperands::Addend => (false, true),
            FlushedOperands::All => (true, true),
        };
        let [a, b] = [&unit.a, &unit.b].map(|format| i64::from(format.min_exponent()));
        let is_flushed =
            |product: &Product| product.a.values.goes_below(a) || product.b.values.goes_below(b);
        if factors && products.iter().any(is_flushed) || addend && is_subnormal(&c) {
            return None;
        }
        let mut terms = products.iter().map(Product::exact);
        let sum = match unit.order {
            DotOrder::LastFirst => {
                return terms
                    .rev()
                    .try_fold(c, |d, term| self.cpu_add(unit, d, term));
            }
            DotOrder::FirstFirst => {
                return terms.try_fold(c, |d, term| self.cpu_add(unit, d, term));
            }
            DotOrder::Late => self.cpu_chain(unit, terms),
            DotOrder::EvenOdd => {
                let even = self.cpu_chain(unit, terms.clone().step_by(2))?;
                let odd = self.cpu_chain(unit, terms.skip(1).step_by(2))?;
                self.cpu_add(unit, even, odd)
            }
            DotOrder::Pairwise => {
                let terms = terms.map(|term| self.cpu_round(unit, term));
                let terms = terms.collect::<Option<Vec<_>>>()?;
                pairwise(&terms, &mut |x, y| self.cpu_add(unit, x, y))
            }
            DotOrder::Fused => {
                let sum = terms.reduce(Sum::plus)?;
                self.cpu_round(unit, ieee_zero(sum, unit.rounding))
            }
        };
        self.cpu_add(unit, c, sum?)
    }

    /// Fused multiply-adds from +0.
    fn cpu_chain(&mut self, unit: &CpuDot, terms: impl IntoIterator<Item = Sum>) -> Option<Sum> {
        terms
            .into_iter()
            .try_fold(Sum::nothing(), |d, term| self.cpu_add(unit, d, term))
    }

    fn cpu_add(&mut self, unit: &CpuDot, x: Sum, y: Sum) -> Option<Sum> {
        self.cpu_round(unit, ieee_zero(x.plus(y), unit.rounding))
    }

    fn cpu_round(&mut self, unit: &CpuDot, exact: Sum) -> Option<Sum> {
        if unit.results != FlushedResults::Kept && is_subnormal(&exact) {
            return None;
        }
        self.rounded.round(exact, &To::ieee(F32, unit.rounding))
    }
}

/// Whether it may be below the normal numbers of f32.
fn is_subnormal(sum: &Sum) -> bool {
    sum.values.goes_below(F32.min_exponent().into())
}
