//! A look through registers that are not in a program yet: whether one of them is of a kind.

use super::columns::Stored;
use super::features::{Features, Work};

/// A kind of registers `x`: those for which `x + offset & mask`, modulo the width, is more than `limit`.
#[derive(Clone, Copy, Debug)]
pub struct Above<T> {
    /// Added first.
    pub offset: T,
    /// Bits that matter.
    pub mask: T,
    /// The greatest that is not of the kind.
    pub limit: T,
}

impl<T: Stored> Above<T> {
    /// Whether one of the registers is of the kind.
    pub fn any(self, features: Features, registers: &[T]) -> bool {
        features.with(Search {
            kind: self,
            registers,
        })
    }
}

struct Search<'x, T> {
    kind: Above<T>,
    registers: &'x [T],
}

impl<T: Stored> Work for Search<'_, T> {
    type Result = bool;

    #[inline(always)]
    fn done(self) -> bool {
        let Above {
            offset,
            mask,
            limit,
        } = self.kind;
        // Without an early end, so that many are looked at at once.
        let mut any = false;
        for register in self.registers {
            any |= register.add(offset).and(mask) > limit;
        }
        any
    }
}
