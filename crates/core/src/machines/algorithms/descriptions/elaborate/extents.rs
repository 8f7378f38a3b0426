//! The forms of numbers that steps make, from those of their operands.

use super::{ElaborationResult, Elaborator, wrong};
use crate::machines::algorithms::descriptions::program::{
    Action, Extent, Fuse, Slot, SumZeros, TermStep, ValueKind, Zeros,
};
use crate::machines::algorithms::descriptions::tree::Place;
use mmasmt_numbers::float::{Format, unsigned_width};

impl Elaborator<'_> {
    /// The number of a value: a register becomes a term.
    pub(super) fn as_number(&mut self, at: Place, slot: Slot) -> ElaborationResult<Slot> {
        match self.kind(slot) {
            ValueKind::Number(_) => Ok(slot),
            ValueKind::Register(_) => self.term(at, TermStep::plain(slot)),
        }
    }

    pub(super) fn extent(&self, at: Place, slot: Slot) -> ElaborationResult<Extent> {
        match self.kind(slot) {
            ValueKind::Number(extent) => Ok(extent),
            ValueKind::Register(format) => {
                wrong(at, format!("a number, found a register of {format}"))
            }
        }
    }

    pub(super) fn register(&self, at: Place, slot: Slot) -> ElaborationResult<Format> {
        match self.kind(slot) {
            ValueKind::Register(format) => Ok(format),
            ValueKind::Number(_) => wrong(at, "a register, found a number that is not rounded"),
        }
    }

    pub(super) fn term(&mut self, at: Place, term: TermStep) -> ElaborationResult<Slot> {
        let mut extent = match self.kind(term.of) {
            ValueKind::Number(extent) => extent,
            ValueKind::Register(format)
                if format.is_integer() && matches!(term.zeros, Zeros::At(_)) =>
            {
                return wrong(
                    at,
                    "a floating-point register, whose zeros can have an exponent",
                );
            }
            ValueKind::Register(format) if format.is_integer() && term.widen => {
                return wrong(
                    at,
                    format!("a floating-point register with `widen`, found one of {format}"),
                );
            }
            ValueKind::Register(format) => Extent::of_format(&format),
        };
        if let Zeros::At(exponent) = term.zeros {
            extent.lowest = extent.lowest.min(exponent);
            extent.highest = extent.highest.max(exponent);
        }
        if term.widen {
            let format = self.register(at, term.of)?;
            extent.lowest = extent
                .lowest
                .min(i64::from(format.min_exponent()) - i64::from(format.fraction_bits));
        }
        extent.lowest += term.shift;
        extent.highest += term.shift;
        extent.fraction += term.shift + i64::from(term.room);
        extent.width += term.room;
        self.add(at, Action::Term(term), ValueKind::Number(extent))
    }

    pub(super) fn product(&mut self, at: Place, factors: [Slot; 2]) -> ElaborationResult<Slot> {
        let factors = [
            self.as_number(at, factors[0])?,
            self.as_number(at, factors[1])?,
        ];
        let [x, y] = [self.extent(at, factors[0])?, self.extent(at, factors[1])?];
        self.add(at, Action::Product(factors), ValueKind::Number(x.times(&y)))
    }

    pub(super) fn differ(&mut self, at: Place, pair: [Slot; 2]) -> ElaborationResult<Slot> {
        for slot in pair {
            let format = self.register(at, slot)?;
            if format.width() != 1 {
                return wrong(at, format!("a register of one bit, found one of {format}"));
            }
        }
        let extent = Extent {
            width: 1,
            fraction: 0,
            lowest: 0,
            highest: 0,
        };
        self.add(at, Action::Differ(pair), ValueKind::Number(extent))
    }

    pub(super) fn normalised(&mut self, at: Place, of: Slot) -> ElaborationResult<Slot> {
        let of = self.as_number(at, of)?;
        let extent = self.extent(at, of)?;
        let top = extent.integer_bits() - 1;
        let extent = Extent {
            fraction: i64::from(extent.width) - 1,
            lowest: extent.lowest + (top - i64::from(extent.width) + 1).min(0),
            highest: extent.highest + top.max(0),
            ..extent
        };
        self.add(at, Action::Normalise(of), ValueKind::Number(extent))
    }

    /// The exact sum of these numbers.
    pub(super) fn exact_sum(
        &mut self,
        at: Place,
        terms: Vec<Slot>,
        zeros: SumZeros,
    ) -> ElaborationResult<Slot> {
        let extent = self.exact(at, &terms)?;
        self.add(at, Action::Sum { terms, zeros }, ValueKind::Number(extent))
    }

    /// The form of the exact sum of these numbers: fixed point.
    fn exact(&self, at: Place, terms: &[Slot]) -> ElaborationResult<Extent> {
        let extents: Vec<Extent> = terms
            .iter()
            .map(|slot| self.extent(at, *slot))
            .collect::<ElaborationResult<_>>()?;
        let lowest = extents
            .iter()
            .map(|one| one.lowest - one.fraction)
            .min()
            .unwrap_or(0);
        let top = extents
            .iter()
            .map(|one| one.highest + one.integer_bits())
            .max()
            .unwrap_or(0);
        let carries = i64::from(unsigned_width(terms.len().saturating_sub(1) as u64));
        Ok(Extent {
            width: (top - lowest + carries).clamp(1, 1 << 20) as u32,
            fraction: -lowest,
            lowest: 0,
            highest: 0,
        })
    }

    /// The form of a fused sum.
    pub(super) fn fused(&self, at: Place, fuse: &Fuse) -> ElaborationResult<Extent> {
        let terms: Vec<Slot> = fuse.terms.iter().map(|term| term.of).collect();
        let extents: Vec<Extent> = terms
            .iter()
            .map(|slot| self.extent(at, *slot))
            .collect::<ElaborationResult<_>>()?;
        Ok(fuse.extent(&extents))
    }
}
