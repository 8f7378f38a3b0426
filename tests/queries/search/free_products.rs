//! A search in which products are any numbers: pairs of factors.

use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::term::{Formula, Term, scope};
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_questions::claims::query::{FreeProducts, factor_pairs};
use mmasmt_questions::solver::engine::CadicalVerdict;

/// Every number has the pairs of factors that a search of all pairs finds.
#[test]
fn pairs_are_all_pairs() {
    for widths in [[3, 5], [5, 3], [4, 4]] {
        let [m, n] = widths.map(|width| 1_u64 << width);
        for value in 1..m * n {
            let mut found: Vec<_> = factor_pairs(value, widths).collect();
            found.sort_unstable();
            let all = (0..m).flat_map(|x| (0..n).map(move |y| [x, y]));
            let expected: Vec<_> = all.filter(|[x, y]| x * y == value).collect();
            assert_eq!(found, expected, "{value} of {widths:?}");
        }
    }
}

fn solved(formula: impl Fn(&Term, &Term, &Term) -> Formula) -> Option<[u64; 2]> {
    let [x, y] = [0, 1].map(|index| Term::input(index, 5));
    let whole = formula(&x, &y, &x.mul_wide(&y));
    let mut search = FreeProducts::of(whole, 0).unwrap();
    match search.solve(&Limits::default()) {
        CadicalVerdict::Sat => Some([0, 1].map(|index| search.search.value(index))),
        CadicalVerdict::Unsat => None,
        CadicalVerdict::Unknown(stopped) => panic!("{stopped:?}"),
    }
}

/// The product is a number that has few pairs of factors, or none.
#[test]
fn numbers_are_told_by_their_factors() {
    for value in 1..=31 * 31 {
        let is_value = |_: &Term, _: &Term, product: &Term| product.equals(&Term::lit(10, value));
        let found = scope(|| solved(is_value));
        let is_product = (1..32).any(|x| value % x == 0 && value / x < 32);
        assert_eq!(found.is_some(), is_product, "{value}");
        assert!(
            found.is_none_or(|[x, y]| x * y == value),
            "{value}: {found:?}"
        );
    }
}

/// The facts from the beginning hold for every pair of factors.
#[test]
fn every_pair_of_factors_is_a_model() {
    for (x, y) in (0..32).flat_map(|x| [0, 1, 2, 3, 5, 15, 16, 17, 30, 31].map(|y| (x, y))) {
        let found = scope(|| {
            solved(|left, right, product| {
                let is = |term: &Term, value| term.equals(&Term::lit(term.width(), value));
                Formula::all([is(left, x), is(right, y), is(product, x * y)])
            })
        });
        assert_eq!(found, Some([x, y]));
    }
}
