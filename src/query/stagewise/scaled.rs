//! Fused sums that are aligned to different exponents and cut nothing: one is the other one times a
//! power of two, and so their results are the same.

use super::facts::Facts;
use super::sum::Sum;
use crate::bits::term::{Formula, Replacement, Term};
use crate::bits::{Bv, Prop};

/// The greatest difference of exponents that is looked at.
const MOST: u32 = 40;

impl Facts {
    /// Proves `same`, that the results of two sums are the same: one case for each difference of the
    /// exponents that they are aligned to, and one where all terms are zero, as `zeros` says of each.
    pub(super) fn scaled(
        &mut self,
        zeros: &[Formula],
        [own, other]: [&Sum; 2],
        same: Formula,
    ) -> Option<()> {
        let empty = Formula::all(zeros.iter().copied());
        let mut absent = Replacement::new();
        for aligned in [&own.aligned, &other.aligned] {
            for (aligned, zero) in aligned.iter().zip(zeros) {
                self.prove(aligned.is_zero().or(&zero.not()))?;
                absent.put(aligned, &Term::lit(aligned.width(), 0));
            }
        }
        self.prove(empty.not().or(&absent.formula(same)?))?;

        let apart = |coarse: &Sum, fine: &Sum, shift: u32| {
            let least = fine.largest.add_const(shift.into());
            [least.equals(&coarse.largest), least.slt(&coarse.largest)]
                .map(|case| case.and(&empty.not()))
        };
        let [level, _] = apart(own, other, 0);
        self.shifted(0, level, [own, other])?;
        let levelled = [[own, other], [other, own]]
            .into_iter()
            .find_map(|[kept, gone]| {
                let mut one = one_exponent(kept, gone);
                one.put(&kept.sum, &kept.sum);
                one.put(&gone.sum, &kept.sum);
                one.formula(same)
            });
        self.prove(levelled?)?;
        for [coarse, fine] in [[own, other], [other, own]] {
            let mut shift = 0;
            while let [_, beyond] = apart(coarse, fine, shift)
                && self.prove(beyond.not()).is_none()
            {
                shift += 1;
                if shift > MOST {
                    return None;
                }
                let [case, _] = apart(coarse, fine, shift);
                let sums = self.shifted(shift, case, [coarse, fine])?;
                let from = [&coarse.sum, &fine.sum, &coarse.largest, &fine.largest];
                self.prove_from(&from, &[sums], case.not().or(&same))?;
            }
        }
        self.know(same);
        Some(())
    }

    /// Proves that `fine` is `coarse` times a power of two in the case where its exponent is less by
    /// `shift`.
    fn shifted(&mut self, shift: u32, case: Formula, [coarse, fine]: [&Sum; 2]) -> Option<Formula> {
        let width = coarse.sum.width().max(fine.sum.width()) + shift;
        let same = |value: &Term| value.sext(width);
        let times = |value: &Term| value.widen_low(shift).sext(width);
        // Where a limit makes the difference, one of them is aligned to it.
        let limit = coarse.largest.least();
        let at_limit = case.not().or(&coarse.largest.equals(&limit));
        let limited: Vec<_> = self
            .prove(at_limit)
            .map(|()| at_limit)
            .into_iter()
            .collect();
        let level = (shift == 0).then(|| one_exponent(coarse, fine));
        let mut scaled = Replacement::new();
        for (coarse, fine) in coarse.aligned.iter().zip(&fine.aligned) {
            let is_scaled = same(fine).equals(&times(coarse));
            let levelled = level.as_ref().and_then(|one| one.formula(is_scaled));
            let is_scaled = levelled.unwrap_or(is_scaled);
            self.prove_from(&[], &limited, case.not().or(&is_scaled))?;
            if fine.equals(coarse).as_constant() != Some(true) {
                scaled.put(fine, &times(coarse));
            } else if shift > 0 {
                // One that is its own multiple.
                scaled.put(fine, &Term::lit(fine.width(), 0));
            }
        }
        // Both sums are those of their terms, and nothing is lost in them.
        let sum = |terms: &[Term], of: &dyn Fn(&Term) -> Term| {
            Term::sum(&terms.iter().map(of).collect::<Vec<_>>())
        };
        let is_sum = sum(&coarse.aligned, &same).equals(&same(&coarse.sum));
        let is_multiple = sum(&coarse.aligned, &times).equals(&same(&fine.sum));
        let facts = [is_sum, scaled.formula(is_multiple)?];
        if facts.map(|fact| fact.as_constant()) != [Some(true); 2] {
            return None;
        }
        let sums = case.not().or(&same(&fine.sum).equals(&times(&coarse.sum)));
        self.know(sums);
        Some(sums)
    }
}

/// Both sums are aligned to the exponent of `kept`.
fn one_exponent(kept: &Sum, gone: &Sum) -> Replacement {
    let mut one = Replacement::new();
    one.put(&kept.largest, &kept.largest);
    one.put(&gone.largest, &kept.largest);
    one
}
