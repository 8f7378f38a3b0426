//! Products of factors, and block scales.

use super::super::bound::scaled;
use super::super::factors::{FactorFormat, Factors, Underflow, low_products};
use super::amounts::{Amount, Linear};
use super::values::{BoundedSum, BoundsValue, FactorDistance, OperandNumber};
use super::walk::BoundsWalk;
use mmasmt_core::machines::algorithms::descriptions::{Action, Slot};

impl BoundsWalk<'_> {
    pub(super) fn product(&mut self, x: Slot, y: Slot) -> Option<BoundedSum> {
        match (self.number(x), self.number(y)) {
            (BoundsValue::Factor(left), BoundsValue::Factor(right)) => {
                self.product_of_factors([left, right])
            }
            (BoundsValue::Part(left), BoundsValue::Part(right)) => {
                self.product_of_parts([left, right])
            }
            (BoundsValue::Sum(left), BoundsValue::Sum(right))
                if left.is_nothing() && right.is_nothing() =>
            {
                let reach = left.reach.absolute.times(&right.reach.absolute);
                let reach = Amount::none().at_least(&reach);
                Some(BoundedSum::exact(false).with(Amount::none(), reach))
            }
            (BoundsValue::Sum(_), BoundsValue::Scale(scale)) => self.scaled(x, scale),
            (BoundsValue::Scale(scale), BoundsValue::Sum(_)) => self.scaled(y, scale),
            _ => None,
        }
    }

    pub(super) fn product_of_factors(&self, factors: [OperandNumber; 2]) -> Option<BoundedSum> {
        let factors = match factors {
            [left, right] if left.side == 0 && right.side == 1 => [left, right],
            [left, right] if left.side == 1 && right.side == 0 => [right, left],
            _ => return None,
        };
        let [left, right] = factors;
        if left.index != right.index {
            return None;
        }
        let distance = self.distance(factors);
        let error = self.lost(factors).plus(&distance);
        // The product of rounded factors may exceed that of the factors.
        let most = Amount::of(0, 1).plus(&distance);
        let reach = self.reach_of(factors, self.factors).plus(&distance);
        Some(BoundedSum {
            products: Some([left.index; 2]),
            count: 1,
            pair: Some(factors),
            linear: Linear {
                of_all: error.greatest(),
                absolute: error.absolute.clone(),
            },
            error,
            reach,
            most,
            ..BoundedSum::exact(false)
        })
    }

    /// The product of two registers, which counts once.
    pub(super) fn multiplied(&mut self, [x, y]: [Slot; 2]) -> Option<BoundedSum> {
        let (BoundsValue::Factor(left), BoundsValue::Factor(right)) =
            (self.number(x), self.number(y))
        else {
            return None;
        };
        let product = self.product_of_factors([left, right])?;
        (!std::mem::replace(&mut self.pairs[left.index], true)).then_some(product)
    }

    /// The distance of a product of rounded factors from that of the factors: with x(1 + r) + s in the place of
    /// x, and y(1 + q) + t in that of y, at most (r + q + rq)|xy| + |x|(1 + r)t + |y|(1 + q)s + st.
    fn distance(&self, factors: [OperandNumber; 2]) -> Amount {
        let none = || scaled(0, 0);
        let relative = factors.map(|factor| {
            let of = |distance: FactorDistance| scaled(1, distance.relative);
            factor.rounded.map_or_else(none, of)
        });
        let absolute = factors.map(|factor| {
            let exponent = factor.rounded.and_then(|distance| distance.absolute);
            exponent.map_or_else(none, |exponent| scaled(1, exponent))
        });
        let below = [self.factors.a, self.factors.b].map(|of| scaled(1, i64::from(of.highest) + 1));
        let [r, q] = &relative;
        let product = r.plus(q).plus(&r.times(q));
        let grown = [r, q].map(|part| scaled(1, 0).plus(part));
        let crossed = [0, 1].map(|at| below[at].times(&grown[at]).times(&absolute[1 - at]));
        let both = absolute[0].times(&absolute[1]);
        let absolute = crossed[0].plus(&crossed[1]).plus(&both);
        Amount::of(0, 1).times(&product).with_absolute(&absolute)
    }

    /// The error of a product of flushed factors.
    pub(super) fn lost(&self, factors: [OperandNumber; 2]) -> Amount {
        let mut lost = Amount::none();
        if factors.iter().any(|factor| factor.flushed.is_some()) {
            let absolute = Factors {
                underflow: Underflow::Absolute,
                ..self.factors
            };
            let format = |factor: OperandNumber| factor.flushed.unwrap_or(factor.format);
            let low = low_products(factors.map(|factor| (format(factor), None)), absolute);
            if let Some(exponent) = low.exponent {
                // A product with a flushed factor is below 2 to the power of `exponent + 1`.
                lost = lost.with_absolute(&scaled(1, exponent + 1));
            }
        }
        lost
    }

    pub(super) fn reach_of(&self, numbers: [OperandNumber; 2], factors: Factors) -> Amount {
        let of = |number: OperandNumber| -> FactorFormat { (number.format, number.zero) };
        let low = low_products(numbers.map(of), factors);
        let excess = low.excess.unwrap_or(0);
        let mut reach = Amount::of(0, 1).times(&scaled(1, excess));
        if let Some(exponent) = low.exponent {
            reach = reach.at_least(&scaled(1, exponent));
        }
        reach
    }

    /// A sum of products of one block, times their scale.
    pub(super) fn scaled(&mut self, slot: Slot, scale: OperandNumber) -> Option<BoundedSum> {
        let highest = self.program.extent(slot).highest;
        let sum = self.sum(slot)?;
        let [first, last] = sum.products?;
        let is_theirs = first / self.block == scale.index && last / self.block == scale.index;
        if !is_theirs || sum.has_c || sum.scaled[scale.side] {
            return None;
        }
        let format = &scale.format;
        let greatest = i64::from(format.max_exponent());
        let beyond = i64::from(format.fraction_bits > 0);
        let error = Amount {
            absolute: sum.error.absolute.shifted(greatest + beyond),
            ..sum.error.clone()
        };
        // The exponent of a subnormal scale exceeds that of its value.
        let excess = if format.has_zero() {
            format.fraction_bits
        } else {
            0
        };
        let mut reach = sum.reach.times(&scaled(1, excess.into()));
        reach.absolute = sum.reach.absolute.shifted(greatest);
        if let Some(zero) = scale.zero.filter(|_| format.has_zero()) {
            reach = reach.at_least(&scaled(1, highest + zero));
        }
        let mut scaled = sum.scaled;
        scaled[scale.side] = true;
        let (error, reach) = self.by_both_scales(slot, scale, (error, reach));
        let sum = sum.apart();
        Some(BoundedSum { scaled, ..sum }.with(error, reach))
    }

    /// The error and the reach of a sum times its second scale, where nothing happened since the first one and the
    /// product of both is limited: those of the sum without scales, times that product, if they are less.
    fn by_both_scales(
        &self,
        slot: Slot,
        second: OperandNumber,
        (error, reach): (Amount, Amount),
    ) -> (Amount, Amount) {
        let both = || {
            let below = self.factors.scales_below?;
            let Action::Product([x, y]) = self.program.nodes[slot as usize].action else {
                return None;
            };
            match [x, y].map(|of| &self.values[of as usize]) {
                [BoundsValue::Sum(sum), BoundsValue::Scale(first)]
                | [BoundsValue::Scale(first), BoundsValue::Sum(sum)] => {
                    (sum.scaled == [false; 2]).then_some((below, sum, first))
                }
                _ => None,
            }
        };
        let Some((below, sum, first)) = both() else {
            return (error, reach);
        };
        let of_both = Amount {
            absolute: sum.error.absolute.shifted(below),
            ..sum.error.clone()
        };
        let error = match error.absolute.magnitude_exceeds(&of_both.absolute) {
            true => of_both,
            false => error,
        };
        let scales = [*first, second];
        // A zero scale has an exponent of its own.
        if scales
            .iter()
            .any(|scale| scale.zero.is_some() && scale.format.has_zero())
        {
            return (error, reach);
        }
        let excess = |scale: &OperandNumber| match scale.format.has_zero() {
            true => i64::from(scale.format.fraction_bits),
            false => 0,
        };
        let excess = excess(first) + excess(&second);
        // The exponents of both scales come to less than `below`, but for what those of subnormal scales exceed.
        let of_both = Amount {
            absolute: sum.reach.absolute.shifted(below - 1 + excess),
            ..sum.reach.times(&scaled(1, excess))
        };
        let reach = match reach.absolute.magnitude_exceeds(&of_both.absolute) {
            true => of_both,
            false => reach,
        };
        (error, reach)
    }

    pub(super) fn normalised(&mut self, of: Slot) -> Option<BoundedSum> {
        let sum = self.sum(of)?;
        let pair = sum.pair?;
        // The exponent of a normalised product is that of its leading one.
        let factors = self.factors.as_normal(pair.map(|factor| factor.format));
        let mut reach = self.reach_of(pair, factors).plus(&self.distance(pair));
        if let Action::Term(term) = &self.program.nodes[of as usize].action {
            if term.shift != 0 {
                return None;
            }
            // A zero keeps the exponent that it was given.
            reach = reach.at_least(&sum.reach.absolute);
        }
        let error = sum.error.clone();
        Some(sum.with(error, reach))
    }
}
