//! Terms and the embedded engine: random expressions against `Big`, and what is known unsolved.

use mmasmt::bits::term::{Formula, Graph, Range, Scope, Term, with_graph};
use mmasmt::bits::{Big, Bv, Concrete, Prop, mux};
use mmasmt::engine::{Limits, Search, Stopped, Strategy, Verdict};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const WIDTHS: [u32; 8] = [1, 3, 4, 7, 8, 31, 33, 64];
/// Wider values are not made any wider.
const WIDEST: u32 = 100;

fn value(rng: &mut impl Rng, width: u32) -> u64 {
    let ones = u64::MAX >> (64 - width);
    let sign = 1 << (width - 1);
    let any = rng.random::<u64>() & ones;
    let small = rng.random_range(0..10) & ones;
    [any, any, small, 0, 1, ones, sign, sign - 1][rng.random_range(0..8)]
}

/// Expressions so far. What is picked depends on nothing but the seed and the widths.
struct Garden<B: Bv> {
    rng: ChaCha8Rng,
    values: Vec<B>,
}

impl<B: Bv> Garden<B> {
    fn pick(&mut self) -> B {
        // Recent ones more often, so that expressions get deep.
        let recent = self.values.len().saturating_sub(5);
        let from = if self.rng.random() { recent } else { 0 };
        self.values[self.rng.random_range(from..self.values.len())].clone()
    }

    fn pick_of(&mut self, width: u32) -> B {
        let value = self.pick();
        match self.rng.random_range(0..3) {
            0 if value.width() <= width => value.sext(width),
            1 => self.constant(width),
            _ => value.resize(width),
        }
    }

    fn constant(&mut self, width: u32) -> B {
        let narrow = width.min(64);
        B::lit(narrow, value(&mut self.rng, narrow)).zext(width)
    }

    fn amount(&mut self) -> B {
        match self.rng.random_range(0..3) {
            0 => B::lit(32, self.rng.random_range(0..70)),
            1 => self.pick_of(3),
            _ => self.pick(),
        }
    }

    fn prop(&mut self) -> B::Bool {
        let a = self.pick();
        let b = self.pick_of(a.width());
        match self.rng.random_range(0..12) {
            0 | 1 => a.ult(&b),
            2 | 3 => a.slt(&b),
            4 => a.ule(&b),
            5 | 6 => a.equals(&b),
            7 => a.bit(self.rng.random_range(0..a.width())),
            8 => a.msb(),
            9 => a.is_zero().xor(&self.prop()),
            10 => self.prop().and(&a.slt(&b).not()),
            _ => mux(&self.prop(), &self.prop(), &a.ult(&b)),
        }
    }

    fn grow(&mut self) {
        let a = self.pick();
        let width = a.width();
        let (b, c) = (self.pick_of(width), self.pick_of(width));
        let wider = self.rng.random_range(width..=width.max(WIDEST));
        let low = self.rng.random_range(0..width);
        let value = match self.rng.random_range(0..30) {
            0 => a.add(&b),
            1 => a.sub(&b),
            2 if width <= 33 => a.mul(&b),
            3 => a.and(&b),
            4 => a.or(&b),
            5 => a.xor(&b),
            6 => a.not(),
            7 => a.shl(&self.amount()),
            8 => a.lshr(&self.amount()),
            9 => a.ashr(&self.amount()),
            10 if 2 * width <= WIDEST => a.concat(&b),
            11 | 12 => a.extract(self.rng.random_range(low..width), low),
            13 => a.zext(wider),
            14 => a.sext(wider),
            15 => B::sum(&[a, b, c.clone(), c]),
            16 => B::sum(&[a.zext(wider), b.zext(wider), c.sext(wider)]),
            17 => B::umax(&[a, b, c]),
            18 => B::umax(&[a.clone(), b, c]).sub(&a),
            19 | 20 => mux(&self.prop(), &a, &b),
            // A choice that speaks of what it chooses.
            21 => mux(&a.equals(&b), &c, &b),
            22 => mux(&a.is_zero(), &b, &a),
            23 => a.neg_if(&self.prop()),
            24 => a.neg_if(&a.msb()),
            25 => a.add_const(self.rng.random_range(-9..9)).neg(),
            26 => a.widen_low(wider - width),
            27 => {
                let (shifted, lost) = a.lshr_sticky(&self.amount());
                shifted.or(&B::from_prop(width, &lost))
            }
            28 => {
                let (shifted, count) = a.normalise(8);
                if self.rng.random() { shifted } else { count }
            }
            29 if width + 5 <= WIDEST => {
                // What is cut off carries into the rest, or nearly does.
                let top = width + 4;
                let low = b.resize(self.rng.random_range(3..=5));
                let sum = a.widen_low(4).zext(top + 1).add(&low.zext(top + 1));
                sum.extract(top, 4)
            }
            _ => b,
        };
        self.values.push(value);
    }
}

