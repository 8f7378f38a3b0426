//! Fused sums that are aligned to different exponents and cut nothing: one sum is a power of two
//! times the other, and their results are the same.

use super::facts::StageFacts;
use super::pair::StagePair;
use super::sum::SumTerms;
use mmasmt_numbers::bits::term::{Formula, Substitution, Term};
use mmasmt_numbers::bits::{Bv, Prop};

/// The greatest difference between the exponents of two sums that is tried.
const MOST: u32 = 40;

impl StageFacts {
    /// Proves `same`, which says that the results of two sums are the same. There is one case for
    /// each difference between the exponents that the sums are aligned to, and one case where all
    /// terms are zero. For each term, `zeros` says whether it is zero.
    pub(super) fn scaled(
        &mut self,
        zeros: &[Formula],
        [own, other]: [&SumTerms; 2],
        same: Formula,
        unit: Option<i64>,
    ) -> Option<()> {
        let empty = Formula::all(zeros.iter().copied());
        let mut absent = Substitution::new();
        for aligned in [&own.aligned, &other.aligned] {
            for (k, (aligned, zero)) in (1..).zip(aligned.iter().zip(zeros)) {
                self.prove(
                    format_args!("term {k} is zero once aligned where it is before"),
                    aligned.is_zero().or(&zero.not()),
                )?;
                absent.put(aligned, &Term::lit(aligned.width(), 0));
            }
        }
        self.prove(
            format_args!("the result is the same where all terms are zero"),
            empty.not().or(&absent.formula(same)?),
        )?;

        let pairs = [[own, other], [other, own]].map(|[coarse, fine]| StagePair {
            coarse,
            fine,
            empty,
            zeros,
            unit,
            spread: None,
        });
        self.shifted(&pairs[0], 0, None)?;
        let levelled = pairs.iter().filter_map(|pair| {
            let mut one = pair.one_exponent();
            one.put(&pair.coarse.sum, &pair.coarse.sum);
            one.put(&pair.fine.sum, &pair.coarse.sum);
            one.formula(same)
        });
        // Which of the two exponents is kept decides whether the formula becomes a constant.
        let levelled = levelled.max_by_key(|same| same.as_constant() == Some(true));
        let numbers = [&own.sum, &other.sum, &own.largest, &other.largest];
        let name =
            format_args!("the result is the same where both sums are aligned to one exponent");
        self.prove_from(name, &numbers, &[], levelled?)?;
        for mut pair in pairs {
            let most = self.most_of_coarse(&pair);
            let greatest = self.least(0..=MOST.into(), |facts, shift| {
                let name = format_args!("the exponents differ by no more than {shift}");
                facts.prove_given(name, pair.beyond(shift as u32).not())
            });
            let mut far = None;
            if greatest != Some(0)
                && let Some(most) = most.as_ref().filter(|most| pair.cuts_of_unit(most))
            {
                pair.spread = self.spread(&pair);
                far = Some((self.present(&pair), most));
            }
            // Without `greatest` and without `far`, there would be no end of cases.
            if greatest.is_none() {
                far.as_ref()?;
            }
            let mut shift = 0;
            while greatest != Some(shift.into()) {
                if let Some((present, most)) = &far
                    && self.vanishes(&pair, present, shift, most).is_some()
                {
                    self.know(pair.beyond(shift).not().or(&same));
                    break;
                }
                shift += 1;
                if shift > MOST {
                    return None;
                }
                let sums = self.shifted(&pair, shift, most.as_ref())?;
                self.prove_from(
                    format_args!("the result is the same where the exponents differ by {shift}"),
                    &numbers,
                    &[sums],
                    pair.apart_by(shift).not().or(&same),
                )?;
            }
        }
        self.know(same);
        Some(())
    }

