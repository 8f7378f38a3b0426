//! Bounds of sums in a case: above the highest bit that a term may have, all bits of the term are
//! copies of its sign. There the sum of `n` such terms, as a number, lies between `-n` and `n - 1`.

use super::place::Premise;
use super::stage::CertificateSide;
use super::sweep::{ClauseVerdict, ProofSweep};
use mmasmt_numbers::bits::blast::Wire;

/// The most conflicts of the proof of one clause of a bound.
const EFFORT: u32 = 20_000;

impl ProofSweep {
    /// Proves bounds of all partial sums of one of the two sums.
    pub(super) fn bound(&mut self, side: &CertificateSide, place: &mut Premise) {
        let merged = &place.merged;
        let highest = |term: &Vec<Wire>| {
            let sign = term.last().map(|wire| merged.of(*wire));
            let copies = term
                .iter()
                .rev()
                .take_while(|wire| Some(merged.of(**wire)) == sign);
            term.len() - copies.count()
        };
        let is_zero = |term: &&Vec<Wire>| {
            let mut bits = term.iter().map(|wire| merged.of(*wire).as_constant());
            bits.all(|bit| bit == Some(false))
        };
        let low = side.aligned.iter().map(highest).max().unwrap_or(0);
        let zeros: Vec<bool> = side.aligned.iter().map(|term| is_zero(&term)).collect();
        let mut count = 0_i64;
        for (is_zero, sum) in zeros.iter().zip(&side.partial) {
            count += i64::from(!is_zero);
            let high = &sum[low.min(sum.len())..];
            if *is_zero
                || count < 2
                || high.len() < 2
                || high.len() > 40
                || count >= 1 << (high.len() - 1)
            {
                continue;
            }
            for clause in within(high, -count, count - 1) {
                if self.prove_clause(&clause, EFFORT, place) != ClauseVerdict::Lemma {
                    return;
                }
            }
        }
    }
}

/// Clauses that together say that a number in two's complement, lowest bit first, lies in a range.
pub fn within(number: &[Wire], least: i64, greatest: i64) -> Vec<Vec<Wire>> {
    // Count from the least number of this width, so that no number is negative.
    let width = number.len();
    let offset = 1_i64 << (width - 1);
    let mut bits = number.to_vec();
    if let Some(sign) = bits.last_mut() {
        *sign = sign.not();
    }
    let [least, greatest] = [least + offset, greatest + offset];
    let is_set = |number: i64, bit: usize| number >> bit & 1 == 1;
    let mut clauses = Vec::new();
    for bit in 0..width {
        let above = bit + 1..width;
        if !is_set(greatest, bit) {
            let ones = above.clone().filter(|&other| is_set(greatest, other));
            clauses.push(ones.chain([bit]).map(|bit| bits[bit].not()).collect());
        }
        if is_set(least, bit) {
            let zeros = above.filter(|&other| !is_set(least, other));
            clauses.push(zeros.chain([bit]).map(|bit| bits[bit]).collect());
        }
    }
    clauses
}