/// New expressions over `inputs`: for the same seed the same ones on every instance.
fn expressions<B: Bv>(seed: u64, inputs: &[B]) -> Vec<B> {
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let values = inputs.to_vec();
    let mut garden = Garden { rng, values };
    (0..12).for_each(|_| garden.grow());
    garden.values.split_off(inputs.len())
}

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
    let numbers = [value.to_big().into(), value.signed()].map(Range::point);
    let node = term.node();
    with_graph(|graph| numbers.iter().any(|n| graph.range(node).contains(n)))
}

#[test]
fn random_expressions_have_the_values_that_big_integers_give() {
    let limits = Limits::default();
    for seed in 0..2500 {
        let _scope = Scope::new();
        let mut rng = ChaCha8Rng::seed_from_u64(!seed);
        let widths = [(); 3].map(|()| WIDTHS[rng.random_range(0..WIDTHS.len())]);
        let inputs = [0, 1, 2].map(|index| Term::input(index, widths[index as usize]));
        let terms = expressions(seed, &inputs);
        let mut search = Search::new(Strategy::Witness, seed);
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
            assert_eq!(sat, Verdict::Sat, "{case}");
            let found = [0, 1, 2].map(|index| search.value(index));
            assert_eq!(found, given.each_ref().map(Big::to_u64), "{case}");
            let unsat = search.solve(&[assigned, agree.not()], &limits);
            assert_eq!(unsat, Verdict::Unsat, "{case}");
        }
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
    let _scope = Scope::new();
    let [a, b, c, d] = inputs(8).map(|input: Term| input.sext(12));
    let flat = Term::sum(&[a.clone(), b.clone(), c.clone(), d.clone()]);
    assert_known(flat.equals(&d.add(&c).add(&b).add(&a)));
    assert_known(flat.equals(&a.add(&c).add(&b.add(&d))));
    assert_known(flat.equals(&Term::sum(&[d.clone(), b.clone(), c.add(&a)])));
    assert_known(flat.sub(&c).equals(&Term::sum(&[b, d, a])));
}

#[test]
fn maxima_leave_no_trace_of_their_order() {
    let _scope = Scope::new();
    let [a, b, c, d] = inputs(8);
    let max = |a: &Term, b: &Term| Term::umax(&[a.clone(), b.clone()]);
    let flat = Term::umax(&[a.clone(), b.clone(), c.clone(), d.clone()]);
    assert_known(flat.equals(&max(&max(&max(&d, &c), &b), &a)));
    assert_known(flat.equals(&max(&max(&a, &c), &max(&b, &d))));
    assert_known(flat.equals(&max(&flat, &b)));
}

#[test]
fn a_maximum_with_zero_is_the_other_operand() {
    let _scope = Scope::new();
    let zero = Term::lit(8, 0);
    let [before, after] = [0, 1].map(|index| {
        let input = Term::input(index, 8);
        // The constant gets its node between the two inputs.
        Term::umax(&[zero.clone(), input.clone()]).equals(&input)
    });
    assert_known(before);
    assert_known(after);
}

#[test]
fn a_truncation_that_cuts_nothing_disappears() {
    let _scope = Scope::new();
    let [a, b] = inputs(8).map(|input: Term| input.zext(20));
    let sum = a.add(&b);
    assert_known(sum.extract(8, 0).zext(20).equals(&sum));
    let difference = a.sub(&b);
    assert_known(difference.extract(8, 0).sext(20).equals(&difference));
    assert_eq!(sum.extract(7, 0).zext(20).equals(&sum).as_constant(), None);
}

