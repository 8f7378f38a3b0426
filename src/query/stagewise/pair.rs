//! Two sums of the same terms that are aligned to different exponents, and what is asked of them.

use super::sum::Sum;
use super::unit::is_multiple;
use crate::bits::term::{Formula, Replacement, Term};
use crate::bits::{Bv, Prop};

/// Bits of how far an exponent can be below another one.
const DISTANCE_BITS: u32 = 12;

/// Two sums of the same terms, of which `coarse` is aligned to an exponent that is not less.
pub(super) struct Pair<'x> {
    pub coarse: &'x Sum,
    pub fine: &'x Sum,
    /// Whether all terms are zero.
    pub empty: Formula,
    /// Whether each of them is.
    pub zeros: &'x [Formula],
    /// What all terms are multiples of, if that is known.
    pub unit: Option<i64>,
}

impl Pair<'_> {
    /// The exponents that they are aligned to are so far apart.
    fn exponents_apart_by(&self, shift: u32) -> Formula {
        let least = self.fine.largest.add_const(shift.into());
        least.equals(&self.coarse.largest)
    }

    /// The same, and there is a term that is not zero.
    pub fn apart_by(&self, shift: u32) -> Formula {
        self.exponents_apart_by(shift).and(&self.empty.not())
    }

    /// They are farther apart, and there is a term that is not zero.
    pub fn beyond(&self, shift: u32) -> Formula {
        let least = self.fine.largest.add_const(shift.into());
        least.slt(&self.coarse.largest).and(&self.empty.not())
    }

    /// Both sums are aligned to the exponent of the coarser one.
    pub fn one_exponent(&self) -> Replacement {
        let mut one = Replacement::new();
        one.put(&self.coarse.largest, &self.coarse.largest);
        one.put(&self.fine.largest, &self.coarse.largest);
        one
    }

    /// `is_scaled`, a fact about term `k` aligned in both sums, as one that all terms have: whatever
    /// its significand, its sign and its exponent are, as far as it is a multiple of the unit; the
    /// coarser sum is aligned to no more than `most`.
    pub fn alone(
        &self,
        k: usize,
        shift: u32,
        most: Option<&Term>,
        is_scaled: Formula,
    ) -> Option<Formula> {
        let coarse = self.coarse;
        let input = |number: u32, width| Term::input(u32::MAX - number, width);
        let width = coarse.largest.width();
        let [exponent, coarsely, finely] =
            [0, 1, 2].map(|number| input(number, DISTANCE_BITS).zext(width));
        let significand = input(3, coarse.significands[k].width());
        let mut any = Replacement::new();
        for (sum, distance) in [(coarse, &coarsely), (self.fine, &finely)] {
            any.put(&sum.exponents[k], &exponent);
            any.put(&sum.largest, &exponent.add(distance));
        }
        any.put(&coarse.significands[k], &significand);
        any.put_formula(coarse.signs[k], input(4, 1).bit(0));
        let mut known = vec![finely.add_const(shift.into()).equals(&coarsely)];
        known.extend(most.map(|most| most.slt(&exponent.add(&coarsely)).not()));
        known.extend(
            self.unit
                .map(|unit| is_multiple(&significand, &exponent, coarse.fractions[k], unit)),
        );
        Some(Formula::all(known).not().or(&any.formula(is_scaled)?))
    }
}
