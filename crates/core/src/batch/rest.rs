//! The program for the elements of a product of matrices, from what was computed of the two sides.

use mmasmt_columns::tape::{ColumnIndex, Features, LaneCopies, Tape, TapeProgram};
use rustc_hash::FxHashSet;

/// The program that computes the elements of the result from `c` and from the results of the
/// programs of the two sides.
#[derive(Clone)]
pub(super) struct Rest {
    pub(super) program: TapeProgram,
    /// The results of the left side of which only one lane is read.
    pub(super) copies: LaneCopies,
    /// The other results of the left side, each with the input that it fills.
    pub(super) fills: Vec<[ColumnIndex; 2]>,
    /// The results of the right side, each with the input that it fills.
    pub(super) rights: Vec<[ColumnIndex; 2]>,
}

impl Rest {
    /// The program of a tape whose inputs from `first` on are results of the two sides. Of the
    /// inputs in `uniform`, only the first lane is read.
    pub(super) fn new(
        tape: &Tape,
        first: usize,
        borders: [&[ColumnIndex]; 2],
        uniform: &FxHashSet<usize>,
        features: Features,
    ) -> Option<Rest> {
        let program = TapeProgram::new(tape, features)?;
        let [left, right] = borders;
        let (mut copies, mut fills, mut rights) = (LaneCopies::default(), Vec::new(), Vec::new());
        for (number, from) in left.iter().chain(right).enumerate() {
            let input = first + number;
            // An input that the program does not need has no place.
            match program.input(input) {
                Some(to) if number >= left.len() => rights.push([*from, to]),
                Some(to) if uniform.contains(&input) => copies.push(*from, to),
                Some(to) => fills.push([*from, to]),
                None => {}
            }
        }
        Some(Rest {
            program,
            copies,
            fills,
            rights,
        })
    }
}
