//! Registers of one operand, and their transfer into programs.

use mmasmt_columns::tape::{ColumnIndex, ColumnType, Features, RegisterClass, TapeProgram, Type};
use mmasmt_numbers::float::{Format, SpecialCodes};
use std::ops::Range;

/// Registers of one operand in the narrowest type that holds its format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named by its elements")]
pub enum ColumnData {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
}

impl ColumnData {
    pub fn new(format: &Format) -> ColumnData {
        match format.width() {
            0..=8 => ColumnData::U8(Vec::new()),
            9..=16 => ColumnData::U16(Vec::new()),
            17..=32 => ColumnData::U32(Vec::new()),
            _ => ColumnData::U64(Vec::new()),
        }
    }

    pub fn push(&mut self, bits: u64) {
        match self {
            ColumnData::U8(column) => column.push(bits as u8),
            ColumnData::U16(column) => column.push(bits as u16),
            ColumnData::U32(column) => column.push(bits as u32),
            ColumnData::U64(column) => column.push(bits),
        }
    }

    /// Appends registers.
    pub fn extend(&mut self, registers: impl Iterator<Item = u64>) {
        match self {
            ColumnData::U8(column) => column.extend(registers.map(|bits| bits as u8)),
            ColumnData::U16(column) => column.extend(registers.map(|bits| bits as u16)),
            ColumnData::U32(column) => column.extend(registers.map(|bits| bits as u32)),
            ColumnData::U64(column) => column.extend(registers),
        }
    }

    /// Appends the same register `count` times.
    pub fn repeat(&mut self, register: u64, count: usize) {
        match self {
            ColumnData::U8(column) => column.resize(column.len() + count, register as u8),
            ColumnData::U16(column) => column.resize(column.len() + count, register as u16),
            ColumnData::U32(column) => column.resize(column.len() + count, register as u32),
            ColumnData::U64(column) => column.resize(column.len() + count, register),
        }
    }

    /// Drops registers beyond the first `count`, or appends zeros up to them.
    pub fn resize(&mut self, count: usize) {
        match self {
            ColumnData::U8(column) => column.resize(count, 0),
            ColumnData::U16(column) => column.resize(count, 0),
            ColumnData::U32(column) => column.resize(count, 0),
            ColumnData::U64(column) => column.resize(count, 0),
        }
    }

    /// Appends the registers at the positions `part` of another column. That column has the same
    /// format, and has all these positions.
    pub fn copy(&mut self, from: &ColumnData, part: Range<usize>) {
        match (self, from) {
            (ColumnData::U8(column), ColumnData::U8(from)) => column.extend(&from[part]),
            (ColumnData::U16(column), ColumnData::U16(from)) => column.extend(&from[part]),
            (ColumnData::U32(column), ColumnData::U32(from)) => column.extend(&from[part]),
            (ColumnData::U64(column), ColumnData::U64(from)) => column.extend(&from[part]),
            (column, from) => column.extend(part.map(|index| from.get(index))),
        }
    }

    /// Appends every `step`-th register at the positions `part` of another column, beginning with
    /// the first of them. That column has the same format.
    pub fn copy_each(&mut self, from: &ColumnData, part: Range<usize>, step: usize) {
        fn copy<T: Copy>(to: &mut Vec<T>, from: &[T], step: usize) {
            to.extend(from.iter().step_by(step).copied());
        }
        match (self, from) {
            (ColumnData::U8(column), ColumnData::U8(from)) => copy(column, &from[part], step),
            (ColumnData::U16(column), ColumnData::U16(from)) => copy(column, &from[part], step),
            (ColumnData::U32(column), ColumnData::U32(from)) => copy(column, &from[part], step),
            (ColumnData::U64(column), ColumnData::U64(from)) => copy(column, &from[part], step),
            (column, from) => column.extend(part.step_by(step).map(|index| from.get(index))),
        }
    }

