//! Parts of significands, numbers that are compared by another exponent, and sums of which a unit
//! loses some.

use super::super::terms::GridTerm as OnGrid;
use super::super::terms::ZeroRule;
use super::values::{ExactnessValue, Factor, FactorBits, ProductPart, Products};
use super::walk::ExactnessWalk;
use mmasmt_core::machines::algorithms::descriptions::{Fuse, FusedTerm, Slot, TermStep, Zeros};
use mmasmt_numbers::float::Rounding;

impl ExactnessWalk<'_> {
    /// Some bits of the significand of a factor, which are all that it has if it has few and these are the highest.
    pub(super) fn part(&self, of: Slot, bits: [u32; 2], by: Rounding) -> Option<ExactnessValue> {
        let ExactnessValue::Factor(factor) = &self.values[of as usize] else {
            return None;
        };
        let [low, high] = bits;
        let values = &factor.operand.values;
        let is_highest = high == self.program.extent(of).width;
        let is_normal = !values.goes_below(factor.format.min_exponent().into());
        let is_all = values.has_bits((high - low).into(), i64::MIN / 2);
        let alone = (is_highest && is_normal && is_all && high - low > 1).then(|| {
            let format = match high - low <= factor.format.fraction_bits {
                true => factor.format.with_fraction(high - low - 1),
                false => factor.format,
            };
            Factor {
                operand: factor.operand.widened(&format),
                format,
                ..factor.clone()
            }
        });
        if by != Rounding::Rz && low > 0 {
            return alone.map(ExactnessValue::Factor);
        }
        Some(ExactnessValue::Part(FactorBits {
            of: factor.clone(),
            bits,
            alone,
        }))
    }

    /// The product of parts of two factors, or of one that has no other parts.
    pub(super) fn product_of_parts(
        &self,
        left: &FactorBits,
        right: &FactorBits,
    ) -> Option<ExactnessValue> {
        let of = self.of_factors(&left.of, &right.of)?;
        let bits = match left.of.side {
            0 => [left.bits, right.bits],
            _ => [right.bits, left.bits],
        };
        let alone = left.alone.as_ref().zip(right.alone.as_ref());
        let alone = alone.and_then(|(left, right)| self.of_factors(left, right));
        Some(ExactnessValue::PartOfProduct(ProductPart {
            of,
            bits,
            alone,
        }))
    }

    /// The terms of a fused sum, where the products of all parts of two factors are the product of these. They have
    /// no exponent above its own; and if no bit of it is cut, none of theirs is: a power of two that divides a
    /// significand divides each part of it.
    pub(super) fn whole(&self, fuse: &Fuse) -> Option<Vec<(FusedTerm, ExactnessValue)>> {
        let mut whole = Vec::with_capacity(fuse.terms.len());
        let mut parts: Vec<(FusedTerm, &ProductPart)> = Vec::new();
        for term in &fuse.terms {
            match &self.values[term.of as usize] {
                ExactnessValue::PartOfProduct(part) => parts.push((*term, part)),
                value => whole.push((*term, value.clone())),
            }
        }
        while let Some((aligned, first)) = parts.first().copied() {
            let index = |part: &ProductPart| part.of.all.first().map(|product| product.index);
            let (own, others): (Vec<_>, Vec<_>) = parts
                .into_iter()
                .partition(|(_, part)| index(part) == index(first));
            parts = others;
            let are_alike = own.iter().all(|(other, _)| {
                (other.keep, other.by) == (aligned.keep, Rounding::Rz) && other.again.is_none()
            });
            let bits: Vec<_> = own.iter().map(|(_, part)| part.bits).collect();
            let [a, b] = &first.of.formats;
            match are_alike && are_all(bits, [a.precision(), b.precision()], aligned.keep) {
                true => whole.push((aligned, ExactnessValue::Products(first.of.clone()))),
                false => {
                    for (aligned, part) in own {
                        whole.push((aligned, ExactnessValue::Products(part.alone.clone()?)));
                    }
                }
            }
        }
        Some(whole)
    }

    /// A number that is compared by another exponent where it is zero.
    pub(super) fn compared(&self, term: &TermStep) -> Option<ExactnessValue> {
        if term.room != 0 {
            return None;
        }
        let alone = match &self.values[term.of as usize] {
            ExactnessValue::Part(part) => part.alone.clone().map(ExactnessValue::Factor),
            ExactnessValue::PartOfProduct(part) => part.alone.clone().map(ExactnessValue::Products),
            other => Some(other.clone()),
        };
        match (&alone?, term.zeros) {
            (ExactnessValue::Products(products), Zeros::None)
                if products.group.is_none() && products.rule == ZeroRule::Skip =>
            {
                Some(ExactnessValue::Products(Products {
                    up: products
                        .up
                        .checked_add_signed(i32::try_from(term.shift).ok()?)?,
                    ..products.clone()
                }))
            }
            _ if term.shift != 0 => None,
            (ExactnessValue::Factor(factor), Zeros::None) if factor.rule == ZeroRule::Skip => {
                Some(ExactnessValue::Factor(factor.clone()))
            }
            (ExactnessValue::Products(_), Zeros::At(zero)) => {
                let term = self.on_grid(term.of)?;
                let exponent = term.exponent.map_or(zero, |exponent| exponent.max(zero));
                Some(ExactnessValue::Number(OnGrid {
                    exponent: Some(exponent),
                    ..term
                }))
            }
            _ => None,
        }
    }

    /// A number that is never dropped: where it is not zero, it is too large for so small an exponent.
    pub(super) fn dropped(&self, of: Slot, exponent: i64) -> Option<ExactnessValue> {
        let term = self.on_grid(of)?;
        let integers = self.program.extent(of).integer_bits();
        let stays = |least: i64| least - integers >= exponent;
        term.sum
            .values
            .least()
            .is_none_or(stays)
            .then_some(ExactnessValue::Number(term))
    }

    /// A sum that is never minus one in the last place.
    pub(super) fn counted(&self, of: Slot) -> Option<ExactnessValue> {
        let term = self.on_grid(of)?;
        let fraction = self.program.extent(of).fraction;
        let is_greater = |least: i64| {
            term.exponent
                .is_some_and(|exponent| least > exponent - fraction)
        };
        let is_safe = term.sum.values.least().is_none_or(is_greater);
        is_safe.then_some(ExactnessValue::Number(term))
    }
}

