//! The sizes of tiles, and loops over the elements of a thread.

/// The threads of a block, in as many rows as columns.
pub(super) const THREADS: usize = 256;
/// The threads along one side of a tile.
pub(super) const ACROSS: usize = 16;

/// The groups of operands that a loop takes at once.
const UNROLLED: usize = 2;

/// The rows and columns of elements of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ThreadTile {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl ThreadTile {
    /// The sizes to choose from, the largest first.
    pub(super) const ALL: [ThreadTile; 4] = [
        ThreadTile::of(8, 4),
        ThreadTile::of(4, 4),
        ThreadTile::of(4, 2),
        ThreadTile::of(2, 2),
    ];

    const fn of(rows: usize, columns: usize) -> ThreadTile {
        ThreadTile { rows, columns }
    }

    pub(super) fn elements(self) -> usize {
        self.rows * self.columns
    }

    /// The rows and columns of elements of a block.
    pub(super) fn of_block(self) -> [usize; 2] {
        [ACROSS * self.rows, ACROSS * self.columns]
    }

    /// The lines for each element, of which `i` and `j` are row and column.
    pub(super) fn each(self, lines: &[String]) -> String {
        self.over(self.columns, lines)
    }

    /// The lines for each row `i` and each pair `j` of columns.
    pub(super) fn each_pair(self, lines: &[String]) -> String {
        self.over(self.columns / 2, lines)
    }

    /// The same for each `k` below a count.
    pub(super) fn each_of(self, count: usize, lines: &[String]) -> String {
        along(count, &self.each(lines))
    }

    /// The same for each `k` below a count.
    pub(super) fn each_pair_of(self, count: usize, lines: &[String]) -> String {
        along(count, &self.each_pair(lines))
    }

    fn over(self, columns: usize, lines: &[String]) -> String {
        let body: String = lines
            .iter()
            .map(|line| format!("                {line}\n"))
            .collect();
        let rows = self.rows;
        format!(
            "#pragma unroll\n        for (int i = 0; i < {rows}; i++) {{\n#pragma unroll\n            \
             for (int j = 0; j < {columns}; j++) {{\n{body}            }}\n        }}\n"
        )
    }
}

/// A loop that is partly unrolled: all of it would fill the cache of instructions, and the compiler
/// would read the operands too early for the registers.
fn along(count: usize, body: &str) -> String {
    format!(
        "#pragma unroll {UNROLLED}\n        for (int k = 0; k < {count}; k++) {{\n{body}        }}\n"
    )
}
