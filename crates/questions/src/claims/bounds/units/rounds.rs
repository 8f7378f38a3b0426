//! Registers: numbers that are rounded, and operations of IEEE 754.

use super::super::bound::{ErrorBound, scaled};
use super::super::factors::has_numbers_of;
use super::super::last_rounding::LastRounding;
use super::amounts::{Amount, Linear};
use super::peaks::Peak;
use super::values::{BoundedSum, BoundsValue, FactorDistance, OperandNumber};
use super::walk::BoundsWalk;
use mmasmt_core::machines::algorithms::FlushedResults;
use mmasmt_core::machines::algorithms::descriptions::{Round, RoundSource, Slot, ValueKind};
use mmasmt_numbers::float::{Dyadic, Format, Overflow, Rounding};

impl BoundsWalk<'_> {
    pub(super) fn round(&mut self, round: &Round, kind: &ValueKind) -> Option<BoundsValue> {
        let ValueKind::Register(format) = *kind else {
            return None;
        };
        if format.is_integer() {
            return None;
        }
        // Without -0, a number that is flushed and was negative has the code of a NaN.
        if !format.has_negative_zero() && round.tiny != FlushedResults::Kept {
            return None;
        }
        let target = format.with_fraction(round.fraction);
        let rounding =
            ErrorBound::of_rounding(round.by, round.fraction, format.min_exponent().into());
        let (mut relative, mut absolute) = (rounding.of_all, rounding.absolute);
        let is_nearest = round.by == Rounding::Rne && round.tiny == FlushedResults::Kept;
        let mut linear = None;
        let sum = match round.of {
            RoundSource::Number(slot) => self.sum(slot)?,
            RoundSource::Register(slot) => {
                if let BoundsValue::Factor(number) = self.values[slot as usize] {
                    let number = match has_numbers_of(&target, &number.format) {
                        true => OperandNumber {
                            format: target,
                            ..number
                        },
                        false => self.rounded_factor(number, round, &target)?,
                    };
                    return Some(BoundsValue::Factor(match round.tiny {
                        FlushedResults::Kept => number,
                        _ => number.flushed(),
                    }));
                }
                let from = self.program.format(slot)?;
                if has_numbers_of(&target, &from) {
                    (relative, absolute) = (scaled(0, 0), scaled(0, 0));
                }
                self.sum(slot)?
            }
            RoundSource::Multiply(slots) if self.constant_factor(slots).is_some() => {
                self.times_constant(slots)?
            }
            RoundSource::Multiply(slots) => {
                let product = self.multiplied(slots)?;
                let bits = product
                    .pair
                    .iter()
                    .flatten()
                    .map(|factor| factor.format.precision())
                    .sum::<u32>();
                if bits <= round.fraction + 1 {
                    relative = scaled(0, 0);
                }
                product
            }
            RoundSource::Add([x, y]) => {
                let formats = [self.program.format(x)?, self.program.format(y)?];
                let [x, y] = [self.sum(x)?, self.sum(y)?];
                if formats == [target; 2] {
                    absolute = scaled(0, 0);
                    linear = is_nearest.then(|| [x.linear.clone(), y.linear.clone()]);
                }
                x.joined(&y)?
            }
            RoundSource::Fma([x, y, z]) if self.constant_factor([x, y]).is_some() => {
                let (product, z) = (self.times_constant([x, y])?, self.sum(z)?);
                z.joined(&product)?
            }
            RoundSource::Fma([x, y, z]) => {
                let is_register = self.program.format(z)? == target;
                let (product, z) = (self.multiplied([x, y])?, self.sum(z)?);
                let error = product.error.greatest().plus(&product.error.absolute);
                linear = (is_nearest && is_register && error == scaled(0, 0))
                    .then(|| [z.linear.clone(), Linear::none()]);
                z.joined(&product)?
            }
        };
        // With a sticky bit, a sum that is exact on the grid may still be rounded away from zero.
        if sum.is_sticky && !matches!(round.by, Rounding::Rz | Rounding::Rne) {
            return None;
        }
        // The magnitudes are those of products with their scales.
        if sum.products.is_some() && sum.scaled != [self.has_scales; 2] {
            return None;
        }
        let peak = Peak::of_rounding(sum.most_of_terms(), &target, round.by)?;
        self.peaks.push(peak);
        let last = LastRounding::of(round, &format, sum.bound());
        if round.tiny != FlushedResults::Kept {
            absolute = absolute.plus(&scaled(1, format.min_exponent().into()));
        }
        let error = sum.error.plus(&sum.magnitude().times(&relative));
        let error = error.with_absolute(&absolute);
        let most = match round.by {
            Rounding::Rz => sum.most.clone(),
            _ => (sum.most.times(&scaled(1, 0).plus(&relative))).with_absolute(&absolute),
        };
        let sum = BoundedSum {
            pair: None,
            is_sticky: false,
            ..sum
        };
        let mut sum = sum.with(error, Amount::none()).within(most);
        if let Some([x, y]) = linear {
            sum.linear = x.added(&y, &relative, &absolute);
        }
        sum.rounded = last;
        Some(BoundsValue::Sum(sum))
    }

    /// The constant among two factors, and the slot of the other one.
    fn constant_factor(&self, [x, y]: [Slot; 2]) -> Option<(Dyadic, Slot)> {
        match (self.number(x), self.number(y)) {
            (BoundsValue::Constant(constant), _) => Some((constant, y)),
            (_, BoundsValue::Constant(constant)) => Some((constant, x)),
            _ => None,
        }
    }

    /// The exact product of a sum and a constant.
    fn times_constant(&mut self, factors: [Slot; 2]) -> Option<BoundedSum> {
        let (constant, slot) = self.constant_factor(factors)?;
        Some(self.sum(slot)?.times(&constant))
    }

    /// A factor that is rounded to fewer bits. A number beyond the format is an infinity there, which shows.
    fn rounded_factor(
        &mut self,
        number: OperandNumber,
        round: &Round,
        target: &Format,
    ) -> Option<OperandNumber> {
        let gives_infinity = round.overflow == Overflow::Infinity || round.by.gives_infinities();
        let shows = target.has_infinity() && gives_infinity;
        let is_first = number.rounded.is_none() && number.flushed.is_none();
        if !(shows && is_first) || round.tiny != FlushedResults::Kept {
            return None;
        }
        let exponents = [self.factors.a, self.factors.b][number.side];
        self.knows_peaks &= exponents.highest < target.max_exponent();
        let last = -i64::from(round.fraction) - i64::from(round.by.is_to_nearest());
        let is_normal = exponents.lowest >= target.min_exponent();
        Some(OperandNumber {
            format: *target,
            rounded: Some(FactorDistance {
                relative: last,
                absolute: (!is_normal).then(|| i64::from(target.min_exponent()) + last),
            }),
            ..number
        })
    }
}
