//! Two sums of the same terms that are aligned to different exponents, and what is asked of them.

use super::sum::SumTerms;
use super::unit::is_multiple;
use mmasmt_core::numbers::bits::term::{Formula, Substitution, Term};
use mmasmt_core::numbers::bits::{Bv, Prop};

/// Bits of how far an exponent can be below another one.
const DISTANCE_BITS: u32 = 12;

/// Two sums of the same terms, of which `coarse` is aligned to an exponent that is not less.
pub(super) struct Pair<'x> {
    pub coarse: &'x SumTerms,
    pub fine: &'x SumTerms,
    /// Whether all terms are zero.
    pub empty: Formula,
    /// Whether each of them is.
    pub zeros: &'x [Formula],
    /// What all terms are multiples of, if that is known.
    pub unit: Option<i64>,
    /// How far below the finer sum's exponent those of its terms are at most where the coarser
    /// sum's is greater, if that is known: of terms that are not zero.
    pub spread: Option<i64>,
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

    /// The greatest exponent at which the coarser sum cuts nothing of the unit, if that is known.
    pub fn uncut(&self) -> Option<i64> {
        Some(self.unit? + i64::from(self.coarse.fraction))
    }

    /// Whether bits of the unit may be cut in the coarser sum, aligned to no more than `most`; of
    /// one that is not known they may.
    pub fn cuts_of_unit(&self, most: &Term) -> bool {
        let most = most.range().map(|[_, most]| most as i64);
        self.uncut().is_none() || most.is_none() || self.uncut() < most
    }

    /// Where the finer one's exponent is less the coarser one is aligned to no more than `most`.
    pub fn is_most(&self, most: &Term) -> Formula {
        let is_most = most.slt(&self.coarse.largest).not();
        self.beyond(0).not().or(&is_most)
    }

    /// Both sums are aligned to the exponent of the coarser one.
    pub fn one_exponent(&self) -> Substitution {
        let mut one = Substitution::new();
        one.put(&self.coarse.largest, &self.coarse.largest);
        one.put(&self.fine.largest, &self.coarse.largest);
        one
    }

    /// `is_scaled`, a fact about term `k` aligned in both sums, as one that all terms have:
    /// whatever its significand, its sign and its exponent are, as far as it is a multiple of the
    /// unit and not below the spread; the coarser sum is aligned to no more than `most`.
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

    /// `fact`, one about term `k` aligned in the coarser sum, as one that all terms have whose
    /// exponent is farther than `shift` below that of the sum.
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

    /// Any term in the place of term `k` of the coarser sum; none if some are beyond those.
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

/// A term of which nothing is known, and how far it is below what both sums are aligned to.
struct AnyTerm {
    exponent: Term,
    significand: Term,
    distances: [Term; 2],
    any: Substitution,
}
