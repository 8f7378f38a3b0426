//! Inputs of powers of two: large ones that cancel, and small ones whose number the result tells.

use crate::identify::probe::{FormatMisfit, ProbeSum, SumPlace};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::Dyadic;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};
use std::collections::BTreeSet;

/// A set of summands: the products by their numbers, and `c` as the number of products.
pub(super) type Leaves = BTreeSet<usize>;

/// The exponents of the summands.
pub(super) struct SummandScale {
    signature: Signature,
    pub large: i64,
    pub small: i64,
    /// The products, and `c`, which is the last one.
    pub summands: usize,
}

impl SummandScale {
    /// The greatest and the least power of two that are products and numbers of `c` alike.
    ///
    /// # Errors
    /// If there is none.
    pub fn of(signature: &Signature) -> Result<SummandScale, FormatMisfit> {
        let ends = [signature.a, signature.b, signature.c, signature.d];
        let [a, b, c, d] = ends.map(|format| {
            let (least, greatest) = (format.min_exponent(), format.max_exponent());
            (i64::from(least), i64::from(greatest))
        });
        // The large power is below the greatest exponent of the result, so that no sum overflows.
        let scale = SummandScale {
            signature: *signature,
            large: (a.1 + b.1).min(c.1).min(d.1 - 1),
            small: (a.0 + b.0).max(c.0).max(d.0),
            summands: signature.products as usize + 1,
        };
        // The ends of the range must be products, and numbers of `c`.
        scale.inputs(&[(0, 1, scale.large), (scale.summands - 1, -1, scale.large)])?;
        Ok(scale)
    }

    /// Inputs with powers of two: each has a place, a sign and an exponent.
    ///
    /// # Errors
    /// If an operand does not hold such a number.
    pub fn inputs(&self, terms: &[(usize, i64, i64)]) -> Result<Inputs, FormatMisfit> {
        let mut sum = ProbeSum::new(&self.signature);
        for &(place, sign, exponent) in terms {
            let place = match place + 1 == self.summands {
                true => SumPlace::C,
                false => SumPlace::Product(place),
            };
            sum = sum.put(place, &Dyadic::new(BigInt::from(sign), exponent))?;
        }
        Ok(sum.inputs())
    }

    /// The number of summands `2^small` that the result has. Where a sum is rounded up, or told that
    /// something was lost, the result has larger powers of two as well. `None` if these leave no room
    /// to see the summands, or the result is no such sum.
    pub fn count(&self, result: u64, small: i64) -> Option<usize> {
        let d = &self.signature.d;
        let units = self.units(result, small)?;
        let room = BigInt::from((self.summands + 1).next_power_of_two() * 4);
        let count = units.mod_floor(&room);
        let is_exact = units == count || units.bits() < u64::from(d.precision());
        let count = count.to_usize().filter(|_| is_exact)?;
        (count + 2 <= self.summands).then_some(count)
    }

    /// The result in units of `2^small`, if it is a whole number of them.
    pub fn units(&self, result: u64, small: i64) -> Option<BigInt> {
        let sum = Dyadic::of(&self.signature.d, result)?.shifted(-small);
        if sum.mantissa().is_zero() {
            return Some(BigInt::zero());
        }
        (sum.exponent() >= 0).then(|| sum.mantissa() << sum.exponent())
    }

    /// Inputs with a large pair at two places, or a large summand at one, and a small summand at those places that `is_small`
    /// admits.
    ///
    /// # Errors
    /// If an operand does not hold such a number.
    pub fn pair(
        &self,
        large: &[usize],
        depth: i64,
        is_small: impl Fn(usize) -> bool,
    ) -> Result<Inputs, FormatMisfit> {
        let others = (0..self.summands).filter(|&at| !large.contains(&at) && is_small(at));
        let signs = [-1, 1].into_iter().skip(2usize.saturating_sub(large.len()));
        let large = large.iter().zip(signs);
        let mut terms: Vec<(usize, i64, i64)> =
            large.map(|(at, sign)| (*at, sign, self.large)).collect();
        terms.extend(others.map(|at| (at, 1, self.large - depth)));
        self.inputs(&terms)
    }
}
