//! Terms and the embedded engine: random expressions against `Big`, and what is known unsolved.

use crate::common::garden::{WIDTHS, expressions, value};
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::bits::term::{Formula, Graph, Interval, Term, scope, with_graph};
use mmasmt_numbers::bits::{Big, Bv, Concrete, Prop, mux};
use mmasmt_questions::solver::engine::{CadicalSearch, CadicalVerdict, Strategy};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The formula that `term` has the content of `value`.
fn is(term: &Term, value: &Big) -> Formula {
    let pieces = (0..value.width()).step_by(64).map(|low| {
        let high = value.width().min(low + 64) - 1;
        let piece = Term::lit(high - low + 1, value.extract(high, low).to_u64());
        term.extract(high, low).equals(&piece)
    });
    Formula::all(pieces)
}

/// Whether the range of the node that `term` is holds `value`, as either kind of number.
fn in_range(term: &Term, value: &Big) -> bool {
    let numbers = [value.to_big().into(), value.signed()].map(Interval::point);
    let node = term.node();
    with_graph(|graph| numbers.iter().any(|n| graph.range(node).contains(n)))
}

#[test]
fn random_expressions_have_the_values_that_big_integers_give() {
    let limits = Limits::default();
    for seed in 0..2500 {
        scope(|| {
            let mut rng = ChaCha8Rng::seed_from_u64(!seed);
            let widths = [(); 3].map(|()| WIDTHS[rng.random_range(0..WIDTHS.len())]);
            let inputs = [0, 1, 2].map(|index| Term::input(index, widths[index as usize]));
            let terms = expressions(seed, &inputs);
            let mut search = CadicalSearch::new(Strategy::Witness, seed);
            for _ in 0..3 {
                let given = widths.map(|width| Big::lit(width, value(&mut rng, width)));
                let case = format!("seed {seed}, {given:?}");
                let values = expressions(seed, &given);
                let results = || terms.iter().zip(&values);
                assert!(
                    results().all(|(term, value)| in_range(term, value)),
                    "{case}"
                );
                let agree = Formula::all(results().map(|(term, value)| is(term, value)));
                let assigned = Formula::all(inputs.iter().zip(&given).map(|(i, v)| is(i, v)));
                let sat = search.solve(&[assigned, agree], &limits);
                assert_eq!(sat, CadicalVerdict::Sat, "{case}");
                let found = [0, 1, 2].map(|index| search.value(index));
                assert_eq!(found, given.each_ref().map(Big::to_u64), "{case}");
                let unsat = search.solve(&[assigned, agree.not()], &limits);
                assert_eq!(unsat, CadicalVerdict::Unsat, "{case}");
            }
        })
    }
}

fn inputs<const N: usize>(width: u32) -> [Term; N] {
    std::array::from_fn(|index| Term::input(index as u32, width))
}

/// Known without a solver.
fn assert_known(formula: Formula) {
    assert_eq!(formula.as_constant(), Some(true));
}

#[test]
fn sums_leave_no_trace_of_their_order() {
    scope(|| {
        let [a, b, c, d] = inputs(8).map(|input: Term| input.sext(12));
        let flat = Term::sum(&[a.clone(), b.clone(), c.clone(), d.clone()]);
        assert_known(flat.equals(&d.add(&c).add(&b).add(&a)));
        assert_known(flat.equals(&a.add(&c).add(&b.add(&d))));
        assert_known(flat.equals(&Term::sum(&[d.clone(), b.clone(), c.add(&a)])));
        assert_known(flat.sub(&c).equals(&Term::sum(&[b, d, a])));
    })
}

#[test]
fn maxima_leave_no_trace_of_their_order() {
    scope(|| {
        let [a, b, c, d] = inputs(8);
        let max = |a: &Term, b: &Term| Term::umax(&[a.clone(), b.clone()]);
        let flat = Term::umax(&[a.clone(), b.clone(), c.clone(), d.clone()]);
        assert_known(flat.equals(&max(&max(&max(&d, &c), &b), &a)));
        assert_known(flat.equals(&max(&max(&a, &c), &max(&b, &d))));
        assert_known(flat.equals(&max(&flat, &b)));
    })
}