/// Whether these products of parts are the whole product of two significands, where it is a multiple of `2^-keep` relative
/// to its exponent. The lowest bits by the lowest bits may be missing: where both significands have ones there, the product
/// has too many bits.
fn are_all(mut parts: Vec<[[u32; 2]; 2]>, widths: [u32; 2], keep: u32) -> bool {
    let count = parts.len();
    parts.sort_unstable();
    parts.dedup();
    if parts.len() != count {
        return false;
    }
    let rows = |side: usize| {
        let mut all: Vec<[u32; 2]> = parts.iter().map(|part| part[side]).collect();
        all.sort_unstable();
        all.dedup();
        let mut next = 0;
        let are_joined = all
            .iter()
            .all(|[low, high]| std::mem::replace(&mut next, *high) == *low);
        (are_joined && next == widths[side]).then_some(all)
    };
    let (Some(a), Some(b)) = (rows(0), rows(1)) else {
        return false;
    };
    let lowest = [a[0], b[0]];
    let zeros = (widths[0] + widths[1] - 2).saturating_sub(keep);
    let is_lowest_zero = zeros > 2 * (a[0][1].max(b[0][1]) - 1);
    match a.len() * b.len() - count {
        0 => true,
        1 => is_lowest_zero && !parts.contains(&lowest),
        _ => false,
    }
}
