//! Lemmas: what follows from them, and the range of a number that is freed.

use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::term::{Formula, Term, scope};
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_questions::claims::Ledger;
use mmasmt_questions::claims::property::Lemma;
use mmasmt_questions::claims::query::follows;

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
