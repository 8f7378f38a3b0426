//! Computes one dot-add of every element by programs: by links where this is faster, and else with as many
//! rows at a time as fill the lanes.

use super::kept_rows::KeptRows;
use super::tile::PartOperands;
use mmasmt_columns::tape::{LANES, Side};
use mmasmt_core::batch::{ColumnData, PreparedSide, ProgramLoan, SidePrograms};

/// The fewest columns for which links of one row are faster than programs, which take as many rows at
/// a time as fill their lanes.
const LEAST_COLUMNS: usize = 32;

/// Programs for any operands, for finite operands, and perhaps for those of these that guards let pass.
pub struct RowWorker {
    programs: ProgramLoan,
    lefts: KeptRows,
}

impl Clone for RowWorker {
    fn clone(&self) -> Self {
        RowWorker::new(self.programs.clone())
    }
}

impl RowWorker {
    pub(super) fn new(programs: ProgramLoan) -> RowWorker {
        RowWorker {
            programs,
            lefts: KeptRows::default(),
        }
    }

    /// Computes the results of one dot-add of every element from the accumulators `state`.
    pub(super) fn run(
        &mut self,
        operands: &PartOperands<'_>,
        state: &ColumnData,
        results: &mut ColumnData,
    ) {
        let part = operands.part;
        let mut open = vec![true; part.rows.len()];
        let mut is_ready = false;
        let has_links = self.programs.last().is_some_and(SidePrograms::has_links);
        let pays = part.products.len() == 1 && part.columns.len() >= LEAST_COLUMNS;
        let packed = operands.packed();
        let kept = packed.and_then(|packed| packed.part(&part.columns, operands.places));
        match kept {
            Some(kept) if has_links && pays => {
                self.by_kept_links(operands, &kept.right, (state, results, &mut open));
            }
            _ if has_links && pays && !operands.has_special(Side::Right) => {
                self.by_links(operands, (state, results, &mut open));
                is_ready = true;
            }
            _ => {}
        }
        if open.contains(&true) {
            self.by_programs(operands, is_ready, (state, results, &open));
        }
    }

    /// By links, and keeps the part of B if it is to be kept. Rows for which they are wrong stay open.
    fn by_links(
        &mut self,
        operands: &PartOperands<'_>,
        (state, results, open): (&ColumnData, &mut ColumnData, &mut [bool]),
    ) {
        let (part, signature) = (operands.part, operands.signature);
        let Some(last) = self.programs.last_mut() else {
            return;
        };
        let (rows, width) = (part.rows.len(), part.width());
        last.prepare_both(operands.sides(), signature, width > LANES / 2);
        for (row, open) in open.iter_mut().enumerate() {
            *open = operands.has_special_in(row..row + 1) || !last.is_right_for(row..row + 1);
        }
        last.run_rows(0..rows, state, 0..rows * width, results, open);
        if let Some(packed) = operands.packed()
            && let Some(right) = last.prepared(Side::Right, width)
        {
            packed.keep(&part.columns, operands.places, right);
        }
    }

    /// By links from the part of B that is kept.
    fn by_kept_links(
        &mut self,
        operands: &PartOperands<'_>,
        right: &PreparedSide,
        (state, results, open): (&ColumnData, &mut ColumnData, &mut [bool]),
    ) {
        let Some(last) = self.programs.last_mut() else {
            return;
        };
        let Some(left) = self.lefts.find(last, operands) else {
            return;
        };
        if !right.is_any_guarded() {
            open.copy_from_slice(left.is_excluded);
            last.run_kept((left.side, left.rows), right, (state, results, open));
        }
    }

    /// By the fastest program that is right for each group of open rows; `is_ready` says that the last one
    /// is prepared.
    fn by_programs(
        &mut self,
        operands: &PartOperands<'_>,
        is_ready: bool,
        (state, results, open): (&ColumnData, &mut ColumnData, &[bool]),
    ) {
        let (part, signature) = (operands.part, operands.signature);
        let (rows, width, columns) = (part.rows.len(), part.width(), part.columns.len());
        let together = (LANES / width.max(1)).max(1);
        let is_one_row = together == 1 && part.products.len() == 1;
        let special = operands.has_special(Side::Right);
        let programs = &mut self.programs[..];
        let last = programs.len() - 1;
        let mut are_ready = vec![false; programs.len()];
        are_ready[last] = is_ready;
        for start in (0..rows).step_by(together) {
            let group = start..rows.min(start + together);
            if !open[group.clone()].contains(&true) {
                continue;
            }
            let elements = group.start * width..group.end * width;
            let mut lefts = part.lefts(group.clone());
            let any = special
                || lefts.any(|rows| operands.has_special_in(rows))
                || state.has_special(&signature.c, elements.clone());
            // The fastest program that is right: the last one unless a guard says otherwise.
            let mut number = if any { 0 } else { last };
            let hoisted = loop {
                let hoisted = &mut programs[number];
                if !are_ready[number] {
                    hoisted.prepare_both(operands.sides(), signature, is_one_row);
                    are_ready[number] = true;
                }
                let mut lefts = part.lefts(group.clone());
                if number == 0 || lefts.all(|rows| hoisted.is_right_for(rows)) {
                    break &mut programs[number];
                }
                number -= 1;
            };
            for (index, row) in group.enumerate() {
                for (number, left) in part.lefts(row..row + 1).enumerate() {
                    // A row by itself is copied to all lanes, since this fills whole columns at once;
                    // the results in lanes beyond `width` are ignored.
                    let first = index * width + number * columns;
                    let lanes = match is_one_row {
                        true => 0..LANES,
                        false => first..first + columns,
                    };
                    hoisted.take_row(left.start, lanes);
                }
            }
            hoisted.run(state, elements, results);
        }
    }
}
