//! Rows of A, prepared once for all columns of B whose own part is kept. A program prepares as many rows as it
//! has lanes: those of few rows, so at many places along k at a time.

use super::tile::{PartOperands, has_special};
use mmasmt_columns::tape::{LANES, Side};
use mmasmt_core::batch::{PreparedSide, SidePrograms};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The most rows of A of which all that links read is kept for the other columns of B.
const MOST_ROWS: usize = 16;

/// Prepared rows of a product.
#[derive(Default)]
pub(super) struct KeptRows {
    /// The product, as its place in memory, and the rows.
    of: (usize, Range<usize>),
    runs: Vec<PreparedRun>,
    /// By the first place of k, the run and the number of the dot-add in it.
    known: FxHashMap<usize, [usize; 2]>,
}

/// Rows at the places of several dot-adds: those of the first one, then those of the next.
struct PreparedRun {
    places: Vec<usize>,
    side: PreparedSide,
    /// For each row of each dot-add, whether links are wrong for it.
    is_excluded: Vec<bool>,
}

/// Rows at the places of one dot-add: where they are in a prepared side.
pub(super) struct RowsInRun<'x> {
    pub(super) side: &'x PreparedSide,
    pub(super) rows: Range<usize>,
    /// For each row, whether links are wrong for it.
    pub(super) is_excluded: &'x [bool],
}

impl KeptRows {
    /// The rows of the operands; `None` without links. Each is prepared once, by `programs`.
    pub(super) fn find(
        &mut self,
        programs: &mut SidePrograms,
        operands: &PartOperands<'_>,
    ) -> Option<RowsInRun<'_>> {
        let part = operands.part;
        let of = (part.products.as_ptr() as usize, part.rows.clone());
        if self.of != of || part.rows.len() > MOST_ROWS {
            *self = KeptRows {
                of,
                ..KeptRows::default()
            };
        }
        let (step, first) = (operands.places.len(), *operands.places.first()?);
        let known = self.known.get(&first).copied();
        let is_of = |[run, number]: &[usize; 2]| {
            self.runs[*run].places[number * step..][..step] == *operands.places
        };
        let [run, number] = match known.filter(is_of) {
            Some(known) => known,
            None => {
                self.runs.push(prepared(programs, operands)?);
                let run = self.runs.len() - 1;
                let firsts = self.runs[run].places.chunks(step).map(|places| places[0]);
                let firsts = firsts.enumerate();
                self.known
                    .extend(firsts.map(|(number, first)| (first, [run, number])));
                [run, 0]
            }
        };
        let (run, count) = (&self.runs[run], part.rows.len());
        let rows = number * count..(number + 1) * count;
        Some(RowsInRun {
            side: &run.side,
            is_excluded: &run.is_excluded[rows.clone()],
            rows,
        })
    }
}

/// The rows at the places of these operands and, where these stand side by side, of those that follow.
fn prepared(programs: &mut SidePrograms, operands: &PartOperands<'_>) -> Option<PreparedRun> {
    let (part, step) = (operands.part, operands.places.len());
    let (rows, first) = (part.rows.len(), *operands.places.first()?);
    let depth = part
        .products
        .first()
        .map_or(0, |product| product.extents()[2]);
    let are_neighbours = operands
        .places
        .iter()
        .copied()
        .eq((first..depth).take(step));
    let most = match rows <= MOST_ROWS && are_neighbours {
        true => (LANES / rows.max(1)).min((depth - first) / step),
        false => 1,
    };
    let places: Vec<usize> = match most {
        0 | 1 => operands.places.to_vec(),
        _ => (first..first + most * step).collect(),
    };
    let columns = part.side(operands.signature, Side::Left, &places);
    programs.prepare(Side::Left, &columns, operands.signature);
    let lanes = places.len() / step * rows;
    let side = programs.prepared(Side::Left, lanes)?;
    let is_special =
        |lanes: Range<usize>| has_special(operands.signature, Side::Left, &columns, lanes);
    let any = is_special(0..lanes);
    let is_excluded = |lane| side.is_guarded(lane) || any && is_special(lane..lane + 1);
    Some(PreparedRun {
        is_excluded: (0..lanes).map(is_excluded).collect(),
        places,
        side,
    })
}
