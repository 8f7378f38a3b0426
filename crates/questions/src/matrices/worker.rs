//! Evaluates one dot-add of every element of a part: by programs, or without them.

use super::rows::RowWorker;
use super::tile::{PartOperands, TilePart};
use mmasmt_columns::tape::LANES;
use mmasmt_core::batch::{Batch, ColumnData, Columns};
use mmasmt_core::machines::algorithms::{Operand, Signature};

/// Evaluates dot-adds of one unit; every thread has a worker of its own.
#[derive(Clone)]
pub enum Worker<'m> {
    /// Programs, where work that depends on A or B alone is done only once.
    Hoisted(RowWorker),
    /// Evaluates whole dot-adds without programs: for models that are too wide for programs, and
    /// for products that are so small that making programs would take longer.
    Batch(Box<(Batch<'m>, Columns)>),
}

impl Worker<'_> {
    /// Replaces `results` by those of one dot-add of every element, row by row: of the products at these
    /// places of k, and of the accumulators `c`.
    pub(super) fn evaluate(
        &mut self,
        part: &TilePart<'_>,
        signature: &Signature,
        places: &[usize],
        c: &ColumnData,
        results: &mut ColumnData,
    ) {
        let operands = PartOperands::of(part, signature, places);
        results.resize(part.elements());
        match self {
            Worker::Hoisted(worker) => worker.run(&operands, c, results),
            Worker::Batch(worker) => whole(worker, part, &operands, c, results),
        }
    }
}

/// Computes one dot-add of every element, without sharing work between elements.
fn whole(
    (batch, memory): &mut (Batch<'_>, Columns),
    part: &TilePart<'_>,
    operands: &PartOperands<'_>,
    state: &ColumnData,
    results: &mut ColumnData,
) {
    let [a, b] = operands.sides();
    let (rows, width, columns) = (part.rows.len(), part.width(), part.columns.len());
    let products = operands.signature.products as usize;
    results.clear();
    let mut found = Vec::new();
    for start in (0..rows * width).step_by(LANES) {
        let elements = start..(start + LANES).min(rows * width);
        memory.fill(elements.len(), |operand, place, column| {
            let (side, number, by_row) = match operand {
                Operand::A => (a, place, true),
                Operand::AScales => (a, products + place, true),
                Operand::B => (b, place, false),
                Operand::BScales => (b, products + place, false),
                Operand::C => return column.copy(state, elements.clone()),
            };
            let outer = elements.clone().map(|element| {
                let (row, right) = (element / width, element % width);
                if by_row {
                    right / columns * rows + row
                } else {
                    right
                }
            });
            column.extend(outer.map(|outer| side[number].get(outer)));
        });
        found.clear();
        batch.run(memory, &mut found);
        results.extend(found.iter().copied());
    }
}
