//! Transfer of values into a program, and from one program to another.

use super::columns::{ColumnType, LANES};
use super::element::Type;
use super::features::{Features, Work};
use super::program::{ColumnIndex, TapeProgram};
use std::ops::Range;

/// Columns of one program, each with the input of another program that gets one of its lanes.
#[derive(Clone, Debug, Default)]
pub struct LaneCopies {
    u8: Vec<[u16; 2]>,
    u16: Vec<[u16; 2]>,
    u32: Vec<[u16; 2]>,
    u64: Vec<[u16; 2]>,
}

impl LaneCopies {
    /// Adds a column and the input that gets its lane, of the same type of at most 64 bits.
    pub fn push(&mut self, from: ColumnIndex, to: ColumnIndex) {
        debug_assert!(from.of == to.of && from.of != Type::U128);
        let copies = match from.of {
            Type::U8 => &mut self.u8,
            Type::U16 => &mut self.u16,
            Type::U32 => &mut self.u32,
            Type::U64 | Type::U128 => &mut self.u64,
        };
        copies.push([from.number, to.number]);
    }
}

struct Fill<'x, T> {
    lanes: &'x mut [T],
    value: T,
}

impl<T: ColumnType> Work for Fill<'_, T> {
    type Result = ();

    #[inline(always)]
    fn done(self) {
        self.lanes.fill(self.value);
    }
}

impl TapeProgram {
    /// Writes one value to these lanes of an input. A column with fewer bits gets the low bits of
    /// the value.
    pub fn fill(
        &mut self,
        features: Features,
        place: ColumnIndex,
        lanes: Range<usize>,
        value: u64,
    ) {
        fn fill<T: ColumnType>(
            program: &mut TapeProgram,
            features: Features,
            place: ColumnIndex,
            lanes: Range<usize>,
            value: u64,
        ) {
            let value = T::of(value.into());
            let lanes = &mut program.column_mut::<T>(place)[lanes];
            features.with(Fill { lanes, value });
        }
        match place.of {
            Type::U8 => fill::<u8>(self, features, place, lanes, value),
            Type::U16 => fill::<u16>(self, features, place, lanes, value),
            Type::U32 => fill::<u32>(self, features, place, lanes, value),
            Type::U64 => fill::<u64>(self, features, place, lanes, value),
            Type::U128 => fill::<u128>(self, features, place, lanes, value),
        }
    }

    /// Copies one lane of columns of another program into the first lanes of inputs of this one.
    pub fn take_lanes(&mut self, copies: &LaneCopies, other: &TapeProgram, lane: usize) {
        fn take<T: ColumnType>(
            to: &mut TapeProgram,
            copies: &[[u16; 2]],
            from: &TapeProgram,
            lane: usize,
        ) {
            for [source, input] in copies {
                let value = from.memory.columns.get::<T>(*source)[lane];
                to.memory.columns.get_mut::<T>(*input)[0] = value;
            }
        }
        take::<u8>(self, &copies.u8, other, lane);
        take::<u16>(self, &copies.u16, other, lane);
        take::<u32>(self, &copies.u32, other, lane);
        take::<u64>(self, &copies.u64, other, lane);
    }

    /// The value in one lane; of a value of 128 bits, the low 64 bits.
    pub fn lane(&self, place: ColumnIndex, lane: usize) -> u64 {
        match place.of {
            Type::U8 => self.column::<u8>(place)[lane].into(),
            Type::U16 => self.column::<u16>(place)[lane].into(),
            Type::U32 => self.column::<u32>(place)[lane].into(),
            Type::U64 => self.column::<u64>(place)[lane],
            Type::U128 => self.column::<u128>(place)[lane] as u64,
        }
    }

    /// Copies the first `count` lanes of a column of another program into the lanes of an input of
    /// the same type, as many times as they fit.
    pub fn repeat(
        &mut self,
        place: ColumnIndex,
        other: &TapeProgram,
        from: ColumnIndex,
        count: usize,
    ) {
        fn repeat<T: ColumnType>(
            program: &mut TapeProgram,
            place: ColumnIndex,
            other: &TapeProgram,
            from: ColumnIndex,
            count: usize,
        ) {
            let values = &other.column::<T>(from)[..count];
            let chunks = program.column_mut::<T>(place).chunks_exact_mut(count);
            chunks.for_each(|chunk| chunk.copy_from_slice(values));
        }
        debug_assert!(place.of == from.of && count <= LANES);
        match place.of {
            Type::U8 => repeat::<u8>(self, place, other, from, count),
            Type::U16 => repeat::<u16>(self, place, other, from, count),
            Type::U32 => repeat::<u32>(self, place, other, from, count),
            Type::U64 => repeat::<u64>(self, place, other, from, count),
            Type::U128 => repeat::<u128>(self, place, other, from, count),
        }
    }
}
