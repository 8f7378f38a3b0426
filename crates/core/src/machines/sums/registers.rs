//! Sums on registers: one dot-add on bit-vectors of any instance.

use super::calculation::Calculation;
use super::operations::Sums;
use super::splitting::Splitting;
use crate::machines::algorithms::{Core, DotAdd, Operands, Stages, Unit, ValueLabel};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::Format;
use std::convert::Infallible;
use std::ops::Range;

/// The operands of one dot-add, and the unit that sums its products.
pub struct RegisterSums<'x, A, B: Bv> {
    pub(crate) unit: &'x Unit<A>,
    pub(crate) operands: Operands<'x, B>,
    pub(crate) stages: &'x mut Stages<B>,
}

impl<A: DotAdd, B: Bv> RegisterSums<'_, A, B> {
    /// The processor beside the unit, with operations in `format`.
    pub(crate) fn core(&mut self, format: Format) -> Core<'_, B> {
        Core {
            format,
            nan: self.unit.nan(),
            stages: self.stages,
        }
    }
}

impl<A: DotAdd, B: Bv> Sums for RegisterSums<'_, A, B> {
    type Sum = B;
    type Row = Vec<B>;
    type Stop = Infallible;

    fn count(&self) -> usize {
        self.operands.a.len()
    }

    fn c(&mut self) -> Result<B, Infallible> {
        Ok(self.operands.c.clone())
    }

    fn scales(&mut self, index: usize) -> Result<[B; 2], Infallible> {
        let scales = [self.operands.a_scales, self.operands.b_scales];
        Ok(scales.map(|scales| scales[index].clone()))
    }

    fn constant(&mut self, format: Format, register: u64) -> Result<B, Infallible> {
        Ok(B::lit(format.width(), register))
    }

    fn run(&mut self, products: &[usize], c: B) -> Result<B, Infallible> {
        let Operands {
            a,
            b,
            a_scales,
            b_scales,
            ..
        } = self.operands;
        let of = |row: &[B]| -> Vec<B> { products.iter().map(|k| row[*k].clone()).collect() };
        let block = self.unit.signature().scales.map(|scales| scales.block);
        let scales = |row: &[B]| -> Vec<B> {
            let Some(block) = block else {
                return Vec::new();
            };
            let firsts = products.iter().step_by(block as usize);
            firsts.map(|k| row[k / block as usize].clone()).collect()
        };
        let operands = Operands {
            a: &of(a),
            b: &of(b),
            c: &c,
            a_scales: &scales(a_scales),
            b_scales: &scales(b_scales),
        };
        Ok(self.unit.run(operands, self.stages))
    }

    fn factors(&mut self) -> Result<[Vec<B>; 2], Infallible> {
        Ok([self.operands.a, self.operands.b].map(<[B]>::to_vec))
    }

    fn split(
        &mut self,
        splitting: &Splitting<'_>,
        row: &Vec<B>,
    ) -> Result<Vec<Vec<B>>, Infallible> {
        let mut core = self.core(Format::F32);
        let mut rows = vec![Vec::with_capacity(row.len()); splitting.parts.len()];
        for (k, x) in row.iter().enumerate() {
            let parts = splitting.of(&mut core, k, x);
            rows.iter_mut()
                .zip(parts)
                .for_each(|(row, part)| row.push(part));
        }
        Ok(rows)
    }

    fn run_rows(
        &mut self,
        [a, b]: [&Vec<B>; 2],
        places: Range<usize>,
        c: B,
    ) -> Result<B, Infallible> {
        let operands = Operands::plain(&a[places.clone()], &b[places], &c);
        Ok(self.unit.run(operands, self.stages))
    }

    fn note(&mut self, what: ValueLabel, format: Format, sum: &B) {
        self.core(format).note(what, format, sum);
    }

    fn calculate(
        &mut self,
        what: ValueLabel,
        calculation: Calculation,
        operands: &[&B],
    ) -> Result<B, Infallible> {
        Ok(calculation.of(what, self.unit.nan(), operands, self.stages))
    }
}
