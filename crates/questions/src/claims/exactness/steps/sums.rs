//! Exact sums, fused sums, and numbers with fewer bits.

use super::super::sum::Sum;
use super::super::terms::{Term as OnGrid, uncut_each};
use super::values::{Alone, Products, Value};
use super::walk::Walk;
use mmasmt_core::machines::algorithms::descriptions::{Cut, Fuse, Kind, Negate, Slot, SumZeros};
use mmasmt_core::numbers::float::Rounding;
use num_bigint::BigUint;

impl Walk<'_> {
    pub(super) fn sum(&self, terms: &[Slot], zeros: SumZeros, kind: &Kind) -> Option<Value> {
        let Kind::Number(extent) = kind else {
            return None;
        };
        let products = terms.iter().map(|slot| match &self.values[*slot as usize] {
            Value::Products(products) if products.group.is_none() && products.up == 0 => {
                Some(products)
            }
            _ => None,
        });
        if let Some(products) = products.collect::<Option<Vec<_>>>()
            && products.iter().all(|one| one.scaled == [None; 2])
        {
            let first = (*products.first()?).clone();
            let all = products.iter().flat_map(|one| one.all.clone()).collect();
            return Some(Value::Products(Products {
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
        Some(Value::Number(OnGrid {
            sum,
            exponent: takes_part.then_some(0),
            fraction: u32::try_from(extent.fraction).ok(),
        }))
    }

    pub(super) fn fuse(&self, fuse: &Fuse) -> Option<Value> {
        let vanishes = fuse.terms.iter().any(|term| term.vanish.is_some());
        if fuse.negate != Negate::Twos || vanishes || !self.fits(fuse) {
            return None;
        }
        let is_cut = |by: Rounding| by == Rounding::Rz && !fuse.sticky;
        let mut terms = Vec::with_capacity(fuse.terms.len());
        let mut addend = None;
        for (place, aligned) in fuse.terms.iter().enumerate() {
            let mut term = self.on_grid(aligned.of)?;
            match self.values[aligned.of as usize] {
                Value::Addend(_, least) => {
                    addend = match addend {
                        None => Some((place, least)),
                        Some(_) => Some((usize::MAX, least)),
                    };
                }
                _ if is_cut(aligned.by) => term = term.cut(fuse.least, aligned.kept()),
                _ => {}
            }
            terms.push((term, aligned.kept()));
        }
        let alone = addend.and_then(|(place, least)| self.alone(fuse, &terms, place, least));
        Some(Value::Fused(uncut_each(terms, fuse.least), alone))
    }

    /// The addend at `place`, if alignment to it cuts all bits of the other terms; its exponent is at
    /// least `least` where it is no zero.
    pub(super) fn alone(
        &self,
        fuse: &Fuse,
        terms: &[(OnGrid, u32)],
        place: usize,
        least: i64,
    ) -> Option<Alone> {
        let (addend, keep) = terms.get(place)?;
        let others = || {
            terms
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != place)
                .map(|(_, term)| term)
        };
        let top = others()
            .filter_map(|(term, _)| term.sum.values.top())
            .max()?;
        let is_plain = |by: Rounding| by == Rounding::Rz && !fuse.sticky;
        let are_cut = fuse.terms.iter().all(|term| is_plain(term.by))
            && others().all(|(_, keep)| top <= least - i64::from(*keep));
        let highest = others().filter_map(|(term, _)| term.exponent).max();
        if !are_cut || !addend.is_kept(fuse.least.max(highest), *keep) {
            return None;
        }
        let count = terms.len() - 1;
        Some(Alone {
            addend: addend.sum.clone(),
            top: top + i64::from(count.next_power_of_two().ilog2()),
        })
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
                Value::Addend(term, _) if term.sum.values.is_zero() => BigUint::ZERO,
                Value::Products(products) if products.group.is_none() => {
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

    pub(super) fn cut(&self, cut: &Cut, kind: &Kind) -> Option<Value> {
        let Kind::Number(extent) = kind else {
            return None;
        };
        let term = self.on_grid(cut.of)?;
        let lowest = cut
            .least
            .map_or(i64::MIN / 2, |least| least - i64::from(cut.bits - 1));
        let is_kept = term.sum.values.has_bits(cut.bits.into(), lowest);
        is_kept.then_some(Value::Number(OnGrid {
            exponent: Some(extent.highest),
            fraction: None,
            ..term
        }))
    }
}
