//! What links read of the two sides of a product of matrices, prepared once.

use mmasmt_columns::tape::{ColumnIndex, KeptColumns, LinkProgram};

/// Links, and the places of all values that they may read: those of the left side, then those of the
/// right side.
pub(super) struct Links {
    pub(super) program: LinkProgram,
    pub(super) places: Vec<ColumnIndex>,
    /// The same where the columns are kept ones.
    pub(super) kept_places: Vec<ColumnIndex>,
    /// How many of the places are of the left side.
    pub(super) lefts: usize,
}

/// Values of one side that links read, prepared once for several products or parts of one.
pub struct PreparedSide {
    pub(super) columns: KeptColumns,
    /// For each row of A or column of B, whether links are wrong for it.
    guarded: Vec<bool>,
    is_any_guarded: bool,
}

impl PreparedSide {
    pub(super) fn new(columns: KeptColumns, guarded: Vec<bool>) -> PreparedSide {
        PreparedSide {
            columns,
            is_any_guarded: guarded.contains(&true),
            guarded,
        }
    }

    /// The number of rows of A or columns of B.
    pub(super) fn count(&self) -> usize {
        self.guarded.len()
    }

    /// Whether links are wrong for the row or column with this number.
    pub fn is_guarded(&self, number: usize) -> bool {
        self.guarded.get(number) == Some(&true)
    }

    /// Whether they are wrong for any row or column.
    pub fn is_any_guarded(&self) -> bool {
        self.is_any_guarded
    }

    /// The bytes of memory.
    pub fn bytes(&self) -> usize {
        self.columns.bytes() + self.guarded.len()
    }
}
