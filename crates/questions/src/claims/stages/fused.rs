//! Compares fused sums: their exponents, aligned terms, sums and results.
//!
//! Two units may align the same terms to different exponents, for example where a zero or a limit
//! counts in only one unit. In such a case, the terms are zero, or no bit of them is cut, and the
//! proof needs no formula of the adder.

use super::before::PrecedingSum;
use super::facts::StageFacts;
use super::sum::SumTerms;
use mmasmt_core::machines::algorithms::{FusedStages, Summand};
use mmasmt_numbers::bits::term::{Formula, Substitution, Term};
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_numbers::float::Format;

impl StageFacts {
    /// Proves that the results of two fused sums are equal or, if they have no results, that the
    /// sums are equal.
    pub fn fused(&mut self, left: &FusedStages<Term>, right: &FusedStages<Term>) -> Option<()> {
        if left.terms.len() != right.terms.len() || left.sum.width() != right.sum.width() {
            return None;
        }
        let least = left.grid.exponent_offset.min(right.grid.exponent_offset);
        let own = SumTerms::of(left, least, |term| Some(term.clone()))?;
        let other = SumTerms::of(right, least, |term| self.same().term(term))?;
        let aligned_alike = own.largest.equals(&other.largest);
        let is_level = aligned_alike.as_constant() == Some(true);
        let before = self.before.take().filter(|_| !is_level);
        let given = before.and_then(|before| self.taken_over(&before, left, &own));
        self.given = given.unwrap_or_default();

        // `absent` sets terms to zero that are zero where the exponents differ, and so are the same
        // in both sums.
        let mut absent = Substitution::new();
        let mut loose = Vec::new();
        let zeros: Vec<_> = left.terms.iter().map(|term| term.zero).collect();
        let empty = Formula::all(zeros.iter().copied());
        let is_level_or_empty = is_level || {
            let name = format_args!("all terms are zero, or both sums are aligned to one exponent");
            self.prove_given(name, aligned_alike.or(&empty)).is_some()
        };
        for (k, term) in left.terms.iter().enumerate() {
            let known = if is_level {
                Some(Vec::new())
            } else {
                self.counts(k, term, &own, &other, is_level_or_empty)
            };
            let always = Formula::constant(true);
            let same = known.and_then(|known| self.term(k, [&own, &other], term, always, &known));
            if same.is_some() {
                self.merge(&own.aligned[k], &right.aligned[k]);
                absent.put(&own.aligned[k], &Term::lit(own.aligned[k].width(), 0));
            } else {
                loose.push(k);
            }
        }
        let sum = self.same().term(&right.sum)?;
        if own.sum.equals(&sum).as_constant() == Some(true) {
            self.merge(&own.sum, &right.sum);
        }
        let Some(format) = &left.grid.result else {
            if !loose.is_empty() {
                return None;
            }
            let empty = absent.term(&own.sum)?.is_zero();
            self.prove(format_args!("the sum of no terms is zero"), empty)?;
            self.know(aligned_alike.or(&own.sum.is_zero()));
            return Some(());
        };
        let result = self.same().term(&right.result)?;
        let same = own.result.equals(&result);
        let mut levelled = Substitution::new();
        if !loose.is_empty() {
            let other = SumTerms::of(right, least, |term| self.same().term(term))?;
            let unit = self.unit(&own);
            if self.scaled(&zeros, [&own, &other], same, unit).is_some() {
                self.goes_on(format, own, &right.result, unit);
                return Some(());
            }
            for k in loose {
                let sums = [&own, &other];
                if self
                    .one_exponent_term(k, sums, &left.terms[k], aligned_alike)
                    .is_some()
                {
                    levelled.put(&other.aligned[k], &own.aligned[k]);
                }
            }
        }
        self.prove(
            format_args!("the result is the same where the exponents differ"),
            aligned_alike.or(&absent.formula(same)?),
        )?;
        let offsets = left.grid.exponent_offset - right.grid.exponent_offset;
        let largest = self.same().term(&right.max_exponent)?;
        levelled.put_sum(&largest, &left.max_exponent, offsets.into());
        let name =
            format_args!("the result is the same where both sums are aligned to one exponent");
        match levelled.formula(same) {
            Some(same) => self.prove(name, aligned_alike.not().or(&same))?,
            None => {
                let from = [&own.sum, &left.max_exponent, &largest];
                self.prove_from(name, &from, &[aligned_alike], same)?;
            }
        }
        self.know(same);
        self.goes_on(format, own, &right.result, None);
        Some(())
    }

