//! Numbers that are freed: any of their range, whatever they are computed from.

use mmasmt_numbers::bits::term::{Formula, Term, scope};
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_questions::solver::engine::{Cone, freed_number};

/// True if all formulas hold if the freed node is `value` and the inputs are 0.
fn hold(formulas: &[Formula], free: &Term, value: u64) -> bool {
    let cone = Cone::of_all(formulas, &[free.atom()]);
    cone.holds(|input| freed_number(input).map_or(0, |_| value))
}

#[test]
fn a_freed_number_is_any_of_its_range_and_no_other() {
    scope(|| {
        let [x, y] = [0, 1].map(|index| Term::input(index, 4).zext(9));
        // The product is at most 225; eight bits can hold more.
        let product = x.mul(&y);
        let is = |value: u64| product.equals(&Term::lit(9, value));
        assert!(hold(&[is(223)], &product, 223), "prime, and no product");
        assert!(!hold(&[is(223)], &product, 222));
        let is_some = is(0).not().or(&x.is_zero());
        assert!(hold(&[is_some], &product, 225) && !hold(&[is_some], &product, 226));
        // Nodes that are not freed are still computed from the inputs.
        let at_most = [is(223), x.is_zero().not()];
        assert!(!hold(&at_most, &product, 223));
    })
}

#[test]
fn a_freed_number_may_be_negative_or_wide() {
    scope(|| {
        let [x, y] = [0, 1].map(|index| Term::input(index, 4).zext(9));
        let less = x.mul(&y).sub(&y.mul(&y)).sub(&x);
        let negative = less.slt(&Term::lit(9, 0));
        let from = less.node();
        let cone = Cone::of_all(&[negative], &[from]);
        let is_met = |value: u64| cone.holds(|input| freed_number(input).map_or(0, |_| value));
        assert!(is_met(0x1ff) && is_met(0x1ff - 200) && !is_met(0) && !is_met(200));

        let [x, y] = [0, 1].map(|index| Term::input(index, 60).zext(120));
        let wide = x.mul(&y);
        let cone = Cone::of_all(&[wide.equals(&Term::lit(120, 7))], &[wide.node()]);
        let widths: Vec<_> = cone.inputs().iter().map(|(_, width)| *width).collect();
        assert_eq!(widths, [64, 56]);
    })
}
