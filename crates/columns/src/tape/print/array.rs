//! Arrays of registers: the parameters of a printed tape.

use super::words::literal;
use crate::tape::element::Type;

/// An array of registers, the same number of them for each dot-add.
#[derive(Clone, Debug)]
pub struct Array {
    /// The name of the parameter.
    pub name: String,
    /// A description of the registers for a reader.
    pub what: String,
    /// The width of a register in bits, at most 64.
    pub width: u32,
    /// The number of registers of one dot-add, at least one.
    pub length: usize,
}

impl Array {
    /// The width of the integers that hold the registers.
    pub(super) fn bits(&self) -> u32 {
        self.width.next_power_of_two().clamp(8, 64)
    }

    /// The register at a position, of the dot-add with the number `lane`.
    pub(super) fn element(&self, position: usize, lane: &str) -> String {
        let Array { name, length, .. } = self;
        match (length, position) {
            (1, _) => format!("{name}[{lane}]"),
            (_, 0) => format!("{name}[{length} * {lane}]"),
            _ => format!("{name}[{length} * {lane} + {position}]"),
        }
    }

    /// The register in an element, without the bits above it.
    pub(super) fn cut(&self, element: String) -> String {
        if self.width == self.bits() {
            return element;
        }
        let mask = literal((1 << self.width) - 1, Type::of(self.bits()));
        format!("{element} & {mask}")
    }
}
