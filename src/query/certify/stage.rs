//! Two fused sums, one of each model, and gates beside them that tell cases apart.

use super::cases::Cases;
use crate::algorithms::Fused;
use crate::bits::blast::{Blasted, Wire};
use crate::bits::{Bv, Prop};

/// Bits of a difference of exponents.
const DIFFERENCE_BITS: u32 = 16;

/// Two sums of the same terms.
pub(super) struct Stage {
    /// Whether all terms are zero.
    pub empty: Wire,
    /// The exponent that the left sum is aligned to less that of the right one.
    pub difference: Vec<Wire>,
    /// What both are aligned to.
    pub largest: [Vec<Wire>; 2],
    /// That no exponent is greater than what the sum is aligned to: facts, each easy after those
    /// before it.
    pub within: Vec<Wire>,
    /// The results, or where they go on as they are the sums.
    pub results: [Vec<Wire>; 2],
    /// One of them holds: each with what it says.
    pub cases: Vec<(Wire, String)>,
}

impl Stage {
    /// None if the sums are not of as many terms.
    pub fn of(left: &Fused<Blasted>, right: &Fused<Blasted>, cases: &Cases) -> Option<Stage> {
        if left.terms.len() != right.terms.len() {
            return None;
        }
        let empty = Wire::all(left.terms.iter().map(|term| term.zero));
        let counted = |stage: &Fused<Blasted>| {
            let largest = stage.max_exponent.zext(DIFFERENCE_BITS);
            largest.add_const(stage.grid.exponent_offset.into())
        };
        let difference = counted(left).sub(&counted(right));
        let is = |number: i64| difference.equals(&Blasted::lit(DIFFERENCE_BITS, number as u64));
        let mut all = vec![(empty, "all terms are zero".to_owned())];
        let mut other = empty.not();
        for &number in &cases.0 {
            let apart = is(number);
            let what = format!("the exponents are {number} apart");
            all.push((apart.and(&empty.not()), what));
            other = other.and(&apart.not());
        }
        all.push((other, "the exponents are apart otherwise".to_owned()));
        let results = match left.grid.result {
            Some(_) => [&left.result, &right.result],
            None => [&left.sum, &right.sum],
        };
        let is_level = difference
            .wires()
            .iter()
            .all(|wire| wire.as_constant() == Some(false));
        let within = [left, right].map(within);
        Some(Stage {
            empty,
            difference: difference.wires().to_vec(),
            largest: [left, right].map(|stage| stage.max_exponent.wires().to_vec()),
            within: within.into_iter().flatten().collect(),
            results: results.map(|result| result.wires().to_vec()),
            cases: if is_level { Vec::new() } else { all },
        })
    }

    /// The gates beside the question.
    pub fn beside(&self) -> Vec<Wire> {
        let cases = self.cases.iter().map(|(wire, _)| *wire);
        cases.chain(self.within.iter().copied()).collect()
    }
}

/// That the maximum of the exponents is not less than the maximum of the first ones, and so than each.
fn within(stage: &Fused<Blasted>) -> Vec<Wire> {
    let Some((first, rest)) = stage.exponents.split_first() else {
        return Vec::new();
    };
    let largest = &stage.max_exponent;
    let mut partial = vec![first.clone()];
    for exponent in rest {
        let last = partial[partial.len() - 1].clone();
        partial.push(Blasted::umax(&[last, exponent.clone()]));
    }
    let mut facts = Vec::new();
    for index in (0..partial.len()).rev() {
        let [exponent, partial] = [&stage.exponents[index], &partial[index]];
        facts.extend([
            partial.ule(largest),
            exponent.ule(partial),
            exponent.ule(largest),
        ]);
    }
    facts
}
