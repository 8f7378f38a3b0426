//! Columns and the memory that holds them. A column has one value of a program in every lane; a
//! lane is one of the inputs that are evaluated together.

use super::element::{Element, Type};

/// The number of inputs that are evaluated together. With fewer inputs, each operation costs more
/// for each input; with more inputs, the columns do not fit the cache.
pub const LANES: usize = 256;

/// A value of a program in every lane.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Column<T>(pub(super) [T; LANES]);

impl<T: Element> Column<T> {
    fn new() -> Box<Self> {
        Box::new(Column([T::default(); LANES]))
    }
}

/// All columns of a program, by the type of their elements.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::vec_box,
    reason = "a column that is written changes places with a spare one"
)]
pub(super) struct ColumnStore {
    u8: Vec<Box<Column<u8>>>,
    u16: Vec<Box<Column<u16>>>,
    u32: Vec<Box<Column<u32>>>,
    u64: Vec<Box<Column<u64>>>,
    u128: Vec<Box<Column<u128>>>,
}

/// A spare column of each type. An operation writes its result to the spare column, which then
/// changes places with the column for the result. Thus no operation writes a column that it reads.
#[derive(Clone, Debug)]
pub(super) struct SpareColumns {
    u8: Box<Column<u8>>,
    u16: Box<Column<u16>>,
    u32: Box<Column<u32>>,
    u64: Box<Column<u64>>,
    u128: Box<Column<u128>>,
}

impl Default for SpareColumns {
    fn default() -> Self {
        SpareColumns {
            u8: Column::new(),
            u16: Column::new(),
            u32: Column::new(),
            u64: Column::new(),
            u128: Column::new(),
        }
    }
}

/// The memory of a running program.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub(super) columns: ColumnStore,
    pub(super) spares: SpareColumns,
}

/// The types that the elements of a program's columns can have.
pub trait ColumnType: Element {
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "for programs alone")]
    fn all(columns: &ColumnStore) -> &[Box<Column<Self>>];
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "for programs alone")]
    fn all_mut(columns: &mut ColumnStore) -> &mut Vec<Box<Column<Self>>>;
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "for programs alone")]
    fn spare(spares: &mut SpareColumns) -> &mut Box<Column<Self>>;
}

macro_rules! stored {
    ($type:ident) => {
        #[expect(private_interfaces, reason = "for programs alone")]
        impl ColumnType for $type {
            #[inline(always)]
            fn all(columns: &ColumnStore) -> &[Box<Column<Self>>] {
                &columns.$type
            }
            #[inline(always)]
            fn all_mut(columns: &mut ColumnStore) -> &mut Vec<Box<Column<Self>>> {
                &mut columns.$type
            }
            #[inline(always)]
            fn spare(spares: &mut SpareColumns) -> &mut Box<Column<Self>> {
                &mut spares.$type
            }
        }
    };
}
stored!(u8);
stored!(u16);
stored!(u32);
stored!(u64);
stored!(u128);

impl ColumnStore {
    /// The column of type `T` with this number.
    #[inline(always)]
    pub(super) fn get<T: ColumnType>(&self, number: u16) -> &[T; LANES] {
        &T::all(self)[number as usize].0
    }

    /// The column of type `T` with this number, to be changed: a caller writes the inputs of a
    /// program this way.
    pub(super) fn get_mut<T: ColumnType>(&mut self, number: u16) -> &mut [T; LANES] {
        &mut T::all_mut(self)[number as usize].0
    }

    /// The number of columns of the type that has the most columns.
    pub(super) fn most(&self) -> usize {
        let counts = [self.u8.len(), self.u16.len(), self.u32.len()];
        let most = counts.into_iter().max().unwrap_or(0);
        most.max(self.u64.len()).max(self.u128.len())
    }

    /// The bytes of all columns.
    pub(super) fn bytes(&self) -> usize {
        let [u8, u16, u32] = [self.u8.len(), 2 * self.u16.len(), 4 * self.u32.len()];
        LANES * (u8 + u16 + u32 + 8 * self.u64.len() + 16 * self.u128.len())
    }

    /// Adds a column, and returns its number among the columns of its type.
    pub(super) fn push(&mut self, of: Type) -> u16 {
        fn one<T: ColumnType>(columns: &mut ColumnStore) -> u16 {
            let all = T::all_mut(columns);
            all.push(Column::new());
            (all.len() - 1) as u16
        }
        match of {
            Type::U8 => one::<u8>(self),
            Type::U16 => one::<u16>(self),
            Type::U32 => one::<u32>(self),
            Type::U64 => one::<u64>(self),
            Type::U128 => one::<u128>(self),
        }
    }
}

impl Memory {
    /// The spare column of a type, to be written, and all columns, to be read. An operation must
    /// loop over these columns in its own function, not in a closure: only that function is sure to
    /// be compiled for the features of the processor.
    #[inline(always)]
    pub(super) fn open<T: ColumnType>(&mut self) -> (&mut [T; LANES], &ColumnStore) {
        (&mut T::spare(&mut self.spares).0, &self.columns)
    }

    /// Swaps the spare column, which now holds a result, with the column `to`.
    #[inline(always)]
    pub(super) fn close<T: ColumnType>(&mut self, to: u16) {
        let spare = T::spare(&mut self.spares);
        std::mem::swap(spare, &mut T::all_mut(&mut self.columns)[to as usize]);
    }
}

/// The least and the greatest element of a column.
#[inline(always)]
pub(super) fn ends<T: ColumnType>(column: &[T; LANES]) -> [T; 2] {
    let [mut least, mut greatest] = [column[0]; 2];
    for element in column {
        least = if *element < least { *element } else { least };
        greatest = if *element > greatest {
            *element
        } else {
            greatest
        };
    }
    [least, greatest]
}
