//! Dot instructions of CPUs, which are made of operations of IEEE 754. Their subnormal operands and
//! results may be flushed.

use super::fused::ieee_zero;
use super::rounded::To;
use super::run::pairwise;
use super::sum::Sum;
use super::units::{Product, Units};
use mmasmt_core::machines::algorithms::{CpuDot, DotOrder, FlushedOperands};
use mmasmt_core::numbers::float::{FlushedTo, Format};

const F32: Format = Format::F32;

impl Units {
    pub(super) fn cpu(&mut self, unit: &CpuDot, products: &[Product], c: Sum) -> Option<Sum> {
        let (factors, addend) = match unit.operands {
            FlushedOperands::Neither => (false, false),
            FlushedOperands::Addend => (false, true),
            FlushedOperands::All => (true, true),
        };
        let product = |product: &Product| {
            if factors {
                product.flushed([&unit.a, &unit.b])
            } else {
                product.clone()
            }
        };
        let products: Vec<Product> = products.iter().map(product).collect();
        let c = if addend {
            self.rounded.flush(c, &F32, FlushedTo::SameSign)
        } else {
            c
        };
        let terms = products.iter().map(Product::exact);
        let sum = match unit.order {
            DotOrder::LastFirst => return self.cpu_chain(unit, c, terms.rev()),
            DotOrder::FirstFirst => return self.cpu_chain(unit, c, terms),
            DotOrder::Late => self.cpu_chain(unit, Sum::nothing(), terms),
            DotOrder::EvenOdd => {
                let even = terms.clone().step_by(2);
                let even = self.cpu_chain(unit, Sum::nothing(), even)?;
                let odd = self.cpu_chain(unit, Sum::nothing(), terms.skip(1).step_by(2))?;
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

    /// Adds the terms to `start` one after the other, and rounds after each addition, as a chain of
    /// fused multiply-adds does.
    fn cpu_chain(
        &mut self,
        unit: &CpuDot,
        start: Sum,
        mut terms: impl Iterator<Item = Sum>,
    ) -> Option<Sum> {
        terms.try_fold(start, |d, term| self.cpu_add(unit, d, term))
    }

    fn cpu_add(&mut self, unit: &CpuDot, x: Sum, y: Sum) -> Option<Sum> {
        let to = To::ieee(F32, unit.rounding);
        let sum = self.rounded.add(x, y, &to, unit.results)?;
        Some(ieee_zero(sum, unit.rounding))
    }

    fn cpu_round(&mut self, unit: &CpuDot, exact: Sum) -> Option<Sum> {
        let to = To::ieee(F32, unit.rounding);
        self.rounded.round_flushed(exact, &to, unit.results)
    }
}
