//! Exact sums, fused sums, and numbers with fewer bits.

use super::super::sum::{OverflowValue, Sum, Zero};
use super::super::terms::{GridTerm as OnGrid, uncut};
use super::values::{Addend, Bounds, Distance, ExactnessValue, FusedSum, LoneAddend, Products};
use super::walk::ExactnessWalk;
use mmasmt_core::machines::algorithms::descriptions::{
    Cut, Fuse, FusedTerm, NegativeForm, Slot, SumZeros, ValueKind,
};
use mmasmt_numbers::float::Rounding;
use num_bigint::BigUint;

impl ExactnessWalk<'_> {
    pub(super) fn sum(
        &self,
        terms: &[Slot],
        zeros: SumZeros,
        kind: &ValueKind,
    ) -> Option<ExactnessValue> {
        let ValueKind::Number(extent) = kind else {
            return None;
        };
        let is_one = |products: &&Products| products.group.is_none() && products.up == 0;
        let products = terms
            .iter()
            .map(|slot| self.products_at(*slot).filter(is_one));
        if let Some(products) = products.collect::<Option<Vec<_>>>()
            && products.iter().all(|one| one.scaled == [None; 2])
        {
            let first = (*products.first()?).clone();
            let all = products.iter().flat_map(|one| one.all.clone()).collect();
            return Some(ExactnessValue::Products(Products {
                all,
                loses_sign: products.iter().any(|one| one.loses_sign),
                group: Some(zeros),
                ..first
            }));
        }
        let sums = terms.iter().map(|slot| self.exact(*slot));
        let sum = sums
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .reduce(Sum::plus)?;
        let takes_part = zeros != SumZeros::None || !sum.values.is_zero();
        Some(ExactnessValue::Number(OnGrid {
            sum,
            exponent: takes_part.then_some(0),
            fraction: u32::try_from(extent.fraction).ok(),
        }))
    }

    pub(super) fn fuse(&self, fuse: &Fuse) -> Option<ExactnessValue> {
        if !self.fits(fuse) {
            return None;
        }
        let all = self.whole(fuse)?;
        let terms: Vec<FusedTerm> = all.iter().map(|(term, _)| *term).collect();
        let values: Vec<ExactnessValue> = all.into_iter().map(|(_, value)| value).collect();
        let exact = self.uncut(fuse, &terms, &values);
        let alone = self.alone(fuse, &terms, &values);
        let within = self.within(fuse, &terms, &values);
        (exact.is_some() || alone.is_some() || within.is_some()).then_some(ExactnessValue::Fused(
            FusedSum {
                exact,
                alone,
                within,
            },
        ))
    }

    /// The exact sum of the terms, if none of their bits is cut.
    fn uncut(&self, fuse: &Fuse, terms: &[FusedTerm], values: &[ExactnessValue]) -> Option<OnGrid> {
        let is_plus = |term: &OnGrid| !term.sum.negative && term.sum.zero == Zero::Plus;
        let mut all = Vec::with_capacity(terms.len());
        for (aligned, value) in terms.iter().zip(values) {
            let mut term = self.grid_of(value, aligned.of)?;
            // Beside terms of one sign no other is complemented.
            let stays = match fuse.negate {
                NegativeForm::Twos => true,
                NegativeForm::AgainstLast => is_plus(&term),
                NegativeForm::Ones | NegativeForm::OnesOfNonzero => false,
            };
            if !stays {
                return None;
            }
            let is_addend = matches!(value, ExactnessValue::Addend(_));
            if !is_addend && aligned.by == Rounding::Rz && !fuse.sticky {
                term = term.cut(fuse.least, aligned.kept());
            }
            all.push((term, aligned.kept()));
        }
        uncut(all, fuse.least)
    }

    /// Bounds of the sum where bits of the terms are cut: each is rounded towards zero, or down.
    fn within(
        &self,
        fuse: &Fuse,
        terms: &[FusedTerm],
        values: &[ExactnessValue],
    ) -> Option<Bounds> {
        if fuse.negate != NegativeForm::Twos || fuse.width.is_some() || fuse.sticky {
            return None;
        }
        let all = terms.iter().zip(values);
        let all = all.map(|(aligned, value)| {
            let is_cut = matches!(aligned.by, Rounding::Rz | Rounding::Rd);
            is_cut.then(|| self.bounds_of(value, aligned.of)).flatten()
        });
        let all = all.collect::<Option<Vec<Bounds>>>()?;
        let exponent = all.iter().filter_map(|term| term.exponent).max();
        let exponent = exponent.or(fuse.least).max(fuse.least);
        let keep = terms.iter().map(|term| i64::from(term.kept())).min()?;
        let top = all.iter().filter_map(|term| term.top).max();
        let count = all.len().next_power_of_two().ilog2();
        Some(Bounds {
            top: top.map(|top| top.max(exponent.map_or(top, |e| e - keep)) + i64::from(count)),
            exponent,
        })
    }

    fn bounds_of(&self, value: &ExactnessValue, slot: Slot) -> Option<Bounds> {
        if let Some(term) = self.grid_of(value, slot)
            && term.sum.overflow == OverflowValue::Nothing
        {
            return Some(Bounds {
                top: term.sum.values.top(),
                exponent: term.exponent,
            });
        }
        match value {
            ExactnessValue::Fused(fused) => fused.within,
            _ => None,
        }
    }

    /// The only term of the sum that is more than what alignment to it makes of the others.
    fn alone(
        &self,
        fuse: &Fuse,
        terms: &[FusedTerm],
        values: &[ExactnessValue],
    ) -> Option<LoneAddend> {
        let mut addends = (0..).zip(values).filter_map(|(place, value)| match value {
            ExactnessValue::Addend(addend) => Some((place, addend)),
            _ => None,
        });
        let found = addends.next();
        let (place, addend) = found.filter(|_| addends.next().is_none())?;
        let is_last = place + 1 == terms.len() && fuse.negate == NegativeForm::AgainstLast;
        let product = is_last.then(|| self.complemented(fuse, terms, values, addend));
        product
            .flatten()
            .or_else(|| self.beside(fuse, terms, values, (place, addend)))
    }

    /// The addend at `place`, if alignment to it leaves less than two places of each other term.
    fn beside(
        &self,
        fuse: &Fuse,
        terms: &[FusedTerm],
        values: &[ExactnessValue],
        (place, addend): (usize, &Addend),
    ) -> Option<LoneAddend> {
        let others = || {
            (0..)
                .zip(terms.iter().zip(values))
                .filter(|(other, _)| *other != place)
        };
        let all = others().map(|(_, (aligned, value))| self.bounds_of(value, aligned.of));
        let all = all.collect::<Option<Vec<Bounds>>>()?;
        let keep = others().map(|(_, (aligned, _))| aligned.kept()).max()?;
        let top = all.iter().filter_map(|term| term.top).max();
        let highest = all.iter().filter_map(|term| term.exponent).max();
        let own = terms.get(place)?;
        if !addend.term.is_kept(fuse.least.max(highest), own.kept()) {
            return None;
        }
        let are_by =
            |by: Rounding| others().all(|(_, (term, _))| term.by == by && term.kept() == keep);
        let are_exact = others().all(|(_, (_, value))| !matches!(value, ExactnessValue::Fused(_)));
        let twos = fuse.negate == NegativeForm::Twos;
        let count = i64::from(all.len().next_power_of_two().ilog2());
        let grid = addend.least - i64::from(keep);
        if fuse.sticky || top.is_some_and(|top| top > grid) {
            return None;
        }
        let addend_sum = addend.term.sum.clone();
        if twos
            && are_exact
            && others().all(|(_, (term, _))| term.by == Rounding::Rz)
            && own.by == Rounding::Rz
        {
            return Some(LoneAddend {
                addend: addend_sum,
                top: top? + count,
                off: None,
            });
        }
        // Each other term is zero, or one place less.
        let is_one_less = match fuse.negate {
            NegativeForm::Twos => are_by(Rounding::Rd),
            NegativeForm::AgainstLast => are_by(Rounding::Rz) && are_exact,
            NegativeForm::Ones | NegativeForm::OnesOfNonzero => false,
        };
        let is_high = highest.is_some_and(|highest| highest > addend.least);
        if !is_one_less || is_high || fuse.width.is_some() {
            return None;
        }
        let shift = addend.shift?;
        let least = fuse.least.map(|least| least - shift);
        Some(LoneAddend {
            addend: addend_sum,
            top: fuse
                .least
                .map_or(grid, |least| grid.max(least - i64::from(keep)))
                + count
                + if twos { 1 } else { 2 },
            off: Some(Distance {
                units: u32::try_from(all.len()).ok()?,
                places: i64::from(keep) - shift,
                least: least.unwrap_or(i64::MIN).max(addend.least - shift),
                away: false,
            }),
        })
    }

    /// The only product that is no zero, beside a last term that is +0: its complement may be one place more.
    fn complemented(
        &self,
        fuse: &Fuse,
        terms: &[FusedTerm],
        values: &[ExactnessValue],
        last: &Addend,
    ) -> Option<LoneAddend> {
        let is_plus = |sum: &Sum| !sum.negative && sum.zero == Zero::Plus;
        let sum = &last.term.sum;
        if !sum.values.is_zero() || !is_plus(sum) || fuse.sticky || fuse.width.is_some() {
            return None;
        }
        let mut only = None;
        for (aligned, value) in terms.iter().zip(values).take(terms.len() - 1) {
            let ExactnessValue::Products(products) = value else {
                return None;
            };
            let sum = products.exact()?;
            match sum.values.is_zero() {
                true if is_plus(&sum) => {}
                false if only.is_none() => only = Some((aligned, products, sum)),
                _ => return None,
            }
        }
        let (aligned, products, addend) = only?;
        let product = products.all.first()?;
        let [a, b] = &products.formats;
        let term = products.on_grid(&self.program.extent(aligned.of))?;
        let is_normal = !product.may_be_subnormal([a, b]) && product.scales.is_none();
        let is_kept = term.is_kept(fuse.least, aligned.kept());
        (is_normal && is_kept && !product.may_be_zero() && products.group.is_none()).then_some(
            LoneAddend {
                addend,
                top: i64::MIN / 2,
                off: Some(Distance {
                    units: 1,
                    places: i64::from(aligned.kept()) - i64::from(products.up),
                    least: fuse
                        .least
                        .map_or(i64::MIN / 2, |least| least - i64::from(products.up)),
                    away: true,
                }),
            },
        )
    }

    fn grid_of(&self, value: &ExactnessValue, slot: Slot) -> Option<OnGrid> {
        match value {
            ExactnessValue::Products(products) => products.on_grid(&self.program.extent(slot)),
            _ => self.on_grid(slot),
        }
    }

    /// Whether the sum of the aligned terms stays within the width of the unit.
    pub(super) fn fits(&self, fuse: &Fuse) -> bool {
        let Some((width, _)) = fuse.width else {
            return true;
        };
        // In units of 2^e and of the last place of any product.
        let places = 128;
        let mut most = BigUint::ZERO;
        for term in &fuse.terms {
            let extent = self.program.extent(term.of);
            let widest = || BigUint::from(1u32) << (places + extent.integer_bits()).max(0) as u64;
            most += match &self.values[term.of as usize] {
                ExactnessValue::Addend(addend) if addend.term.sum.values.is_zero() => BigUint::ZERO,
                ExactnessValue::Products(products) if products.group.is_none() => {
                    let Some(product) = products.all.first() else {
                        return false;
                    };
                    let fraction: u32 = products
                        .formats
                        .iter()
                        .filter(|format| !format.is_integer())
                        .map(|format| format.fraction_bits)
                        .sum();
                    match products.up {
                        _ if product.exact().values.is_zero() => BigUint::ZERO,
                        0 if product.scales.is_none() => {
                            (&product.a.significand * &product.b.significand)
                                << (places as u32 - fraction)
                        }
                        _ => widest(),
                    }
                }
                _ => widest(),
            };
        }
        let kept = i64::from(width) - 1 - i64::from(fuse.fraction());
        most < BigUint::from(1u32) << (places + kept).max(0) as u64
    }

    pub(super) fn cut(&self, cut: &Cut, kind: &ValueKind) -> Option<ExactnessValue> {
        let ValueKind::Number(extent) = kind else {
            return None;
        };
        let term = self.on_grid(cut.of)?;
        let lowest = cut
            .least
            .map_or(i64::MIN / 2, |least| least - i64::from(cut.bits - 1));
        let is_kept = term.sum.values.has_bits(cut.bits.into(), lowest);
        is_kept.then_some(ExactnessValue::Number(OnGrid {
            exponent: Some(extent.highest),
            fraction: None,
            ..term
        }))
    }
}
