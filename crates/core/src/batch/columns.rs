//! Operands of many dot-adds, with one column for each register of a dot-add.

use super::column_data::{ColumnData, special};
use crate::machines::algorithms::{CheckedInputs, Inputs, Misfit, Operand, OperandRow, Signature};
use mmasmt_columns::tape::TapeProgram;
use std::ops::Range;

/// Operands of many dot-adds of one signature. The columns are in the order of
/// [`Registers::each`](crate::machines::algorithms::Registers::each).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    signature: Signature,
    columns: Vec<ColumnData>,
    /// For each column, the test that [`special`] gives for infinities and NaNs of its format.
    special: Vec<Option<[u64; 3]>>,
    rows: usize,
}

impl Columns {
    /// Columns without rows.
    pub fn new(signature: &Signature) -> Columns {
        let rows = signature.rows();
        let formats = rows.flat_map(|row| std::iter::repeat_n(row.format, row.length));
        let formats: Vec<_> = formats.collect();
        Columns {
            signature: *signature,
            columns: formats.iter().map(ColumnData::new).collect(),
            special: formats.iter().map(special).collect(),
            rows: 0,
        }
    }

    /// The signature of the dot-adds.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The number of dot-adds.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no dot-adds.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Drops all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(ColumnData::clear);
        self.rows = 0;
    }

    /// Appends a row.
    ///
    /// # Errors
    /// If the inputs do not fit the signature.
    pub fn push(&mut self, inputs: &Inputs) -> Result<(), Misfit> {
        inputs.checked(&self.signature)?;
        self.push_row(inputs);
        Ok(())
    }

    /// Appends a row of inputs that are already checked.
    ///
    /// # Errors
    /// If the inputs were checked for another signature.
    pub fn push_checked(&mut self, inputs: &CheckedInputs<'_>) -> Result<(), Misfit> {
        self.push_row(inputs.for_signature(&self.signature)?);
        Ok(())
    }

    /// Appends a row without a check. The caller knows that the row fits the signature, because
    /// this crate has made or read it that way.
    pub fn push_row(&mut self, inputs: &Inputs) {
        let registers = inputs.a.iter().chain(&inputs.b);
        let registers = registers.chain(self.signature.has_c().then_some(&inputs.c));
        let registers = registers.chain(&inputs.a_scales).chain(&inputs.b_scales);
        for (column, bits) in self.columns.iter_mut().zip(registers) {
            column.push(*bits);
        }
        self.rows += 1;
    }

    /// Replaces all rows by `rows` new rows. For each column, `write` gets the operand, the
    /// position of the column among the columns of this operand, and the empty column, to which it
    /// appends `rows` registers.
    pub fn fill(&mut self, rows: usize, mut write: impl FnMut(Operand, usize, &mut ColumnData)) {
        self.clear();
        let mut columns = self.columns.iter_mut();
        for operand in self.signature.rows() {
            for (place, column) in (0..operand.length).zip(columns.by_ref()) {
                write(operand.operand, place, column);
                debug_assert_eq!(column.len(), rows);
            }
        }
        self.rows = rows;
    }

    /// Replaces all rows by the dot-adds at the positions `part` of a list. `operands` holds the
    /// list in five columns: the registers of A, of B, of `c`, of the scales of A, and of the
    /// scales of B. Each column holds the registers of the first dot-add, then those of the second,
    /// and so on.
    ///
    /// Returns whether the five columns hold enough registers for `part`, and all of these
    /// registers fit their formats. If not, no rows are left.
    #[must_use]
    pub fn take(&mut self, operands: &[ColumnData; 5], part: Range<usize>) -> bool {
        let signature = self.signature;
        let of = |operand| match operand {
            Operand::A => &operands[0],
            Operand::B => &operands[1],
            Operand::C => &operands[2],
            Operand::AScales => &operands[3],
            Operand::BScales => &operands[4],
        };
        let fits = |row: OperandRow| {
            let part = part.start * row.length..part.end * row.length;
            of(row.operand).has_registers_of(&row.format, part)
        };
        if part.start > part.end || !signature.rows().all(fits) {
            self.clear();
            return false;
        }
        let length_of = |operand| {
            let mut rows = signature.rows();
            let row = rows.find(|row| row.operand == operand);
            row.map_or(1, |row| row.length)
        };
        self.fill(part.len(), |operand, place, column| {
            let length = length_of(operand);
            let from = part.start * length..part.end * length;
            // If the part has no rows, there is no first register.
            let first = (from.start + place).min(from.end);
            column.copy_each(of(operand), first..from.end, length);
        });
        true
    }

    /// The operands of a row; `row` is less than [`len`](Self::len).
    pub fn row(&self, row: usize) -> Inputs {
        let mut inputs = Inputs::zero(&self.signature);
        self.read_row(row, &mut inputs);
        inputs
    }

    /// Writes the operands of a row into `inputs`, which have the signature of the columns.
    pub(super) fn read_row(&self, row: usize, inputs: &mut Inputs) {
        let mut columns = self.columns.iter();
        for operand in self.signature.rows() {
            for register in inputs.row_mut(operand.operand) {
                *register = columns.next().map_or(0, |column| column.get(row));
            }
        }
    }

    /// Runs a program for finite operands on the rows `part`. The run stops at the first infinity
    /// or NaN. Returns whether all operands are finite.
    pub(super) fn run_finite(&self, program: &mut TapeProgram, part: Range<usize>) -> bool {
        // The program does not load a column that no result depends on, so these columns are tested
        // here.
        let mut others = self.columns.iter().zip(&self.special).enumerate();
        let special = others.any(|(index, (column, special))| match special {
            Some(special) if program.input(index).is_none() => {
                column.is_above(*special, part.clone())
            }
            _ => false,
        });
        !special
            && program.run_loading(|program, index, place| {
                let column = &self.columns[index];
                match self.special[index] {
                    Some(special) => !column.load_unless(program, place, special, part.clone()),
                    None => {
                        column.load(program, place, part.clone());
                        true
                    }
                }
            })
    }

    /// All columns, one for each register of a dot-add.
    pub fn columns(&self) -> &[ColumnData] {
        &self.columns
    }
}
