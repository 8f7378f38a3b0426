//! Proofs by lemmas: each lemma is proved from a part of the formula, and later proofs may use it.

use crate::claims::property::Lemma;
use crate::claims::stages::Ledger;
use crate::solver::engine::{Search, Strategy, Verdict};
use mmasmt_core::base::limits::Limits;
use mmasmt_core::numbers::bits::Prop;
use mmasmt_core::numbers::bits::term::{Formula, NodeId, Term};

/// The most conflicts that the proof of one lemma may take.
const EFFORT: u32 = 200_000;

/// Whether all `lemmas` are proved, and imply that `whole` holds for no inputs. The proofs are
/// recorded in `ledger`.
pub(super) fn follows(
    whole: Formula,
    lemmas: &[Lemma<Term>],
    seed: u64,
    limits: &Limits,
    ledger: &mut Ledger,
) -> bool {
    let Some(last) = lemmas.last() else {
        return false;
    };
    let mut known = Vec::new();
    let limits = limits.with_conflicts(EFFORT);
    for (number, Lemma { holds, from }) in (1..).zip(lemmas) {
        let free: Vec<_> = from.iter().map(Term::node).collect();
        if !contradicts(&free, &known, holds.not(), seed, &limits) {
            return false;
        }
        ledger.keep(format_args!("lemma {number}"), &free, &known, *holds);
        known.push(*holds);
    }
    let free: Vec<_> = last.from.iter().map(Term::node).collect();
    let follows = contradicts(&free, &known, whole, seed, &limits);
    if follows {
        ledger.keep_last(&free, &known, whole);
    }
    follows
}

/// Whether `formula` contradicts the `known` formulas, for any values of the nodes `free`.
fn contradicts(
    free: &[NodeId],
    known: &[Formula],
    formula: Formula,
    seed: u64,
    limits: &Limits,
) -> bool {
    let mut search = Search::new(Strategy::Proof, seed);
    search.cut_at(free.iter().copied());
    for &formula in known.iter().chain([&formula]) {
        search.assert(formula);
    }
    search.solve(&[], limits) == Verdict::Unsat
}

#[cfg(test)]
mod tests {
    use super::{Ledger, follows};
    use crate::claims::property::Lemma;
    use mmasmt_core::base::limits::Limits;
    use mmasmt_core::numbers::bits::term::{Formula, Term, scope};
    use mmasmt_core::numbers::bits::{Bv, Prop};

    /// The product of two inputs of 8 bits.
    fn product() -> Term {
        let [x, y] = [0, 1].map(|index| Term::input(index, 8).zext(16));
        x.mul(&y)
    }

    fn says(whole: Formula, lemmas: &[Lemma<Term>]) -> bool {
        follows(whole, lemmas, 0, &Limits::default(), &mut Ledger::default())
    }

    fn proves(whole: Formula, holds: Formula, from: &[Term]) -> bool {
        let from = from.to_vec();
        says(whole, &[Lemma { holds, from }])
    }

    #[test]
    fn only_what_follows_is_checked() {
        scope(|| {
            let product = product();
            let is = |value: u64| product.equals(&Term::lit(16, value));
            let from = std::slice::from_ref(&product);
            // 65024 is 256 * 254, and no product of two numbers below 256.
            assert!(proves(is(65024), is(65024).not(), &[]));
            assert!(!proves(is(65024), is(65024).not(), from));
            // The first lemma is false; the second one is true but of no use.
            assert!(!proves(is(6), is(6).not(), &[]));
            assert!(!proves(is(6), is(65024).not(), &[]));
            assert!(!says(is(65024), &[]));
        })
    }

    #[test]
    fn free_numbers_stay_in_their_range() {
        scope(|| {
            let product = product();
            let from = std::slice::from_ref(&product);
            // The term layer does not see that these bits cannot all be set: the product would then
            // be at least 65280, which is beyond its range.
            let high = |lowest: u32| Formula::all((lowest..16).map(|index| product.bit(index)));
            assert!(proves(high(8), high(8).not(), from));
            assert!(!proves(high(9), high(9).not(), from));
        })
    }
}
