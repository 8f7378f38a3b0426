//! Scripts of SMT-LIB: scripts within scripts, their memory, and factors.

use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::Input;
use mmasmt_questions::solver::engine::{Goal, SmtlibWord, plain_script};

/// The goal that a sum of copies of one input is 0. While the formula of this goal is made, the
/// goal writes the script of another goal.
struct Sums(usize);

impl Goal for Sums {
    fn inputs(&self) -> Vec<Input> {
        vec![Input {
            index: 0,
            width: 8,
            name: "x".into(),
        }]
    }

    fn formula<B: Instance>(&self, inputs: &[B]) -> B::Bool {
        let mut sum = inputs[0].clone();
        for count in 0..self.0 {
            sum = sum.add(&inputs[0]);
            if count == 1 {
                assert!(!plain_script(&Sums(1), "").contains("n2"));
            }
        }
        sum.is_zero()
    }
}

#[test]
fn a_script_within_a_script_leaves_it_as_it_was() {
    let text = plain_script(&Sums(3), "");
    for line in [
        "n1 () (_ BitVec 8) (bvadd x x)",
        "(bvadd n1 x)",
        "n3 () (_ BitVec 8) (bvadd n2 x)",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

/// The memory charged for each definition is little more than its text.
#[test]
fn a_thousand_definitions_are_no_megabyte() {
    let within = |bytes| {
        let limits = Limits::default().with_memory(bytes);
        limits.run(|| plain_script(&Sums(1000), "")).is_ok()
    };
    assert!(within(1 << 20));
    assert!(!within(50_000));
}

#[test]
fn a_factor_is_a_product_a_shift_or_nothing() {
    let word = SmtlibWord::new("x".into(), 8, false);
    for (factor, expected) in [
        (0, None),
        (1, Some("x")),
        (-1, Some("(bvneg x)")),
        (4, Some("(concat ((_ extract 5 0) x) (_ bv0 2))")),
        (-128, Some("(bvneg (concat ((_ extract 0 0) x) (_ bv0 7)))")),
        (3, Some("(bvmul x (_ bv3 8))")),
        (-3, Some("(bvmul x (_ bv253 8))")),
        (256, None),
    ] {
        let found = word.scaled(&factor.into(), 8);
        assert_eq!(found.as_deref(), expected, "{factor}");
    }
}
