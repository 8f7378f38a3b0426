//! Limits that matter only below them: the formula that is left has the same truth value.

use crate::common::garden::{WIDTHS, expressions, value};
use mmasmt_numbers::bits::term::{Formula, Term, below_limits, scope};
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_questions::solver::engine::Cone;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Whether both hold for the same inputs, of some that are drawn, near the limit as well.
fn assert_same(rng: &mut ChaCha8Rng, width: u32, limit: u64, before: Formula, after: Formula) {
    let [before, after] = [before, after].map(Cone::of);
    for _ in 0..40 {
        let mut draw = || match rng.random_range(0..3) {
            0 => limit.saturating_sub(rng.random_range(0..3)),
            1 => rng.random_range(0..=limit),
            _ => value(rng, width),
        };
        let values = [draw(), draw(), draw()];
        let of = |index: u32| values[index as usize];
        assert_eq!(
            before.holds(of),
            after.holds(of),
            "{values:?}, limit {limit}"
        );
    }
}

#[test]
fn a_difference_is_asked_below_the_limit_alone() {
    let mut narrowed = 0;
    for seed in 0..400 {
        scope(|| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let width = WIDTHS[rng.random_range(1..6)];
            let [x, y, z] = [0, 1, 2].map(|index| Term::input(index, width));
            let limit = rng.random_range(1..1 << width);
            let constant = Term::lit(width, limit);
            let without = Term::umax(&[x.clone(), y.clone()]);
            let with = Term::umax(&[x, y, constant]);
            let [with, without] = [with, without].map(|max| expressions(seed, &[max, z.clone()]));
            for (a, b) in with.iter().zip(&without) {
                let differ = a.equals(b).not();
                let below = below_limits(differ);
                narrowed += usize::from(below != differ);
                assert_same(&mut rng, width, limit, differ, below);
                // This one need not be false above the limit.
                let other = differ.or(&a.bit(0));
                assert_same(&mut rng, width, limit, other, below_limits(other));
            }
        })
    }
    assert!(narrowed > 400, "{narrowed} of 4800");
}

#[test]
fn what_holds_above_the_limit_is_left_as_it_is() {
    scope(|| {
        let [x, y] = [0, 1].map(|index| Term::input(index, 8));
        let max = Term::umax(&[x.clone(), y, Term::lit(8, 100)]);
        let formula = max.equals(&x);
        assert_eq!(below_limits(formula), formula);
    })
}
