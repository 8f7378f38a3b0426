//! Operands as rows with names. Code that iterates over all operands uses these rows, so that a new
//! row needs only a field of [`Registers`](super::Registers) and a line in each function that
//! chooses a row.

use super::signature::Signature;
use mmasmt_numbers::float::Format;

/// A row of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// Left factors.
    A,
    /// Right factors.
    B,
    /// The accumulator operand `c`: one register.
    C,
    /// Block scales of the left factors.
    AScales,
    /// Block scales of the right factors.
    BScales,
}

impl Operand {
    /// Every row, in the order of [`Registers::each`](super::Registers::each).
    pub const ALL: [Operand; 5] = [
        Operand::A,
        Operand::B,
        Operand::C,
        Operand::AScales,
        Operand::BScales,
    ];

    /// Every row in the order of a line of a vector file.
    pub const IN_LINE: [Operand; 5] = [
        Operand::C,
        Operand::A,
        Operand::B,
        Operand::AScales,
        Operand::BScales,
    ];

    /// The name of the row in files, options and answers.
    pub fn name(self) -> &'static str {
        match self {
            Operand::A => "a",
            Operand::B => "b",
            Operand::C => "c",
            Operand::AScales => "sa",
            Operand::BScales => "sb",
        }
    }

    /// The row with this name; `None` if no row has it.
    pub fn named(name: &str) -> Option<Operand> {
        Self::ALL.into_iter().find(|operand| operand.name() == name)
    }

    /// A description of the row's registers, for error messages.
    pub(super) fn what(self) -> &'static str {
        match self {
            Operand::A => "factors a",
            Operand::B => "factors b",
            Operand::C => "c",
            Operand::AScales => "scales of a",
            Operand::BScales => "scales of b",
        }
    }
}

/// The properties of a row in a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandRow {
    /// The row that has these properties.
    pub operand: Operand,
    /// The format of the row's registers.
    pub format: Format,
    /// The number of registers in the row.
    pub length: usize,
    /// The register that replaces a missing one: +0, or 1 for a scale.
    pub plain: u64,
}

impl Signature {
    /// The properties of a row; `None` if the dot-add does not have this row.
    #[inline(always)]
    pub fn row(&self, operand: Operand) -> Option<OperandRow> {
        let products = self.products as usize;
        let (format, length, plain) = match operand {
            Operand::A => (self.a, products, 0),
            Operand::B => (self.b, products, 0),
            Operand::C => (self.c, 1, 0),
            Operand::BScales if self.is_conversion() => return None,
            Operand::AScales | Operand::BScales => {
                let format = self.scales?.format;
                (format, self.scale_count() as usize, format.one())
            }
        };
        (format != Format::NONE).then_some(OperandRow {
            operand,
            format,
            length,
            plain,
        })
    }

    /// The number of registers of a row; `c` always is one register, which stands for nothing where a unit has no `c`.
    #[inline(always)]
    pub(super) fn length(&self, operand: Operand) -> usize {
        match operand {
            Operand::C => 1,
            _ => self.row(operand).map_or(0, |row| row.length),
        }
    }

    /// The rows that the dot-add has, in the order of [`Registers::each`](super::Registers::each).
    pub fn rows(&self) -> impl Iterator<Item = OperandRow> + Clone {
        Operand::ALL
            .into_iter()
            .filter_map(|operand| self.row(operand))
    }

    /// Whether `holds` is true for every row. There is no loop, for speed: simulators call this for
    /// all inputs.
    #[inline(always)]
    pub(super) fn every_row(&self, mut holds: impl FnMut(&OperandRow) -> bool) -> bool {
        let mut is_so = |operand| self.row(operand).is_none_or(|row| holds(&row));
        is_so(Operand::A)
            && is_so(Operand::B)
            && is_so(Operand::C)
            && is_so(Operand::AScales)
            && is_so(Operand::BScales)
    }

    /// The rows other than `a`, `b` and `c`: the block scales.
    pub fn further_rows(&self) -> impl Iterator<Item = OperandRow> + Clone {
        let all = [Operand::AScales, Operand::BScales].into_iter();
        all.filter_map(|operand| self.row(operand))
    }

    /// All rows in the order of a line of a vector file.
    pub fn rows_in_line(&self) -> impl Iterator<Item = OperandRow> + Clone {
        let all = Operand::IN_LINE.into_iter();
        all.filter_map(|operand| self.row(operand))
    }
}
