//! The graph of terms: sizes, walks, and what stands for a subterm.

use mmasmt_numbers::bits::term::{
    Connective, Formula, Node, Substitution, Subterm, Term, scope, with_graph,
};
use mmasmt_numbers::bits::{Bv, Prop};

/// Bytes of an operand in a list.
const OPERAND_BYTES: u64 = 8;

#[test]
fn subterms_come_after_their_operands_and_none_behind_leaves() {
    scope(|| {
        let [x, y] = [0, 1].map(|index| Term::input(index, 8).zext(16));
        let product = x.mul(&y);
        let whole = product.mul(&y.mul(&y));
        let [x, y, product, whole] = [x, y, product, whole].map(|term| term.node());
        let all = with_graph(|graph| graph.subterms_until(&[Subterm::Node(product)], |_| false));
        assert_eq!(all.len(), 3);
        assert_eq!(all[2], Subterm::Node(product));
        let is_leaf = |part| part == Subterm::Node(product);
        let some = with_graph(|graph| graph.subterms_until(&[Subterm::Node(whole)], is_leaf));
        assert!(some.contains(&Subterm::Node(product)) && some.contains(&Subterm::Node(y)));
        assert!(!some.contains(&Subterm::Node(x)));
    })
}

#[test]
fn what_stands_for_a_number_does_so_everywhere() {
    scope(|| {
        let [x, y] = [0, 1].map(|index| Term::input(index, 8));
        let mut same = Substitution::new();
        same.put(&y, &x);
        let product = x.mul_wide(&y);
        assert!(product.equals(&x.mul_wide(&x)).as_constant().is_none());
        let square = same.term(&product).unwrap();
        assert_eq!(square.equals(&x.mul_wide(&x)).as_constant(), Some(true));
        let apart = x.equals(&y).not();
        assert_eq!(same.formula(apart).unwrap().as_constant(), Some(false));
    })
}

#[test]
fn sums_with_a_constant_are_seen_through() {
    scope(|| {
        let [x, y] = [0, 1].map(|index| Term::input(index, 8).zext(16));
        let mut same = Substitution::new();
        // `y + 5` is `x + 7`, and therefore `y` is `x + 2`.
        same.put_sum(&y.add_const(5), &x, 7);
        let found = same.term(&y.add_const(100)).unwrap();
        assert_eq!(found.equals(&x.add_const(102)).as_constant(), Some(true));
    })
}

#[test]
fn constants_stay_and_formulas_keep_their_signs() {
    scope(|| {
        let [x, y] = [0, 1].map(|index| Term::input(index, 8));
        let mut same = Substitution::new();
        same.put(&Term::lit(8, 3), &x);
        let three = x.equals(&Term::lit(8, 3));
        assert_eq!(same.formula(three), Some(three));
        same.put_formula(x.is_zero().not(), y.is_zero());
        assert_eq!(same.formula(x.is_zero()), Some(y.is_zero().not()));
    })
}

#[test]
fn a_number_that_may_be_negative_shifts_nothing() {
    scope(|| {
        let [x, y] = [0, 1].map(|index| Term::input(index, 4).zext(8));
        let shifted = x.shl(&y);
        let mut same = Substitution::new();
        same.put_sum(&y, &x, -1);
        assert!(same.term(&shifted).is_none());
    })
}

#[test]
fn sizes_count_what_is_made_and_lists_by_their_operands() {
    scope(|| {
        let size = || with_graph(|graph| graph.size());
        let before = size();
        let ids = [1, 2, 3].map(|value| Term::lit(8, value).node());
        assert_eq!(size(), (before.0 + 3, before.1));
        let [none, list] = [0, 16].map(|count| {
            let formulas = vec![Formula::all([]); count];
            Connective::And(formulas.into()).size()
        });
        assert_eq!(list - none, 16 * OPERAND_BYTES);
        let few = Node::Max(ids[..1].to_vec().into()).size();
        let more = Node::Max(ids.to_vec().into()).size();
        assert_eq!(more - few, 2 * OPERAND_BYTES);
    })
}
