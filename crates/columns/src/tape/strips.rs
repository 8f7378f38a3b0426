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
    rule: &'x LinkRule,
    /// The exponents of rows, each repeated in 32 bits, and those of columns.
    exponents: Vec<([u32; LANES], &'x [T; LANES])>,
    /// The factors of rows and of columns, in groups.
    products: Vec<Vec<[&'x [u32; LANES]; 2]>>,
}

impl<'x, T: ColumnType> LinkColumns<'x, T> {
    #[inline(always)]
    pub(super) fn new(sides: &Sides<'x>, link: &'x Link, rows: &Range<usize>) -> Self {
        let mut exponents = Vec::with_capacity(link.exponents.len());
        for [left, right] in &link.exponents {
            let (left, mut repeated) = (sides.column::<T>(0, *left), [0; LANES]);
            for lane in rows.clone() {
                repeated[lane] = repeated_in_32::<T>(left[lane]);
            }
            exponents.push((repeated, sides.column::<T>(1, *right)));
        }
        let columns = |pair: &[usize; 2]| [sides.column(0, pair[0]), sides.column(1, pair[1])];
        let products = link.products.iter();
        let products = products.map(|group| group.iter().map(columns).collect());
        LinkColumns {
            rule: &link.rule,
            exponents,
            products: products.collect(),
        }
    }

    pub(super) fn strip<const S: usize>(&'x self, start: usize) -> Strip<'x, T, S> {
        fn part<T, const S: usize>(column: &[T; LANES], start: usize) -> &[T; S] {
            &column.as_chunks().0[start / S]
        }
        let exponents = self.exponents.iter();
        let factors = |[left, right]: &[&'x [u32; LANES]; 2]| (*left, part(right, start));
        let products = self.products.iter();
        let products = products.map(|group| group.iter().map(factors).collect());
        Strip {
            rule: self.rule,
            exponents: exponents
                .map(|(left, right)| (left, part(right, start)))
                .collect(),
            products: products.collect(),
        }
    }
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

/// The numbers that a link reads, of rows and of `S` columns.
pub(super) struct Strip<'x, T, const S: usize> {
    pub(super) rule: &'x LinkRule,
    pub(super) exponents: Vec<(&'x [u32; LANES], &'x [T; S])>,
    pub(super) products: Vec<Vec<(&'x [u32; LANES], &'x [u32; S])>>,
}

/// The same for exponents of one of the types.
pub(super) enum AnyLinkColumns<'x> {
    U8(LinkColumns<'x, u8>),
    U16(LinkColumns<'x, u16>),
}

pub(super) enum AnyStrip<'x, const S: usize> {
    U8(Strip<'x, u8, S>),
    U16(Strip<'x, u16, S>),
}