    /// A proved upper bound of the coarser sum's exponent where the finer sum's exponent is less.
    /// The bound is a limit that makes the exponents differ, or the greatest exponent at which no
    /// multiple of the unit is cut.
    fn most_of_coarse(&mut self, pair: &StagePair) -> Option<Term> {
        let largest = &pair.coarse.largest;
        let [limit, _] = largest.range()?;
        let uncut = pair.uncut().and_then(|uncut| u64::try_from(uncut).ok());
        let bounds = [Some(limit), uncut].into_iter().flatten();
        let mut bounds = bounds.map(|bound| Term::lit(largest.width(), bound));
        let name = format_args!("the coarser sum is aligned to a limit where the exponents differ");
        bounds.find(|most| self.prove(name, pair.is_most(most)).is_some())
    }

    /// The greatest distance from the finer sum's exponent down to the exponent of a nonzero term,
    /// where the coarser sum's exponent is greater.
    fn spread(&mut self, pair: &StagePair) -> Option<i64> {
        let StagePair { fine, .. } = pair;
        (0..fine.exponents.len()).try_fold(0, |least, k| {
            self.least(least..=MOST.into(), |facts, spread| {
                let lowest = fine.exponents[k].add_const(spread);
                let is_near = lowest.slt(&fine.largest).not();
                let is_near = is_near.or(&fine.significands[k].is_zero());
                let name = format_args!(
                    "term {} is zero, or at most {spread} below the exponent of the finer sum",
                    k + 1
                );
                facts.prove(name, pair.beyond(0).not().or(&is_near))
            })
        })
    }

    /// Proves that the finer sum is `2^shift` times the coarser sum where the finer sum's exponent
    /// is less by `shift`. If `most` is given, the coarser sum's exponent is at most `most` there.
    fn shifted(&mut self, pair: &StagePair, shift: u32, most: Option<&Term>) -> Option<Formula> {
        let StagePair { coarse, fine, .. } = pair;
        // A unit may keep fewer bits of the sum than of a term.
        let kept = [coarse, fine].map(|sum| sum.aligned.iter().chain([&sum.sum]));
        let width = kept.into_iter().flatten().map(Term::width).max()? + shift;
        let same = |value: &Term| value.sext(width);
        let times = |value: &Term| value.widen_low(shift).sext(width);
        let case = pair.apart_by(shift);
        let level = (shift == 0).then(|| pair.one_exponent());
        let mut scaled = Substitution::new();
        for (k, (coarse, fine)) in coarse.aligned.iter().zip(&fine.aligned).enumerate() {
            let is_scaled = same(fine).equals(&times(coarse));
            let levelled = level.as_ref().and_then(|one| one.formula(is_scaled));
            let is_scaled = levelled.unwrap_or(is_scaled);
            let in_case = case.not().or(&is_scaled);
            let is_one = fine.equals(coarse).as_constant() == Some(true);
            // A term that is zero is zero in both sums.
            let [own, other] = [pair.coarse, pair.fine].map(|sum| &sum.exponents[k]);
            let number = k + 1;
            let one_exponent = self.prove(
                format_args!("term {number} is zero, or has one exponent in both sums"),
                own.equals(other).or(&pair.zeros[k]),
            );
            let alone = one_exponent.and_then(|()| pair.alone(k, shift, most, is_scaled));
            let name = format_args!(
                "term {number} of the finer sum is a multiple where the exponents differ by {shift}"
            );
            if alone.is_some_and(|alone| self.always(name, alone)) {
                self.know(in_case);
            } else if is_one && shift > 0 {
                // A term that is the same in both sums is a multiple of itself only if it is zero.
                self.prove(
                    format_args!("term {number} is zero where the exponents differ"),
                    pair.beyond(0).not().or(&coarse.is_zero()),
                )?;
                self.know(in_case);
            } else {
                let low = most.map(|most| case.not().or(&most.slt(&pair.coarse.largest).not()));
                self.prove_from(name, &[], low.as_slice(), in_case)?;
            }
            if !is_one {
                scaled.put(fine, &times(coarse));
            } else if shift > 0 {
                scaled.put(fine, &Term::lit(fine.width(), 0));
            }
        }
        // Each sum is the sum of its terms, and no bit is lost in it.
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
