//! Two sums of the same terms that are aligned to different exponents, and formulas about them.

use super::sum::SumTerms;
use super::unit::is_multiple;
use mmasmt_numbers::bits::term::{Formula, Substitution, Term};
use mmasmt_numbers::bits::{Bv, Prop};

/// The width in bits of a distance from an exponent down to another exponent.
const DISTANCE_BITS: u32 = 12;

/// Two sums of the same terms, in the case that the exponent that `coarse` is aligned to is not
/// less than the exponent that `fine` is aligned to.
pub(super) struct StagePair<'x> {
    pub coarse: &'x SumTerms,
    pub fine: &'x SumTerms,
    /// Whether all terms are zero.
    pub empty: Formula,
    /// For each term, whether it is zero.
    pub zeros: &'x [Formula],
    /// The exponent of a power of two of which all terms are multiples, if it is known.
    pub unit: Option<i64>,
    /// The greatest distance from the finer sum's exponent down to the exponent of a nonzero term,
    /// where the coarser sum's exponent is greater; `None` if this distance is not known.
    pub spread: Option<i64>,
}

impl StagePair<'_> {
    /// Whether the exponents that the two sums are aligned to differ by `shift`.
    fn exponents_apart_by(&self, shift: u32) -> Formula {
        let least = self.fine.largest.add_const(shift.into());
        least.equals(&self.coarse.largest)
    }

    /// Whether the exponents of the two sums differ by `shift`, and a term is nonzero.
    pub fn apart_by(&self, shift: u32) -> Formula {
        self.exponents_apart_by(shift).and(&self.empty.not())
    }

    /// Whether the exponents of the two sums differ by more than `shift`, and a term is nonzero.
    pub fn beyond(&self, shift: u32) -> Formula {
        let least = self.fine.largest.add_const(shift.into());
        least.slt(&self.coarse.largest).and(&self.empty.not())
    }

    /// The greatest exponent at which the coarser sum cuts no multiple of the unit, if it is known.
    pub fn uncut(&self) -> Option<i64> {
        Some(self.unit? + i64::from(self.coarse.fraction))
    }

    /// Whether the coarser sum, aligned to an exponent of at most `most`, may cut bits of a
    /// multiple of the unit; true if the unit is not known.
    pub fn cuts_of_unit(&self, most: &Term) -> bool {
        let most = most.range().map(|[_, most]| most as i64);
        self.uncut().is_none() || most.is_none() || self.uncut() < most
    }

    /// Whether `most` bounds the exponent of the coarser sum wherever the exponent of the finer sum
    /// is less than that exponent.
    pub fn is_most(&self, most: &Term) -> Formula {
        let is_most = most.slt(&self.coarse.largest).not();
        self.beyond(0).not().or(&is_most)
    }

    /// The substitution that aligns both sums to the exponent of the coarser one.
    pub fn one_exponent(&self) -> Substitution {
        let mut one = Substitution::new();
        one.put(&self.coarse.largest, &self.coarse.largest);
        one.put(&self.fine.largest, &self.coarse.largest);
        one
    }

    /// Generalises `is_scaled`, a fact about the aligned term `k` in both sums, to all terms: to
    /// any significand, sign and exponent with two properties. The term is a multiple of the unit,
    /// and its exponent is at most the spread below the finer sum's exponent. The coarser sum's
    /// exponent is taken to be at most `most`.
    pub fn alone(
        &self,
        k: usize,
        shift: u32,
        most: Option<&Term>,
        is_scaled: Formula,
    ) -> Option<Formula> {
        let AnyTerm {
            exponent,
            significand,
            distances: [coarsely, finely],
            mut any,
        } = self.any_term(k)?;
        any.put(&self.fine.exponents[k], &exponent);
        any.put(&self.fine.largest, &exponent.add(&finely));
        let mut known = vec![finely.add_const(shift.into()).equals(&coarsely)];
        known.extend(most.map(|most| most.slt(&exponent.add(&coarsely)).not()));
        let fraction = self.coarse.fractions[k];
        known.extend(
            self.unit
                .map(|unit| is_multiple(&significand, &exponent, fraction, unit)),
        );
        let spread = |spread: i64| Term::lit(finely.width(), spread as u64);
        let is_near = |far| spread(far).slt(&finely).not().or(&significand.is_zero());
        known.extend(self.spread.map(is_near));
        Some(Formula::all(known).not().or(&any.formula(is_scaled)?))
    }

    /// Generalises `fact`, which is about term `k` aligned in the coarser sum, to all terms whose
    /// exponent is more than `shift` below the exponent of that sum.
    pub fn farther(&self, k: usize, shift: u32, fact: Formula) -> Option<Formula> {
        let AnyTerm {
            significand,
            distances: [coarsely, _],
            any,
            ..
        } = self.any_term(k)?;
        let coarse = self.coarse;
        let number = |number| Term::lit(coarsely.width(), number);
        let [lowest, _] = coarse.exponents[k].range()?;
        let [_, highest] = coarse.largest.range()?;
        let [_, greatest] = coarse.significands[k].range()?;
        let is_none = [
            number(shift.into()).slt(&coarsely).not(),
            number(highest.saturating_sub(lowest)).slt(&coarsely),
            Term::lit(significand.width(), greatest).ult(&significand),
        ];
        Some(Formula::any(is_none).or(&any.formula(fact)?))
    }

    /// An arbitrary term in the place of term `k` of the coarser sum; `None` if an exponent may
    /// have more than `DISTANCE_BITS` bits.
    fn any_term(&self, k: usize) -> Option<AnyTerm> {
        let coarse = self.coarse;
        let numbers = [&coarse.exponents[k], &coarse.largest, &self.fine.largest];
        for number in numbers {
            let [_, greatest] = number.range()?;
            if greatest >> DISTANCE_BITS != 0 {
                return None;
            }
        }
        let input = |number: u32, width| Term::input(u32::MAX - number, width);
        let width = coarse.largest.width();
        let [exponent, coarsely, finely] =
            [0, 1, 2].map(|number| input(number, DISTANCE_BITS).zext(width));
        let significand = input(3, coarse.significands[k].width());
        let mut any = Substitution::new();
        any.put(&coarse.exponents[k], &exponent);
        any.put(&coarse.largest, &exponent.add(&coarsely));
        any.put(&coarse.significands[k], &significand);
        any.put_formula(coarse.signs[k], input(4, 1).bit(0));
        Some(AnyTerm {
            exponent,
            significand,
            distances: [coarsely, finely],
            any,
        })
    }
}

/// An arbitrary term, and its distances below the exponents that the two sums are aligned to.
struct AnyTerm {
    exponent: Term,
    significand: Term,
    distances: [Term; 2],
    any: Substitution,
}
