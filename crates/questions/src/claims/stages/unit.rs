//! Powers of two of which all terms of a sum are multiples. The sum, its result, and `c` of the
//! next sum are then multiples of the same power of two.
//!
//! If `c` is known to be such a multiple, it does not matter how `c` was computed.

use super::before::{ArbitraryNumbers, PrecedingSum};
use super::facts::{StageFacts, fields};
use super::sum::SumTerms;
use mmasmt_core::machines::algorithms::FusedStages;
use mmasmt_numbers::bits::term::{Formula, Substitution, Term};
use mmasmt_numbers::bits::{Bv, Prop};

impl StageFacts {
    /// Proves that the sum is a multiple of `2^unit`, given that each of its terms is.
    fn summed(&mut self, own: &SumTerms, unit: i64) -> Option<Formula> {
        for (k, exponent) in own.exponents.iter().enumerate() {
            let from = [&own.significands[k], exponent, &own.largest];
            let known = [own.is_multiple(k, unit), own.largest.slt(exponent).not()];
            let is_multiple = is_multiple(&own.aligned[k], &own.largest, own.fraction, unit);
            let name = format_args!(
                "term {} is a multiple of a power of two once aligned",
                k + 1
            );
            self.prove_from(name, &from, &known, is_multiple)?;
        }
        // Low bits that are zero in all terms are zero in their sum.
        for zeros in 1..=own.sum.width() {
            let mut scaled = Substitution::new();
            for aligned in &own.aligned {
                let above = aligned.ashr(&Term::lit(32, zeros.into()));
                scaled.put(aligned, &above.widen_low(zeros));
            }
            let low = scaled.term(&own.sum)?.extract(zeros - 1, 0);
            if low.is_zero().as_constant() != Some(true) {
                return None;
            }
        }
        let is_multiple = is_multiple(&own.sum, &own.largest, own.fraction, unit);
        self.know(is_multiple);
        Some(is_multiple)
    }

    /// The facts about `c` of `stage` that follow from the previous sum; `own` has the numbers of
    /// `stage`. `None` if these facts are not proved, or hold for all numbers of the format.
    pub(super) fn taken_over(
        &mut self,
        before: &PrecedingSum,
        stage: &FusedStages<Term>,
        own: &SumTerms,
    ) -> Option<ArbitraryNumbers> {
        let last = stage.terms.len().checked_sub(1)?;
        let PrecedingSum {
            format, numbers, ..
        } = before;
        let unit = before.unit.or_else(|| self.unit(numbers))?;
        if unit + numbers.least <= i64::from(format.least_exponent()) {
            return None;
        }
        let is_multiple = self.summed(numbers, unit)?;
        let unit = unit + numbers.least - own.least;
        let known = [
            own.is_multiple(last, unit),
            below(&own.exponents[last], unit)
                .not()
                .or(&stage.terms[last].zero),
        ];
        for &known in &known {
            let from = [&numbers.sum, &numbers.largest];
            let name = format_args!("the result is a multiple of a power of two, as the sum is");
            self.prove_from(name, &from, &[is_multiple], known)?;
        }
        let mut free = fields(format, &numbers.result);
        free.push(numbers.sum.clone());
        Some(ArbitraryNumbers {
            numbers: free,
            known: known.to_vec(),
        })
    }

    /// The exponent of the greatest power of two of which all terms are proved to be multiples.
    pub(super) fn unit(&mut self, own: &SumTerms) -> Option<i64> {
        let [_, greatest] = Term::umax(&own.exponents).range()?;
        (0..own.exponents.len()).try_fold(greatest as i64, |unit, k| self.unit_of(own, k, unit))
    }

    /// The exponent, at most `most`, of the greatest power of two of which term `k` is proved to be
    /// a multiple.
    fn unit_of(&mut self, own: &SumTerms, k: usize, most: i64) -> Option<i64> {
        // No bit of the term is below the last place that belongs to its least exponent.
        let [least, _] = own.exponents[k].range()?;
        let least = most.min(least as i64 - i64::from(own.fractions[k]));
        let name = format_args!("term {} is a multiple of a power of two", k + 1);
        let prove = |facts: &mut Self, unit: i64| facts.prove(name, own.is_multiple(k, -unit));
        self.least(-most..=-least, prove).map(|unit| -unit)
    }
}

impl SumTerms {
    /// Whether term `k` is a multiple of `2^unit`, where `unit` is counted from the same exponent
    /// as `exponents`.
    fn is_multiple(&self, k: usize, unit: i64) -> Formula {
        let (significand, exponent) = (&self.significands[k], &self.exponents[k]);
        is_multiple(significand, exponent, self.fractions[k], unit)
    }
}

/// Whether `exponent` is below `least`.
fn below(exponent: &Term, least: i64) -> Formula {
    if least <= 0 {
        return Formula::constant(false);
    }
    exponent.slt(&Term::lit(exponent.width(), least as u64))
}

/// Whether `value * 2^(exponent - fraction)` is a multiple of `2^unit`: no bit of a lower weight is
/// set.
pub(super) fn is_multiple(value: &Term, exponent: &Term, fraction: u32, unit: i64) -> Formula {
    let bit = |index: u32| {
        let least = unit + i64::from(fraction) - i64::from(index);
        below(exponent, least).and(&value.bit(index))
    };
    Formula::any((0..value.width()).map(bit)).not()
}
