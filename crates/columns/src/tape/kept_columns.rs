//! Columns that a program has prepared, kept for other runs.

use super::columns::{ColumnStore, ColumnType};
use super::element::Type;
use super::program::{ColumnIndex, TapeProgram};

/// Copies of some columns of a program, in an order of their own.
#[derive(Clone, Debug, Default)]
pub struct KeptColumns {
    pub(super) columns: ColumnStore,
}

impl KeptColumns {
    /// The columns of `program` at these places. Their places among the copies are those that
    /// [`places_of`](Self::places_of) gives.
    pub fn of(program: &TapeProgram, places: &[ColumnIndex]) -> KeptColumns {
        let mut kept = KeptColumns::default();
        for place in places {
            kept.copy(program, *place);
        }
        kept
    }

    /// The places of the copies.
    pub fn places_of(places: &[ColumnIndex]) -> Vec<ColumnIndex> {
        let mut counts = [0; 5];
        let place = |place: &ColumnIndex| {
            let count = &mut counts[place.of as usize];
            *count += 1;
            ColumnIndex {
                of: place.of,
                number: *count - 1,
            }
        };
        places.iter().map(place).collect()
    }

    /// The bytes of all columns.
    pub fn bytes(&self) -> usize {
        self.columns.bytes()
    }

    fn copy(&mut self, program: &TapeProgram, place: ColumnIndex) {
        fn one<T: ColumnType>(to: &mut ColumnStore, program: &TapeProgram, place: ColumnIndex) {
            let number = to.push(place.of);
            *to.get_mut::<T>(number) = *program.column::<T>(place);
        }
        let to = &mut self.columns;
        match place.of {
            Type::U8 => one::<u8>(to, program, place),
            Type::U16 => one::<u16>(to, program, place),
            Type::U32 => one::<u32>(to, program, place),
            Type::U64 => one::<u64>(to, program, place),
            Type::U128 => one::<u128>(to, program, place),
        }
    }
}
