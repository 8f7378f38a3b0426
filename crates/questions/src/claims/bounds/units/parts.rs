//! Products in parts: some bits of each significand, multiplied by some bits of the other one.
//!
//! The products of all parts of two factors have one sign and sum to the product of the factors. So each sum of them is at
//! most the product in magnitude, and what is left out is at most the bits that are left out of both significands at their
//! greatest, beside the product of two significands that are 1.

use super::super::bound::{rounded_up, scaled};
use super::amounts::{Amount, Linear};
use super::values::{BoundedSum, BoundsValue, PartPair, SignificandPart};
use super::walk::BoundsWalk;
use mmasmt_core::machines::algorithms::descriptions::{Slot, TermStep, Zeros};
use mmasmt_numbers::float::{Dyadic, Rounding};
use num_bigint::BigInt;

impl BoundsWalk<'_> {
    /// Some bits of the significand of a factor, which are cut from it; or a sum that loses its lowest bits.
    pub(super) fn part(
        &mut self,
        slot: Slot,
        [low, bits]: [u32; 2],
        by: Rounding,
    ) -> Option<BoundsValue> {
        let BoundsValue::Factor(of) = self.values[slot as usize] else {
            return self.shortened(slot, [low, bits], by).map(BoundsValue::Sum);
        };
        let width = self.program.extent(slot).width;
        let is_cut = by == Rounding::Rz || low == 0;
        (is_cut && of.rounded.is_none()).then_some(BoundsValue::Part(SignificandPart {
            of,
            low,
            bits,
            width,
            shift: 0,
        }))
    }

    /// A sum without its lowest bits: it is off by less than one of the places that are left.
    fn shortened(&mut self, slot: Slot, [low, bits]: [u32; 2], by: Rounding) -> Option<BoundedSum> {
        let extent = self.program.extent(slot);
        if low + bits < extent.width {
            return None;
        }
        let sum = self.sum(slot)?;
        if low == 0 {
            return Some(sum);
        }
        // What was lost before is a bit below the last place of the sum, and not of what is left of it.
        if sum.is_sticky {
            return None;
        }
        let place = i64::from(low) - extent.fraction - i64::from(by.is_to_nearest());
        let off = sum.reach.times(&scaled(1, place));
        let (error, reach) = (sum.error.plus(&off), sum.reach.clone());
        let most = match by {
            Rounding::Rz => sum.most.clone(),
            _ => sum.most.plus(&off),
        };
        Some(sum.apart().with(error, reach).within(most))
    }

    /// A part that is compared by another exponent.
    pub(super) fn compared_part(
        &self,
        part: SignificandPart,
        term: &TermStep,
    ) -> Option<BoundsValue> {
        let shift = part.shift + term.shift;
        (term.zeros == Zeros::None && !term.widen)
            .then_some(BoundsValue::Part(SignificandPart { shift, ..part }))
    }

    /// The product of parts of two factors.
    pub(super) fn product_of_parts(&mut self, parts: [SignificandPart; 2]) -> Option<BoundedSum> {
        let [left, right] = match parts {
            [left, right] if left.of.side == 0 && right.of.side == 1 => [left, right],
            [right, left] if left.of.side == 0 && right.of.side == 1 => [left, right],
            _ => return None,
        };
        let index = left.of.index;
        if right.of.index != index || self.pairs[index] {
            return None;
        }
        // Bits that a format does not have are zeros.
        let cell = [left, right].map(|part| {
            let none = part.width.saturating_sub(part.of.format.precision());
            [part.low.max(none), (part.low + part.bits).max(none)].map(|bit| bit - none)
        });
        let is_twice = |other: &PartPair| {
            cell.iter()
                .zip(other)
                .all(|(own, other)| own[0] < other[1] && other[0] < own[1])
        };
        if self.cells[index].iter().any(is_twice) {
            return None;
        }
        self.cells[index].push(cell);
        let factors = [left.of, right.of];
        let error = self.lost(factors);
        let reach = self.reach_of(factors, self.factors);
        Some(BoundedSum {
            products: Some([index; 2]),
            cells: 1,
            linear: Linear {
                of_all: error.greatest(),
                absolute: error.absolute.clone(),
            },
            error,
            reach: reach.times(&scaled(1, left.shift + right.shift)),
            most: Amount::of(0, 1),
            ..BoundedSum::exact(false)
        })
    }

    /// The bound of what a sum of parts leaves out of its products; `None` if parts are missing that the sum does not show.
    pub(super) fn left_out(&self, sum: &BoundedSum) -> Option<Amount> {
        let recorded: usize = self.cells.iter().map(Vec::len).sum();
        if recorded != sum.cells {
            return None;
        }
        let mut widths = [0; 2];
        for part in self.parts() {
            widths[part.of.side] = part.of.format.precision();
        }
        let in_parts = self.cells.iter().filter(|cells| !cells.is_empty());
        let count = in_parts.clone().count();
        let most = in_parts.map(|cells| left_out_of(cells, widths)).max()?;
        if most == BigInt::from(0) {
            return Some(Amount::none());
        }
        let unit = 2 - i64::from(widths[0] + widths[1]);
        let of_normal = Amount::of(0, 1).times(&rounded_up(&Dyadic::new(most, unit)));
        // A product with a factor below the normal numbers may be left out as a whole.
        let low = self
            .parts()
            .filter(|part| !self.is_normal(part))
            .map(|part| {
                let other = [self.factors.b, self.factors.a][part.of.side];
                i64::from(part.of.format.min_exponent()) + i64::from(other.highest) + 1
            });
        Some(match low.max() {
            None => of_normal,
            Some(exponent) => of_normal.with_absolute(&scaled(count as u64, exponent)),
        })
    }

    /// True if the factor is a normal number or zero.
    fn is_normal(&self, part: &SignificandPart) -> bool {
        let exponents = [self.factors.a, self.factors.b][part.of.side];
        part.of.flushed.is_some() || exponents.lowest >= part.of.format.min_exponent()
    }

    fn parts(&self) -> impl Iterator<Item = SignificandPart> {
        self.values.iter().filter_map(|value| match value {
            BoundsValue::Part(part) => Some(*part),
            _ => None,
        })
    }
}

/// The sum of the bits of a product that no cell has, in last places of the product.
fn left_out_of(cells: &[PartPair], widths: [u32; 2]) -> BigInt {
    let span = |[from, to]: [u32; 2]| (BigInt::from(1) << to) - (BigInt::from(1) << from);
    let all = span([0, widths[0]]) * span([0, widths[1]]);
    let held = cells.iter().map(|[left, right]| span(*left) * span(*right));
    all - held.sum::<BigInt>()
}