#[test]
fn a_maximum_with_zero_is_the_other_operand() {
    scope(|| {
        let zero = Term::lit(8, 0);
        let [before, after] = [0, 1].map(|index| {
            let input = Term::input(index, 8);
            // The constant gets its node between the two inputs.
            Term::umax(&[zero.clone(), input.clone()]).equals(&input)
        });
        assert_known(before);
        assert_known(after);
    })
}

#[test]
fn a_truncation_that_cuts_nothing_disappears() {
    scope(|| {
        let [a, b] = inputs(8).map(|input: Term| input.zext(20));
        let sum = a.add(&b);
        assert_known(sum.extract(8, 0).zext(20).equals(&sum));
        let difference = a.sub(&b);
        assert_known(difference.extract(8, 0).sext(20).equals(&difference));
        assert_eq!(sum.extract(7, 0).zext(20).equals(&sum).as_constant(), None);
    })
}

#[test]
fn extensions_make_no_node() {
    scope(|| {
        let [a, b] = inputs(8);
        let signed = a.zext(9).sub(&b.zext(9));
        let size = with_graph(Graph::size);
        assert_eq!(a.zext(9).node(), a.zext(60).node());
        assert_eq!(a.zext(9).sext(60).node(), a.node());
        assert_eq!(signed.sext(60).sext(90).node(), signed.node());
        assert_eq!(with_graph(Graph::size), size);
    })
}

#[test]
fn a_maximum_is_not_less_than_an_operand() {
    scope(|| {
        let operands: [Term; 3] = inputs(8);
        let max = Term::umax(&operands);
        for operand in &operands {
            assert_known(operand.ule(&max));
            assert_known(max.zext(9).sub(&operand.zext(9)).msb().not());
        }
    })
}

#[test]
fn a_magnitude_is_not_negative() {
    scope(|| {
        let [a, b] = inputs(8).map(|input: Term| input.sext(12));
        let sum = a.add(&b);
        assert_known(sum.neg_if(&sum.msb()).msb().not());
    })
}

#[test]
fn a_value_less_itself_is_zero() {
    scope(|| {
        let [a, b] = inputs(8);
        for value in [a.clone(), a.add(&b), a.mul(&b), a.shl(&b)] {
            assert_known(value.sub(&value).is_zero());
        }
    })
}

#[test]
fn an_exact_sum_less_itself_is_zero() {
    scope(|| {
        let [a, b] = inputs(8).map(|input: Term| input.zext(9));
        let sum = a.add(&b);
        assert_known(sum.sub(&sum).is_zero());
    })
}

#[test]
fn a_scope_leaves_the_one_around_it_as_it_was() {
    scope(|| {
        let [a, b]: [Term; 2] = inputs(8);
        let sum = a.add(&b);
        scope(|| {
            let [c, d]: [Term; 2] = inputs(5);
            assert_known(c.add(&d).equals(&d.add(&c)));
        });
        assert_known(sum.equals(&b.add(&a)));
    })
}

#[test]
fn a_choice_between_equals_is_no_choice() {
    scope(|| {
        let [a, b, c] = inputs(8);
        assert_known(mux(&a.ult(&b), &c, &c).equals(&c));
        assert_known(mux(&a.ult(&b), &a.add(&c), &c.add(&a)).equals(&a.add(&c)));
    })
}

/// A constant with a condition that compares with it is not mistaken for what is compared.
#[test]
fn a_choice_may_give_the_constant_that_its_condition_names() {
    scope(|| {
        let [a, b] = inputs(8);
        let five = Term::lit(8, 5);
        let chosen = mux(&a.equals(&five), &b.or(&Term::lit(8, 1)), &five);
        let mut search = CadicalSearch::new(Strategy::Proof, 0);
        assert_eq!(
            search.solve(&[chosen.equals(&five)], &Limits::default()),
            CadicalVerdict::Sat
        );
    })
}

fn proof_of(identity: Formula) -> CadicalVerdict {
    CadicalSearch::new(Strategy::Proof, 0).solve(&[identity.not()], &Limits::default())
}

/// The product by additions of `a`, shifted.
fn long_product<B: Bv>(a: &B, b: &B) -> B {
    let width = a.width();
    let rows = (0..width).map(|index| {
        let shifted = a.shl(&B::lit(32, u64::from(index)));
        mux(&b.bit(index), &shifted, &B::lit(width, 0))
    });
    B::sum(&rows.collect::<Vec<_>>())
}

