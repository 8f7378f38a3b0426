//! The columns that links read of rows and of columns: of all, and of a strip of columns.

use super::columns::{ColumnStore, ColumnType, LANES};
use super::element::Type;
use super::kept_columns::KeptColumns;
use super::link::Link;
use super::link_rule::LinkRule;
use super::narrow::Groups;
use super::program::{ColumnIndex, TapeProgram};
use std::ops::Range;

/// The columns that links read: the lanes of the left ones are rows, those of the right ones columns.
pub struct Sides<'x> {
    columns: [&'x ColumnStore; 2],
    /// The places of all values of the two sides, in the order in which links number them.
    places: &'x [ColumnIndex],
}

/// A link, or several, with what they read of all rows and of a strip of columns.
pub(super) trait LinkStrip<const S: usize> {
    /// The results of a row; false if they have no meaning, because a link gave up.
    fn run<V: Groups>(&self, row: usize, c: &[u32; S], d: &mut [u32; S]) -> bool;
}

impl<'x> Sides<'x> {
    /// The columns of the programs that have prepared the two sides.
    pub fn of([left, right]: [&'x TapeProgram; 2], places: &'x [ColumnIndex]) -> Sides<'x> {
        let columns = [&left.memory.columns, &right.memory.columns];
        Sides { columns, places }
    }

    /// The same columns where they were kept, whose places are those of the copies.
    pub fn of_kept([left, right]: [&'x KeptColumns; 2], places: &'x [ColumnIndex]) -> Sides<'x> {
        let columns = [&left.columns, &right.columns];
        Sides { columns, places }
    }

    pub(super) fn column<T: ColumnType>(&self, side: usize, number: usize) -> &'x [T; LANES] {
        self.columns[side].get(self.places[number].number)
    }
}

/// The columns that a link reads, of rows and of columns.
pub(super) struct LinkColumns<'x, T> {
    pub(super) rule: &'x LinkRule,
    pub(super) exponents: NarrowPairs<'x, T>,
    /// The signs of products, as bytes with all bits or no bits set.
    pub(super) signs: NarrowPairs<'x, u8>,
    /// The factors of rows and of columns, in groups.
    pub(super) products: Vec<Vec<[&'x [u32; LANES]; 2]>>,
}

impl<'x, T: ColumnType> LinkColumns<'x, T> {
    #[inline(always)]
    pub(super) fn new(sides: &Sides<'x>, link: &'x Link, rows: &Range<usize>) -> Self {
        let columns = |pair: &[usize; 2]| [sides.column(0, pair[0]), sides.column(1, pair[1])];
        let products = link.products.iter();
        let products = products.map(|group| group.iter().map(columns).collect());
        LinkColumns {
            rule: &link.rule,
            exponents: NarrowPairs::new(sides, &link.exponents, rows),
            signs: NarrowPairs::new(sides, &link.signs, rows),
            products: products.collect(),
        }
    }
}

/// Pairs of columns of narrow integers, of rows and of columns.
pub(super) struct NarrowPairs<'x, T> {
    /// The integers of the rows, each repeated in 32 bits: those of the first row, then of the next one.
    repeated: Vec<u32>,
    first: usize,
    columns: Vec<&'x [T; LANES]>,
}

impl<'x, T: ColumnType> NarrowPairs<'x, T> {
    #[inline(always)]
    fn new(sides: &Sides<'x>, pairs: &[[usize; 2]], rows: &Range<usize>) -> Self {
        let lefts = pairs.iter().map(|pair| sides.column::<T>(0, pair[0]));
        let lefts: Vec<_> = lefts.collect();
        let of_row = |row: usize| lefts.iter().map(move |left| repeated_in_32::<T>(left[row]));
        let columns = pairs.iter().map(|pair| sides.column::<T>(1, pair[1]));
        NarrowPairs {
            repeated: rows.clone().flat_map(of_row).collect(),
            first: rows.start,
            columns: columns.collect(),
        }
    }

    /// The number of pairs.
    pub(super) fn count(&self) -> usize {
        self.columns.len()
    }

    /// The integers of a row, repeated in 32 bits, each with those of all columns.
    #[inline(always)]
    pub(super) fn each(&self, row: usize) -> impl Iterator<Item = (u32, &'x [T; LANES])> {
        let start = (row - self.first) * self.columns.len();
        let lefts = self.repeated[start..].iter().copied();
        lefts.zip(self.columns.iter().copied())
    }
}

/// The part of a column that is strip `number` of `S` lanes.
#[inline(always)]
pub(super) fn strip_of<T, const S: usize>(column: &[T; LANES], number: usize) -> &[T; S] {
    &column.as_chunks().0[number]
}

/// The number as often as it fits 32 bits.
#[inline(always)]
fn repeated_in_32<T: ColumnType>(number: T) -> u32 {
    let number = number.number() as u32;
    let pair = if T::TYPE == Type::U8 {
        number | number << 8
    } else {
        number
    };
    pair | pair << 16
}

/// The same for exponents of one of the types.
pub(super) enum AnyLinkColumns<'x> {
    U8(LinkColumns<'x, u8>),
    U16(LinkColumns<'x, u16>),
}

/// Links of a chain, and which strip of columns they are run on.
pub(super) struct ChainStrip<'x> {
    pub(super) links: &'x [AnyLinkColumns<'x>],
    pub(super) number: usize,
}
