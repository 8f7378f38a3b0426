//! Operands of a product of matrices, drawn as those of dot-adds are.

use crate::inputs::{Draw, Kind};
use crate::matrices::{Matrix, MatrixProduct};
use mmasmt_core::machines::algorithms::Operand;
use mmasmt_core::machines::model::Model;

/// The operands of a product.
#[derive(Clone, Debug)]
pub struct DrawnOperands {
    matrices: Vec<(Operand, Matrix)>,
}

impl DrawnOperands {
    /// Operands of the first kind, with a dot-add of the second kind in every `rare` ones; M, N and K
    /// are the extents. A model that does not read C gets none. `None` if a register does not fit.
    pub fn new(
        model: &Model,
        kinds: [Kind; 2],
        rare: usize,
        [rows, columns, depth]: [usize; 3],
        seed: u64,
    ) -> Option<DrawnOperands> {
        let signature = model.signature();
        let mut draws = kinds.map(|kind| Draw::new(signature, kind, seed));
        let blocks = signature.scales.map_or(1, |scales| scales.block as usize);
        let blocks = depth.div_ceil(blocks);
        let mut matrices = Vec::new();
        for row in signature.rows() {
            let shape = match row.operand {
                Operand::C if !model.reads_c() => continue,
                Operand::A => [rows, depth],
                Operand::B => [depth, columns],
                Operand::C => [rows, columns],
                Operand::AScales => [rows, blocks],
                Operand::BScales => [blocks, columns],
            };
            let count = shape[0] * shape[1];
            let mut registers: Vec<u64> = Vec::with_capacity(count + row.length);
            for dot_add in 0.. {
                if registers.len() >= count {
                    break;
                }
                let is_rare = dot_add % rare.max(1) + 1 == rare;
                let inputs = draws[usize::from(is_rare)].draw();
                registers.extend(inputs.row(row.operand));
            }
            registers.truncate(count);
            matrices.push((row.operand, Matrix::new(row.format, shape, registers)?));
        }
        Some(DrawnOperands { matrices })
    }

    /// The matrix of an operand, if there is one.
    pub fn matrix(&self, operand: Operand) -> Option<&Matrix> {
        let own = self.matrices.iter().find(|(own, _)| *own == operand);
        own.map(|(_, matrix)| matrix)
    }

    /// The product of these operands; `None` if A or B is missing.
    pub fn product(&self) -> Option<MatrixProduct<'_>> {
        let product = MatrixProduct::new(self.matrix(Operand::A)?, self.matrix(Operand::B)?);
        let scales = self
            .matrix(Operand::AScales)
            .zip(self.matrix(Operand::BScales));
        let product = product.plus(self.matrix(Operand::C));
        Some(product.scaled(scales.map(|(a, b)| [a, b])))
    }
}
