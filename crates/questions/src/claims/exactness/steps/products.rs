//! Products of factors, and their scales.

use super::super::sum::{Sum, Zero};
use super::super::terms::GridTerm as OnGrid;
use super::super::units::Product;
use super::values::{Addend, ExactnessValue, Factor, Products};
use super::walk::ExactnessWalk;
use mmasmt_core::machines::algorithms::descriptions::Slot;

impl ExactnessWalk<'_> {
    pub(super) fn product(&self, x: Slot, y: Slot) -> Option<ExactnessValue> {
        match (&self.values[x as usize], &self.values[y as usize]) {
            (ExactnessValue::Factor(left), ExactnessValue::Factor(right)) => {
                self.of_factors(left, right).map(ExactnessValue::Products)
            }
            (ExactnessValue::Products(products), ExactnessValue::Scale(scale))
            | (ExactnessValue::Scale(scale), ExactnessValue::Products(products)) => {
                let own = |product: &Product| {
                    let place = self
                        .products
                        .iter()
                        .position(|known| known.index == product.index);
                    place.is_some_and(|place| place / self.block == scale.index)
                };
                if products.scaled[scale.side].is_some() || !products.all.iter().all(own) {
                    return None;
                }
                let mut scaled = products.clone();
                scaled.scaled[scale.side] = Some(scale.rule);
                Some(ExactnessValue::Products(scaled))
            }
            (ExactnessValue::Part(left), ExactnessValue::Part(right)) => {
                self.product_of_parts(left, right)
            }
            (ExactnessValue::Part(part), ExactnessValue::Factor(factor))
            | (ExactnessValue::Factor(factor), ExactnessValue::Part(part)) => {
                let alone = part.alone.as_ref()?;
                self.of_factors(alone, factor).map(ExactnessValue::Products)
            }
            // Zeros that fill up the last unit of a composition.
            (ExactnessValue::Addend(x), ExactnessValue::Addend(y)) => {
                let is_nothing = |addend: &Addend| {
                    let sum = &addend.term.sum;
                    sum.leaves.is_empty() && sum.values.is_zero() && sum.zero == Zero::Plus
                };
                let exponent = x.term.exponent.zip(y.term.exponent);
                (is_nothing(x) && is_nothing(y)).then(|| {
                    ExactnessValue::Number(OnGrid {
                        sum: Sum::nothing(),
                        exponent: exponent.map(|(x, y)| x + y),
                        fraction: Some(0),
                    })
                })
            }
            _ => None,
        }
    }

    pub(super) fn of_factors(&self, left: &Factor, right: &Factor) -> Option<Products> {
        let (a, b) = match (left.side, right.side) {
            (0, 1) => (left, right),
            (1, 0) => (right, left),
            _ => return None,
        };
        if a.index != b.index || a.rule != b.rule {
            return None;
        }
        let product = Product {
            a: a.operand.clone(),
            b: b.operand.clone(),
            ..self.products.get(a.index)?.clone()
        };
        Some(Products {
            all: vec![product],
            formats: [a.format, b.format],
            rule: a.rule,
            up: 0,
            loses_sign: a.loses_sign || b.loses_sign,
            scaled: [None; 2],
            group: None,
        })
    }

    pub(super) fn multiplied(&self, x: Slot, y: Slot) -> Option<Sum> {
        match (&self.values[x as usize], &self.values[y as usize]) {
            (ExactnessValue::Factor(left), ExactnessValue::Factor(right)) => {
                self.of_factors(left, right)?.exact()
            }
            _ => None,
        }
    }
}