    /// Whether the column has the type for `format` and has the positions `part`, and the registers
    /// at these positions have no bits above those of `format`.
    pub(super) fn has_registers_of(&self, format: &Format, part: Range<usize>) -> bool {
        fn fit<T: Copy + Into<u64>>(column: &[T], format: &Format, part: Range<usize>) -> bool {
            let whole = u32::try_from(8 * size_of::<T>()) == Ok(format.width());
            let fits = |bits: &T| whole || (*bits).into() >> format.width() == 0;
            column.get(part).is_some_and(|part| part.iter().all(fits))
        }
        match (self, ColumnData::new(format)) {
            (ColumnData::U8(column), ColumnData::U8(_)) => fit(column, format, part),
            (ColumnData::U16(column), ColumnData::U16(_)) => fit(column, format, part),
            (ColumnData::U32(column), ColumnData::U32(_)) => fit(column, format, part),
            (ColumnData::U64(column), ColumnData::U64(_)) => fit(column, format, part),
            _ => false,
        }
    }

    /// The number of registers.
    pub fn len(&self) -> usize {
        match self {
            ColumnData::U8(column) => column.len(),
            ColumnData::U16(column) => column.len(),
            ColumnData::U32(column) => column.len(),
            ColumnData::U64(column) => column.len(),
        }
    }

    /// The number of bytes of a register.
    pub fn register_bytes(&self) -> usize {
        match self {
            ColumnData::U8(_) => 1,
            ColumnData::U16(_) => 2,
            ColumnData::U32(_) => 4,
            ColumnData::U64(_) => 8,
        }
    }

