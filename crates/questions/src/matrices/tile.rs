//! Computes some rows and columns of a product: first one dot-add of every element's chain, then
//! the next dot-add of every chain, and so on.

use super::product::Product;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::columns::batch::{Batch, ColumnData, Columns, Hoisted, Lent};
use mmasmt_core::columns::tape::{LANES, Side};
use mmasmt_core::machines::algorithms::{Operand, OperandRow, Signature};
use std::ops::Range;

/// The data common to all parts of a product.
pub(super) struct Problem<'x> {
    pub(super) product: Product<'x>,
    pub(super) signature: Signature,
    /// The number of dot-adds in an element's chain.
    pub(super) links: usize,
}

/// Evaluates parts of a product; every thread has a worker of its own.
#[derive(Clone)]
pub(super) enum Worker<'m> {
    /// Programs for any operands, for finite operands, and perhaps for those of these that guards let
    /// pass; work that depends on A or B alone is done only once.
    Hoisted(Lent),
    /// Evaluates whole dot-adds without programs: for models that are too wide for programs, and
    /// for products that are so small that making programs would take longer.
    Batch(Box<(Batch<'m>, Columns)>),
}

impl Worker<'_> {
    /// The registers of the result in these rows and columns, row by row; `None` once a limit is
    /// reached.
    pub(super) fn evaluate(
        &mut self,
        problem: &Problem<'_>,
        rows: &Range<usize>,
        columns: &Range<usize>,
        limits: &Limits,
    ) -> Option<ColumnData> {
        let mut state = problem.start(rows, columns);
        // The memory of two links back is used again.
        let mut next = ColumnData::new(&problem.signature.d);
        for link in 0..problem.links {
            if limits.stopped().is_some() {
                return None;
            }
            let [a, b] = [
                problem.side(Side::Left, link, rows),
                problem.side(Side::Right, link, columns),
            ];
            next.clear();
            match self {
                Worker::Hoisted(programs) => {
                    by_rows(programs, problem, [&a, &b], &state, &mut next);
                }
                Worker::Batch(worker) => {
                    whole(worker, &problem.signature, [&a, &b], &state, &mut next);
                }
            }
            std::mem::swap(&mut state, &mut next);
        }
        Some(state)
    }
}

impl Problem<'_> {
    /// The registers that the chains start from: those of C, or zeros.
    fn start(&self, rows: &Range<usize>, columns: &Range<usize>) -> ColumnData {
        let mut state = ColumnData::new(&self.signature.c);
        match self.product.c() {
            None => state.repeat(0, rows.len() * columns.len()),
            Some(c) => rows
                .clone()
                .for_each(|row| c.copy_along(row, columns.clone(), &mut state)),
        }
        state
    }

    /// The operands of one side (A or B) for dot-add `link` of the chains, one column for each
    /// operand: factors first, then scales.
    fn side(&self, side: Side, link: usize, outer: &Range<usize>) -> Vec<ColumnData> {
        let column = |(row, place): (OperandRow, usize)| {
            let k = link * row.length + place;
            self.product.copy(&row, k, outer.clone())
        };
        self.rows_of(side).map(column).collect()
    }

    fn rows_of(&self, side: Side) -> impl Iterator<Item = (OperandRow, usize)> + use<> {
        let of = |operand| match operand {
            Operand::A | Operand::AScales => Side::Left,
            Operand::B | Operand::BScales => Side::Right,
            Operand::C => Side::Neither,
        };
        let signature = self.signature;
        let rows = Operand::ALL
            .into_iter()
            .filter_map(move |operand| signature.row(operand));
        rows.filter(move |row| of(row.operand) == side)
            .flat_map(|row| (0..row.length).map(move |place| (row, place)))
    }

    /// Whether an operand in a part of the columns of a side is an infinity or a NaN.
    fn has_special(&self, side: Side, columns: &[ColumnData], part: Range<usize>) -> bool {
        let mut all = self.rows_of(side).zip(columns);
        all.any(|((row, _), column)| column.has_special(&row.format, part.clone()))
    }
}

/// Computes one dot-add of every element's chain, with as many rows at a time as fill the lanes, and
/// appends the results.
fn by_rows(
    programs: &mut [Hoisted],
    problem: &Problem<'_>,
    [a, b]: [&[ColumnData]; 2],
    state: &ColumnData,
    results: &mut ColumnData,
) {
    let signature = &problem.signature;
    let [rows, width] = [a, b].map(|side| side.first().map_or(0, ColumnData::len));
    let together = (LANES / width.max(1)).max(1);
    // Infinities and NaNs of A concern their rows alone.
    let special = problem.has_special(Side::Right, b, 0..width);
    let in_rows = problem.has_special(Side::Left, a, 0..rows);
    let mut is_ready = vec![false; programs.len()];
    for start in (0..rows).step_by(together) {
        let group = start..rows.min(start + together);
        let part = group.start * width..group.end * width;
        let any = special
            || in_rows && problem.has_special(Side::Left, a, group.clone())
            || state.has_special(&signature.c, part.clone());
        // The fastest program that is right: the last one unless a guard says otherwise.
        let mut number = if any { 0 } else { programs.len() - 1 };
        let hoisted = loop {
            let hoisted = &mut programs[number];
            if !is_ready[number] {
                hoisted.prepare(Side::Left, a, signature);
                hoisted.prepare(Side::Right, b, signature);
                is_ready[number] = true;
            }
            if number == 0 || hoisted.is_right_for(group.clone()) {
                break &mut programs[number];
            }
            number -= 1;
        };
        for (index, row) in group.enumerate() {
            // If rows are taken one at a time, each is copied to all lanes, since this fills whole
            // columns at once; the results in lanes beyond `width` are ignored.
            let lanes = match together {
                1 => 0..LANES,
                _ => index * width..(index + 1) * width,
            };
            hoisted.take_row(row, lanes);
        }
        hoisted.run(state, part, results);
    }
}

/// Computes one dot-add of every element's chain, without sharing work between elements, and appends
/// the results.
fn whole(
    (batch, memory): &mut (Batch<'_>, Columns),
    signature: &Signature,
    [a, b]: [&[ColumnData]; 2],
    state: &ColumnData,
    results: &mut ColumnData,
) {
    let [rows, width] = [a, b].map(|side| side.first().map_or(0, ColumnData::len));
    let products = signature.products as usize;
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
                if by_row {
                    element / width
                } else {
                    element % width
                }
            });
            column.extend(outer.map(|outer| side[number].get(outer)));
        });
        found.clear();
        batch.run(memory, &mut found);
        results.extend(found.iter().copied());
    }
}