#[test]
fn extensions_make_no_node() {
    let _scope = Scope::new();
    let [a, b] = inputs(8);
    let signed = a.zext(9).sub(&b.zext(9));
    let size = with_graph(Graph::size);
    assert_eq!(a.zext(9).node(), a.zext(60).node());
    assert_eq!(a.zext(9).sext(60).node(), a.node());
    assert_eq!(signed.sext(60).sext(90).node(), signed.node());
    assert_eq!(with_graph(Graph::size), size);
}

#[test]
fn a_maximum_is_not_less_than_an_operand() {
    let _scope = Scope::new();
    let operands: [Term; 3] = inputs(8);
    let max = Term::umax(&operands);
    for operand in &operands {
        assert_known(operand.ule(&max));
        assert_known(max.zext(9).sub(&operand.zext(9)).msb().not());
    }
}

#[test]
fn a_magnitude_is_not_negative() {
    let _scope = Scope::new();
    let [a, b] = inputs(8).map(|input: Term| input.sext(12));
    let sum = a.add(&b);
    assert_known(sum.neg_if(&sum.msb()).msb().not());
}

#[test]
fn a_value_less_itself_is_zero() {
    let _scope = Scope::new();
    let [a, b] = inputs(8);
    for value in [a.clone(), a.add(&b), a.mul(&b), a.shl(&b)] {
        assert_known(value.sub(&value).is_zero());
    }
}

#[test]
fn an_exact_sum_less_itself_is_zero() {
    let _scope = Scope::new();
    let [a, b] = inputs(8).map(|input: Term| input.zext(9));
    let sum = a.add(&b);
    assert_known(sum.sub(&sum).is_zero());
}

#[test]
fn a_choice_between_equals_is_no_choice() {
    let _scope = Scope::new();
    let [a, b, c] = inputs(8);
    assert_known(mux(&a.ult(&b), &c, &c).equals(&c));
    assert_known(mux(&a.ult(&b), &a.add(&c), &c.add(&a)).equals(&a.add(&c)));
}

/// A constant with a condition that compares with it is not mistaken for what is compared.
#[test]
fn a_choice_may_give_the_constant_that_its_condition_names() {
    let _scope = Scope::new();
    let [a, b] = inputs(8);
    let five = Term::lit(8, 5);
    let chosen = mux(&a.equals(&five), &b.or(&Term::lit(8, 1)), &five);
    let mut search = Search::new(Strategy::Proof, 0);
    assert_eq!(
        search.solve(&[chosen.equals(&five)], &Limits::default()),
        Verdict::Sat
    );
}

fn proof_of(identity: Formula) -> Verdict {
    Search::new(Strategy::Proof, 0).solve(&[identity.not()], &Limits::default())
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
    let _scope = Scope::new();
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
        assert_eq!(proof_of(identity), Verdict::Unsat);
    }
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
        let _scope = Scope::new();
        let [a, b] = inputs(width);
        let mut search = Search::new(Strategy::Witness, seed);
        search.assert(midpoints_agree(&a, &b).not());
        assert_eq!(search.solve(&[], &Limits::default()), Verdict::Sat);
        let [a, b] = [0, 1].map(|index| Big::lit(width, search.value(index)));
        assert!(!midpoints_agree(&a, &b), "{a:?} and {b:?}");
    }
}

/// Searches for what needs forever to be ruled out: that long multiplication of 24 bits is not
/// commutative.
fn verdict_within(limits: &Limits) -> Verdict {
    let _scope = Scope::new();
    let [a, b] = inputs(24);
    let differs = long_product(&a, &b).equals(&long_product(&b, &a)).not();
    Search::new(Strategy::Proof, 0).solve(&[differs], limits)
}

#[test]
fn a_deadline_ends_a_search() {
    for time in [Duration::ZERO, Duration::from_millis(100)] {
        let limits = Limits::default().within(time);
        let stopped = Verdict::Unknown(Stopped::TimeLimit);
        assert_eq!(verdict_within(&limits), stopped);
    }
}

#[test]
fn a_limit_of_conflicts_ends_a_search() {
    let limits = Limits::default().with_conflicts(100);
    let stopped = Verdict::Unknown(Stopped::ConflictLimit);
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
    let stopped = Verdict::Unknown(Stopped::Interrupted);
    assert_eq!(verdict_within(&limits), stopped);
    interrupter.join().unwrap();
}
