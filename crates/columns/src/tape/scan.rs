//! A search for registers of a given kind, before or while the registers are copied into a program.

use super::columns::ColumnType;
use super::features::{Features, Work};

/// A kind of registers: all `x` for which `(x + offset) & mask` is more than `limit`. The sum is
/// modulo 2^width.
#[derive(Clone, Copy, Debug)]
pub struct RegisterClass<T> {
    /// The number that is added to a register first.
    pub offset: T,
    /// The bits of the sum that are compared with the limit.
    pub mask: T,
    /// The greatest value of these bits for a register that is not of the kind.
    pub limit: T,
}

impl<T: ColumnType> RegisterClass<T> {
    /// Whether one of the registers is of the kind.
    pub fn any(self, features: Features, registers: &[T]) -> bool {
        features.with(Search {
            kind: self,
            registers,
        })
    }

    /// Copies the registers to as many lanes, and returns whether one of them is of the kind.
    pub fn any_copied(self, features: Features, registers: &[T], lanes: &mut [T]) -> bool {
        features.with(Copy {
            kind: self,
            registers,
            lanes,
        })
    }

    #[inline(always)]
    fn is_of_kind(self, register: T) -> bool {
        register.add(self.offset).and(self.mask) > self.limit
    }
}

struct Search<'x, T> {
    kind: RegisterClass<T>,
    registers: &'x [T],
}

impl<T: ColumnType> Work for Search<'_, T> {
    type Result = bool;

    #[inline(always)]
    fn done(self) -> bool {
        // The loop has no early exit, so that many registers are tested at once.
        let mut any = false;
        for register in self.registers {
            any |= self.kind.is_of_kind(*register);
        }
        any
    }
}

struct Copy<'x, T> {
    kind: RegisterClass<T>,
    registers: &'x [T],
    lanes: &'x mut [T],
}

impl<T: ColumnType> Work for Copy<'_, T> {
    type Result = bool;

    #[inline(always)]
    fn done(self) -> bool {
        let mut any = false;
        for (lane, register) in self.lanes.iter_mut().zip(self.registers) {
            *lane = *register;
            any |= self.kind.is_of_kind(*register);
        }
        any
    }
}
