//! Answers of solvers: expressions, read one by one, and literals.

use crate::common::mutate::Mutator;
use easy_smt::{Context, ContextBuilder};
use mmasmt_questions::solver::engine::process::{Front, front, literal};

fn no_terms() -> Context {
    ContextBuilder::new().build().unwrap()
}

#[test]
fn a_literal_has_the_width_of_its_input() {
    let terms = no_terms();
    for (text, expected) in [
        ("#b00000101", Some(5)),
        ("#x05", Some(5)),
        ("(_ bv5 8)", Some(5)),
        ("(_ bv255 8)", Some(255)),
        ("(_ bv256 8)", None),
        ("(_ bv5 9)", None),
        ("(- bv5 8)", None),
        ("(_ bv5)", None),
        ("#b101", None),
        ("#x005", None),
        ("#x0g", None),
        ("#", None),
        ("5", None),
        ("(- 5)", None),
        ("()", None),
    ] {
        let Front::Complete(term, "") = front(&terms, text, true) else {
            unreachable!("an expression")
        };
        assert_eq!(literal(&terms, term, 8), expected, "{text}");
    }
}

/// Every expression read from mutated text is the same after it is printed and read again.
fn nearly_valid(cases: u64) {
    const TEXTS: [&str; 3] = [
        "sat ; yes\n((a #x3c) (|b c| (_ bv5 16)))\n",
        "unsat\n",
        "success (error \"line 1: (x)\") unknown",
    ];
    for batch in 0..cases.div_ceil(500) {
        let mut mutator = Mutator::new(batch);
        let terms = no_terms();
        for _ in 0..500 {
            let text = mutator.text(&TEXTS);
            let mut rest = &*text;
            while let Front::Complete(found, after) = front(&terms, rest, true) {
                assert!(after.len() < rest.len());
                let shown = terms.display(found).to_string();
                let again = front(&terms, &shown, true);
                assert_eq!(again, Front::Complete(found, ""), "{text}");
                rest = after;
            }
        }
    }
}

#[test]
fn what_is_nearly_an_answer_is_read() {
    nearly_valid(5_000);
}

#[test]
#[ignore = "as many cases as MMASMT_FUZZ_CASES says, or a million"]
fn what_is_nearly_an_answer_is_read_many_times() {
    let cases = std::env::var("MMASMT_FUZZ_CASES").ok();
    nearly_valid(
        cases
            .and_then(|cases| cases.parse().ok())
            .unwrap_or(1_000_000),
    );
}

#[test]
fn expressions_are_read_one_by_one() {
    let terms = no_terms();
    let text = "sat ; yes\n((a #x3c) (|b c| (_ bv5 16)))\n";
    let Front::Complete(first, rest) = front(&terms, text, false) else {
        unreachable!("an atom")
    };
    assert_eq!(first, terms.atoms().sat);
    let list = |words: &[&str]| words.iter().map(|word| terms.atom(*word)).collect();
    let five = terms.list(list(&["_", "bv5", "16"]));
    let model = terms.list(vec![
        terms.list(list(&["a", "#x3c"])),
        terms.list(vec![terms.atom("|b c|"), five]),
    ]);
    assert_eq!(front(&terms, rest, false), Front::Complete(model, "\n"));
}

#[test]
fn what_is_not_complete_is_not_read() {
    let terms = no_terms();
    let front = |text, ended| front(&terms, text, ended);
    for text in ["", "  ", "sat", "((a #x3c)", "\"open", "; comment"] {
        assert_eq!(front(text, false), Front::Incomplete, "{text}");
    }
    let sat = terms.atoms().sat;
    assert_eq!(front("sat", true), Front::Complete(sat, ""));
    assert_eq!(front(") sat", true), Front::Unbalanced);
    let [deep, too_deep] = [1000, 100_000].map(|depth| "(".repeat(depth));
    assert_eq!(front(&deep, true), Front::Incomplete);
    assert_eq!(front(&too_deep, true), Front::TooDeep);
}