    /// Merges the result of this sum with `other`, the result of the right model. The result may be
    /// `c` of the next sum.
    fn goes_on(&mut self, format: &Format, numbers: SumTerms, other: &Term, unit: Option<i64>) {
        self.merge_registers(format, &numbers.result, other);
        self.before = Some(PrecedingSum {
            format: *format,
            numbers,
            unit,
        });
    }

    /// Proves two facts about term `k`. First, the term is zero, or it has the same exponent in
    /// both sums and neither sum is aligned to a lower exponent. Second, the term is zero, or both
    /// sums are aligned to one exponent; if `is_level` is set, the second fact is known already.
    fn counts(
        &mut self,
        k: usize,
        term: &Summand<Term>,
        own: &SumTerms,
        other: &SumTerms,
        is_level: bool,
    ) -> Option<Vec<Formula>> {
        let [left, right] = [own, other].map(|sum| &sum.exponents[k]);
        let [most, greatest] = [&own.largest, &other.largest];
        let below = [
            left.equals(right).not(),
            greatest.slt(left),
            most.slt(right),
        ];
        let is_within = Formula::any(below).not().or(&term.zero);
        let term_number = k + 1;
        self.prove_given(
            format_args!("term {term_number} is zero, or has one exponent, which both sums reach"),
            is_within,
        )?;
        if !is_level {
            for apart in [most.slt(greatest), greatest.slt(most)] {
                let name =
                    format_args!("term {term_number} is zero where one sum's exponent is greater");
                self.prove_given(name, apart.not().or(&term.zero))?;
            }
        }
        let aligned_alike = most.equals(greatest).or(&term.zero);
        self.know(aligned_alike);
        Some(vec![is_within, aligned_alike])
    }

    /// Proves that an aligned term is the same in both sums in the case `aligned_alike`, in which
    /// the sums are aligned to one exponent.
    fn one_exponent_term(
        &mut self,
        k: usize,
        sums: [&SumTerms; 2],
        term: &Summand<Term>,
        aligned_alike: Formula,
    ) -> Option<()> {
        let [left, right] = sums.map(|sum| &sum.exponents[k]);
        let one_exponent = left.equals(right).or(&term.zero);
        let name = format_args!("term {} is zero, or has one exponent in both sums", k + 1);
        self.prove(name, one_exponent)?;
        self.term(k, sums, term, aligned_alike, &[one_exponent])
    }

    /// Proves that a term is zero once aligned where it is zero before, and that the aligned term
    /// is the same in both sums where `case` holds. In this case the term is zero, or its shifts
    /// are the same in both sums; `known` may contain facts that say so.
    fn term(
        &mut self,
        k: usize,
        [own, other]: [&SumTerms; 2],
        term: &Summand<Term>,
        case: Formula,
        known: &[Formula],
    ) -> Option<()> {
        let aligned = &own.aligned[k];
        let number = k + 1;
        self.prove(
            format_args!("term {number} is zero once aligned where it is before"),
            aligned.is_zero().or(&term.zero.not()),
        )?;
        let same = case.not().or(&aligned.equals(&other.aligned[k]));
        if same.as_constant() == Some(true) {
            return Some(());
        }
        let [left, right] = [own, other].map(|sum| &sum.distances[k]);
        let mut moved = Substitution::new();
        moved.put(right, left);
        let mut empty = Substitution::new();
        let significand = &term.significand;
        empty.put(significand, &Term::lit(significand.width(), 0));
        self.prove(
            format_args!("the significand of term {number} is zero where the term is"),
            significand.is_zero().or(&term.zero.not()),
        )?;
        let width = left.width().max(right.width());
        let shifted = left.zext(width).equals(&right.zext(width));
        let exponents = [own, other].map(|sum| [&sum.exponents[k], &sum.largest]);
        let from = exponents.as_flattened();
        let from = if known.is_empty() { &[] } else { from };
        self.prove_from(
            format_args!("term {number} is shifted as far in both sums"),
            from,
            known,
            shifted.or(&term.zero).or(&case.not()),
        )?;
        let cases = [moved.formula(same)?, empty.formula(same)?];
        if cases.iter().all(|case| case.as_constant() == Some(true)) {
            self.know(same);
            return Some(());
        }
        self.prove(format_args!("term {number} is the same once aligned"), same)
    }
}
