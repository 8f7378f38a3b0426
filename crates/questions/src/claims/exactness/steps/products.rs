//! Products of factors, and their scales.

use super::super::sum::{Sum, Zero};
use super::super::terms::Term as OnGrid;
use super::super::units::Product;
use super::values::{Addend, Factor, Products, Value};
use super::walk::Walk;
use mmasmt_core::machines::algorithms::descriptions::Slot;

impl Walk<'_> {
    pub(super) fn product(&self, x: Slot, y: Slot) -> Option<Value> {
        match (&self.values[x as usize], &self.values[y as usize]) {
            (Value::Factor(left), Value::Factor(right)) => {
                self.of_factors(left, right).map(Value::Products)
            }
            (Value::Products(products), Value::Scale(scale))
            | (Value::Scale(scale), Value::Products(products)) => {
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
                Some(Value::Products(scaled))
            }
            (Value::Part(left), Value::Part(right)) => self.product_of_parts(left, right),
            (Value::Part(part), Value::Factor(factor))
            | (Value::Factor(factor), Value::Part(part)) => {
                let alone = part.alone.as_ref()?;
                self.of_factors(alone, factor).map(Value::Products)
            }
            // Zeros that fill up the last unit of a composition.
            (Value::Addend(x), Value::Addend(y)) => {
                let is_nothing = |addend: &Addend| {
                    let sum = &addend.term.sum;
                    sum.leaves.is_empty() && sum.values.is_zero() && sum.zero == Zero::Plus
                };
                let exponent = x.term.exponent.zip(y.term.exponent);
                (is_nothing(x) && is_nothing(y)).then(|| {
                    Value::Number(OnGrid {
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
            (Value::Factor(left), Value::Factor(right)) => self.of_factors(left, right)?.exact(),
            _ => None,
        }
    }
}