#[test]
fn identities_of_arithmetic_have_no_counterexample() {
    scope(|| {
        let [a, b, c] = inputs(6);
        let distributed = a.mul(&b).add(&a.mul(&c));
        let identities = [
            a.mul(&a).equals(&long_product(&a, &a)),
            a.mul(&b).equals(&long_product(&b, &a)),
            a.mul(&b.add(&c)).equals(&distributed),
            a.and(&b).add(&a.or(&b)).equals(&a.add(&b)),
            a.xor(&b).equals(&a.or(&b).sub(&a.and(&b))),
        ];
        for identity in identities {
            assert_eq!(identity.as_constant(), None, "the solver has nothing to do");
            assert_eq!(proof_of(identity), CadicalVerdict::Unsat);
        }
    })
}

/// False where the sum does not fit.
fn midpoints_agree<B: Bv>(a: &B, b: &B) -> B::Bool {
    let one = B::lit(1, 1);
    let safe = a.and(b).add(&a.xor(b).lshr(&one));
    a.add(b).lshr(&one).equals(&safe)
}

#[test]
fn a_false_identity_has_a_counterexample() {
    for (width, seed) in [(1, 0), (8, 0), (8, 7), (33, 1), (64, 2)] {
        scope(|| {
            let [a, b] = inputs(width);
            let mut search = CadicalSearch::new(Strategy::Witness, seed);
            search.assert(midpoints_agree(&a, &b).not());
            assert_eq!(search.solve(&[], &Limits::default()), CadicalVerdict::Sat);
            let [a, b] = [0, 1].map(|index| Big::lit(width, search.value(index)));
            assert!(!midpoints_agree(&a, &b), "{a:?} and {b:?}");
        })
    }
}

/// Searches for what needs forever to be ruled out: that long multiplication of 24 bits is not
/// commutative.
fn verdict_within(limits: &Limits) -> CadicalVerdict {
    scope(|| {
        let [a, b] = inputs(24);
        let differs = long_product(&a, &b).equals(&long_product(&b, &a)).not();
        CadicalSearch::new(Strategy::Proof, 0).solve(&[differs], limits)
    })
}

#[test]
fn a_deadline_ends_a_search() {
    for time in [Duration::ZERO, Duration::from_millis(100)] {
        let limits = Limits::default().within(time);
        let stopped = CadicalVerdict::Unknown(Stopped::TimeLimit);
        assert_eq!(verdict_within(&limits), stopped);
    }
}

#[test]
fn a_limit_of_conflicts_ends_a_search() {
    let limits = Limits::default().with_conflicts(100);
    let stopped = CadicalVerdict::Unknown(Stopped::ConflictLimit);
    assert_eq!(verdict_within(&limits), stopped);
}

#[test]
fn another_thread_may_interrupt_a_search() {
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits::interruptible(flag.clone());
    let interrupter = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        flag.store(true, Ordering::Relaxed);
    });
    let stopped = CadicalVerdict::Unknown(Stopped::Interrupted);
    assert_eq!(verdict_within(&limits), stopped);
    interrupter.join().unwrap();
}

#[test]
fn a_maximum_less_an_operand_is_at_most_what_lies_between() {
    scope(|| {
        let above = |index, least| Term::input(index, 4).zext(8).add_const(least);
        let x = mux(&Term::input(2, 1).bit(0), &above(0, 16), &above(1, 20));
        let max = Term::umax(&[x.clone(), Term::input(3, 6).zext(8)]);
        assert_eq!(x.range(), Some([16, 35]));
        assert_eq!(max.range(), Some([16, 63]));
        assert_eq!(max.sub(&x).range(), Some([0, 63 - 16]));
        assert_eq!(Term::input(4, 65).range(), None);
    })
}

#[test]
fn low_bits_of_low_bits_are_low_bits() {
    scope(|| {
        let [a, b]: [Term; 2] = inputs(8);
        let product = a.mul_wide(&b);
        let twice = product.extract(7, 0).extract(3, 0);
        assert_eq!(twice.node(), product.extract(3, 0).node());
    })
}