    /// The bytes of all registers, the low byte of each first.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            ColumnData::U8(column) => column.clone(),
            ColumnData::U16(column) => column.iter().flat_map(|bits| bits.to_le_bytes()).collect(),
            ColumnData::U32(column) => column.iter().flat_map(|bits| bits.to_le_bytes()).collect(),
            ColumnData::U64(column) => column.iter().flat_map(|bits| bits.to_le_bytes()).collect(),
        }
    }

    /// Drops all registers and keeps the memory.
    pub fn clear(&mut self) {
        match self {
            ColumnData::U8(column) => column.clear(),
            ColumnData::U16(column) => column.clear(),
            ColumnData::U32(column) => column.clear(),
            ColumnData::U64(column) => column.clear(),
        }
    }

    pub fn get(&self, row: usize) -> u64 {
        match self {
            ColumnData::U8(column) => column[row].into(),
            ColumnData::U16(column) => column[row].into(),
            ColumnData::U32(column) => column[row].into(),
            ColumnData::U64(column) => column[row],
        }
    }

    /// Whether a register in this part of the column is an infinity or a NaN.
    pub fn has_special(&self, format: &Format, part: Range<usize>) -> bool {
        special(format).is_some_and(|special| self.is_above(special, part))
    }

    pub(super) fn is_above(&self, special: [u64; 3], part: Range<usize>) -> bool {
        fn any<T: ColumnType>(column: &[T], part: Range<usize>, special: [u64; 3]) -> bool {
            above(special).any(Features::detected(), &column[part])
        }
        match self {
            ColumnData::U8(column) => any(column, part, special),
            ColumnData::U16(column) => any(column, part, special),
            ColumnData::U32(column) => any(column, part, special),
            ColumnData::U64(column) => any(column, part, special),
        }
    }

    /// Copies registers as [`load`](Self::load) does, and returns whether one of them is an
    /// infinity or a NaN according to `special`.
    pub(super) fn load_unless(
        &self,
        program: &mut TapeProgram,
        place: ColumnIndex,
        special: [u64; 3],
        part: Range<usize>,
    ) -> bool {
        fn copy<T: ColumnType>(
            program: &mut TapeProgram,
            place: ColumnIndex,
            registers: &[T],
            special: [u64; 3],
        ) -> bool {
            let (lanes, rest) = program.column_mut::<T>(place).split_at_mut(registers.len());
            rest.fill(T::default());
            above(special).any_copied(Features::detected(), registers, lanes)
        }
        match (self, place.of) {
            (ColumnData::U8(column), Type::U8) => copy(program, place, &column[part], special),
            (ColumnData::U16(column), Type::U16) => copy(program, place, &column[part], special),
            (ColumnData::U32(column), Type::U32) => copy(program, place, &column[part], special),
            (ColumnData::U64(column), Type::U64) => copy(program, place, &column[part], special),
            _ => {
                self.load(program, place, part.clone());
                self.is_above(special, part)
            }
        }
    }

    /// Copies the registers at the positions `part` into the first lanes of a program's input. The
    /// remaining lanes become 0.
    pub fn load(&self, program: &mut TapeProgram, place: ColumnIndex, part: Range<usize>) {
        fn copy<T: ColumnType>(program: &mut TapeProgram, place: ColumnIndex, registers: &[T]) {
            let (lanes, rest) = program.column_mut::<T>(place).split_at_mut(registers.len());
            lanes.copy_from_slice(registers);
            rest.fill(T::default());
        }
        match (self, place.of) {
            (ColumnData::U8(column), Type::U8) => copy(program, place, &column[part]),
            (ColumnData::U16(column), Type::U16) => copy(program, place, &column[part]),
            (ColumnData::U32(column), Type::U32) => copy(program, place, &column[part]),
            (ColumnData::U64(column), Type::U64) => copy(program, place, &column[part]),
            // An input and its column have the same type: the narrowest one that holds the format.
            _ => debug_assert!(false, "a column of another type"),
        }
    }

    /// Puts the first lanes of a program's column into the positions `part`. That column holds registers
    /// of the format of this column.
    pub fn put(&mut self, program: &TapeProgram, place: ColumnIndex, part: Range<usize>) {
        fn copy<T: ColumnType>(to: &mut [T], program: &TapeProgram, place: ColumnIndex) {
            to.copy_from_slice(&program.column(place)[..to.len()]);
        }
        fn each<T: ColumnType>(to: &mut [T], program: &TapeProgram, place: ColumnIndex) {
            for (lane, to) in to.iter_mut().enumerate() {
                *to = T::of(program.lane(place, lane).into());
            }
        }
        match (self, place.of) {
            (ColumnData::U8(to), Type::U8) => copy(&mut to[part], program, place),
            (ColumnData::U16(to), Type::U16) => copy(&mut to[part], program, place),
            (ColumnData::U32(to), Type::U32) => copy(&mut to[part], program, place),
            (ColumnData::U64(to), Type::U64) => copy(&mut to[part], program, place),
            // A result whose values need fewer bits than its format may be in a narrower column.
            (ColumnData::U8(to), _) => each(&mut to[part], program, place),
            (ColumnData::U16(to), _) => each(&mut to[part], program, place),
            (ColumnData::U32(to), _) => each(&mut to[part], program, place),
            (ColumnData::U64(to), _) => each(&mut to[part], program, place),
        }
    }

    /// Appends the first `lanes` lanes of a program's column. That column holds registers of the
    /// format of this column.
    pub fn store(&mut self, program: &TapeProgram, place: ColumnIndex, lanes: usize) {
        let start = self.len();
        self.resize(start + lanes);
        self.put(program, place, start..start + lanes);
    }
}

/// The offset, the mask and the limit of the test [`RegisterClass`] for infinities and NaNs of the format;
/// `None` if the format has neither infinities nor NaNs.
pub(super) fn special(format: &Format) -> Option<[u64; 3]> {
    match format.specials {
        SpecialCodes::None => None,
        // The only special register has a one in the sign bit alone. The offset turns this
        // register, and no other, into all ones.
        SpecialCodes::NegativeZero => Some([!format.sign_mask(), u64::MAX, u64::MAX - 1]),
        SpecialCodes::Ieee | SpecialCodes::NanOnly => {
            let magnitudes = (1u64 << format.magnitude_bits()) - 1;
            let placed = |magnitude: u64| magnitude << format.dropped_bits;
            Some([0, placed(magnitudes), placed(format.max_finite())])
        }
    }
}

fn above<T: ColumnType>(special: [u64; 3]) -> RegisterClass<T> {
    let [offset, mask, limit] = special.map(|bits| T::of(bits.into()));
    RegisterClass {
        offset,
        mask,
        limit,
    }
}
