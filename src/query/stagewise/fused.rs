//! Fused sums compared: exponents, aligned terms, sum, result.
//!
//! Two units may align the same terms to different exponents, as where a zero or a limit counts in
//! one of them. Then the terms are zero, or nothing is cut of them: cases that need no adder.

use super::facts::Facts;
use super::sum::Sum;
use super::unit::Given;
use crate::algorithms::{Fused, Summand};
use crate::bits::term::{Formula, Replacement, Term};
use crate::bits::{Bv, Prop};

impl Facts {
    /// Proves that the results of two fused sums are the same, or that the sums are where they have
    /// none.
    pub fn fused(&mut self, left: &Fused<Term>, right: &Fused<Term>) -> Option<()> {
        if left.terms.len() != right.terms.len() || left.sum.width() != right.sum.width() {
            return None;
        }
        let least = left.grid.exponent_offset.min(right.grid.exponent_offset);
        let own = Sum::of(left, least, |term| Some(term.clone()))?;
        let other = Sum::of(right, least, |term| self.same().term(term))?;
        self.given = match self.before.take() {
            Some(before) => self.taken_over(&before, left, &own).unwrap_or_default(),
            None => Given::default(),
        };
        let level = own.largest.equals(&other.largest);
        let is_level = level.as_constant() == Some(true);

        // Terms that are zero where the exponents differ: then they are the same in both sums.
        let mut absent = Replacement::new();
        let mut firm = 0;
        for (k, term) in left.terms.iter().enumerate() {
            let is_firm = is_level || self.counts(k, term, &own, &other).is_some();
            if is_firm && self.term(k, term, &own, &other).is_some() {
                self.merge(&own.aligned[k], &right.aligned[k]);
                absent.put(&own.aligned[k], &Term::lit(own.aligned[k].width(), 0));
                firm += 1;
            }
        }
        let sum = self.same().term(&right.sum)?;
        if own.sum.equals(&sum).as_constant() == Some(true) {
            self.merge(&own.sum, &right.sum);
        }
        let Some(format) = &left.grid.result else {
            if firm < left.terms.len() {
                return None;
            }
            let empty = absent.term(&own.sum)?.is_zero();
            self.prove(empty)?;
            self.know(level.or(&own.sum.is_zero()));
            return Some(());
        };
        let result = self.same().term(&right.result)?;
        let same = own.result.equals(&result);
        if firm < left.terms.len() {
            let zeros: Vec<_> = left.terms.iter().map(|term| term.zero).collect();
            let other = Sum::of(right, least, |term| self.same().term(term))?;
            let unit = self.unit(&own);
            if self.scaled(&zeros, [&own, &other], same, unit).is_some() {
                self.merge_registers(format, &own.result, &right.result);
                self.before = unit.and_then(|unit| self.passed_on(left, &own, unit));
                return Some(());
            }
        }
        self.prove(level.or(&absent.formula(same)?))?;
        let mut levelled = Replacement::new();
        let offsets = left.grid.exponent_offset - right.grid.exponent_offset;
        let largest = self.same().term(&right.max_exponent)?;
        levelled.put_sum(&largest, &left.max_exponent, offsets.into());
        match levelled.formula(same) {
            Some(same) => self.prove(level.not().or(&same))?,
            None => {
                let from = [&own.sum, &left.max_exponent, &largest];
                self.prove_from(&from, &[level], same)?;
            }
        }
        self.know(same);
        self.merge_registers(format, &own.result, &right.result);
        Some(())
    }

    /// Proves that a term is zero, or has one exponent in both sums, below which neither is aligned,
    /// and that both are aligned to one.
    fn counts(&mut self, k: usize, term: &Summand<Term>, own: &Sum, other: &Sum) -> Option<()> {
        let [left, right] = [own, other].map(|sum| &sum.exponents[k]);
        let [most, greatest] = [&own.largest, &other.largest];
        let below = [
            left.equals(right).not(),
            greatest.slt(left),
            most.slt(right),
        ];
        self.prove_given(Formula::any(below).not().or(&term.zero))?;
        for apart in [most.slt(greatest), greatest.slt(most)] {
            self.prove_given(apart.not().or(&term.zero))?;
        }
        self.know(most.equals(greatest).or(&term.zero));
        Some(())
    }

    /// Proves that an aligned term is the same in both sums, where it is zero or the exponents are
    /// the same, and is zero where the term is.
    fn term(&mut self, k: usize, term: &Summand<Term>, own: &Sum, other: &Sum) -> Option<()> {
        let aligned = &own.aligned[k];
        self.prove(aligned.is_zero().or(&term.zero.not()))?;
        let same = aligned.equals(&other.aligned[k]);
        if same.as_constant() == Some(true) {
            return Some(());
        }
        let [left, right] = [own, other].map(|sum| &sum.distances[k]);
        let mut moved = Replacement::new();
        moved.put(right, left);
        let mut empty = Replacement::new();
        let significand = &term.significand;
        empty.put(significand, &Term::lit(significand.width(), 0));
        self.prove(significand.is_zero().or(&term.zero.not()))?;
        let width = left.width().max(right.width());
        let shifted = left.zext(width).equals(&right.zext(width));
        self.prove(shifted.or(&term.zero))?;
        let cases = [moved.formula(same)?, empty.formula(same)?];
        if cases.iter().all(|case| case.as_constant() == Some(true)) {
            self.know(same);
            return Some(());
        }
        self.prove(same)
    }
}
