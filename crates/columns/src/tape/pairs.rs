//! Pairs of columns that an operation takes a few at a time.

use super::columns::{ColumnStore, ColumnType, LANES};

/// The number of pairs that an operation takes at a time.
pub(super) const TOGETHER: usize = 8;

/// `N` pairs of columns. With `UNIFORM`, all lanes use the first number of a pair from the first
/// lane.
pub(super) struct Pairs<'x, T, const N: usize, const UNIFORM: bool> {
    left: [&'x [T; LANES]; N],
    right: [&'x [T; LANES]; N],
    first: [T; N],
}

impl<'x, T: ColumnType, const N: usize, const UNIFORM: bool> Pairs<'x, T, N, UNIFORM> {
    #[inline(always)]
    pub(super) fn new(columns: &'x ColumnStore, pairs: &[[u16; 4]; N]) -> Self {
        // Loops, not maps of arrays, which the compiler may leave as calls.
        let start = columns.get::<T>(pairs[0][0]);
        let (mut left, mut right, mut first) = ([start; N], [start; N], [T::default(); N]);
        for (index, [x, y, ..]) in pairs.iter().enumerate() {
            left[index] = columns.get(*x);
            right[index] = columns.get(*y);
            first[index] = left[index][0];
        }
        Pairs { left, right, first }
    }

    /// The two numbers of a pair in a lane.
    #[inline(always)]
    pub(super) fn at(&self, index: usize, lane: usize) -> (T, T) {
        let x = if UNIFORM {
            self.first[index]
        } else {
            self.left[index][lane]
        };
        (x, self.right[index][lane])
    }
}
