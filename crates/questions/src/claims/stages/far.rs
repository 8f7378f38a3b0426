//! Sums that are aligned so far apart that both results are zero: the terms of the finer sum are
//! far below the least number of the result's format, and the coarser sum keeps no more bits of
//! these terms.

use super::facts::StageFacts;
use super::pair::StagePair;
use super::sum::SumTerms;
use mmasmt_numbers::bits::term::{Formula, Substitution, Term};
use mmasmt_numbers::bits::{Bv, Prop};

impl StageFacts {
    /// Proves that both results are zero where the exponents of the two sums differ by more than
    /// `shift`. In this case, `present` says which terms may be nonzero, and `most` is an upper
    /// bound of the exponent of the coarser sum.
    pub(super) fn vanishes(
        &mut self,
        pair: &StagePair,
        present: &[bool],
        shift: u32,
        most: &Term,
    ) -> Option<()> {
        let StagePair { coarse, fine, .. } = pair;
        let is_near = pair.beyond(shift).not();
        let is_most = pair.is_most(most);
        self.prove(
            format_args!("the coarser sum is aligned to a limit where the exponents differ"),
            is_most,
        )?;
        let numbers = [&coarse.sum, &fine.sum, &coarse.largest, &fine.largest];
        // `bounded` is the sum made of terms with known bounds.
        let is_zero = |facts: &mut Self, name: &str, sum: &SumTerms, bounded: &Term| {
            let few = is_near.or(&within(&sum.sum, greatest(bounded)?));
            let zero = is_near.or(&sum.result.is_zero());
            let known = [few, is_most];
            let name =
                format_args!("the {name} is zero where the exponents differ by more than {shift}");
            facts.follows(name, &numbers, &known, zero).then_some(())
        };

        let mut absent = Substitution::new();
        for (aligned, _) in fine.aligned.iter().zip(present).filter(|(_, is)| !**is) {
            absent.put(aligned, &Term::lit(aligned.width(), 0));
        }
        is_zero(
            self,
            "result of the finer sum",
            fine,
            &absent.term(&fine.sum)?,
        )?;

        let mut small = Substitution::new();
        for (k, aligned) in coarse.aligned.iter().enumerate() {
            let width = aligned.width();
            let any = if present[k] {
                any_within(k, width, self.most_of_term(pair, k, shift)?)?
            } else {
                Term::lit(width, 0)
            };
            small.put(aligned, &any);
        }
        is_zero(
            self,
            "result of the coarser sum",
            coarse,
            &small.term(&coarse.sum)?,
        )
    }

    /// For each term, whether it may be nonzero where the exponents of the two sums differ.
    pub(super) fn present(&mut self, pair: &StagePair) -> Vec<bool> {
        let is_one = pair.beyond(0).not();
        let name = format_args!("a term is zero where the exponents differ");
        let mut is_absent =
            |aligned: &Term| self.prove(name, is_one.or(&aligned.is_zero())).is_some();
        let both = pair.fine.aligned.iter().zip(&pair.coarse.aligned);
        both.map(|(fine, coarse)| !(is_absent(fine) && is_absent(coarse)))
            .collect()
    }

    /// The greatest magnitude of term `k` in the coarser sum where the exponent of the coarser sum
    /// exceeds that of the finer sum by more than `shift`; `None` if it is not proved.
    fn most_of_term(&mut self, pair: &StagePair, k: usize, shift: u32) -> Option<u64> {
        let StagePair { coarse, fine, .. } = pair;
        let is_below = fine.largest.slt(&coarse.exponents[k]).not();
        let term = k + 1;
        self.prove(
            format_args!(
                "term {term} is zero, or its exponent is no more than that of the finer sum"
            ),
            is_below.or(&coarse.significands[k].is_zero()),
        )?;
        let [_, significand] = coarse.significands[k].range()?;
        let places = coarse.fraction.checked_sub(coarse.fractions[k])?;
        let most = significand.checked_shl(places)? >> (shift + 1).min(63);
        let alone = pair.farther(k, shift, within(&coarse.aligned[k], most))?;
        let name = format_args!(
            "term {term} is at most {most} where its exponent is below that of its sum by more than {shift}"
        );
        self.always(name, alone).then_some(most)
    }
}

/// The greatest magnitude that a number in two's complement may have.
fn greatest(number: &Term) -> Option<u64> {
    let [least, greatest] = number.signed_range()?;
    Some(least.unsigned_abs().max(greatest.unsigned_abs()))
}

/// Whether the magnitude of a number in two's complement is at most `most`.
fn within(number: &Term, most: u64) -> Formula {
    let width = number.width();
    if width <= u64::BITS && most >> (width - 1) != 0 {
        return Formula::constant(true);
    }
    let most = Term::lit(width, most);
    let is_above = most.slt(number);
    is_above.or(&number.slt(&most.neg())).not()
}

/// An arbitrary number in two's complement whose magnitude is at most `most`, made of inputs that
/// belong to term `k` alone. `None` if the magnitude has as many bits as the width, or 64.
fn any_within(k: usize, width: u32, most: u64) -> Option<Term> {
    let bits = (u64::BITS - most.leading_zeros()).max(1);
    if bits >= width.min(u64::BITS) {
        return None;
    }
    let number = 2 * k as u32;
    let [any, sign] =
        [(0, bits), (1, 1)].map(|(more, width)| Term::input(u32::MAX - 100 - number - more, width));
    // The term layer knows that a maximum with a number is at least that number.
    let below = Term::lit(bits, (1 << bits) - 1 - most);
    let magnitude = Term::umax(&[any, below.clone()]).sub(&below);
    Some(magnitude.zext(width).neg_if(&sign.bit(0)))
}
