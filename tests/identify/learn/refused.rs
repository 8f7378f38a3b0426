//! Units that are no functions, or differ from a description on few inputs: none is given a name that
//! is confirmed.

use super::Unknown;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::learn::{LearnOptions, LearnVerdict, learn};
use std::time::Duration;

/// The time for one unit.
const TIME: Duration = Duration::from_secs(5);

/// What is learnt of a unit that answers as `name` does, with its last bit changed where `changes`
/// holds; it is told how many inputs were asked before.
fn verdict(name: &str, mut changes: impl FnMut(&Inputs, u64) -> bool + 'static) -> LearnVerdict {
    let model = Model::parse(name).unwrap();
    let mut asked = 0u64;
    let mut unit = Unknown {
        signature: model.signature(),
        answer: Box::new(move |inputs| {
            asked += 1;
            model.simulator().run(inputs) ^ u64::from(changes(inputs, asked))
        }),
    };
    let limits = Limits::default().within(TIME);
    let learned = learn(&mut unit, &LearnOptions::default(), &limits).unwrap();
    // The inputs that no description explains are told.
    assert!(learned.verdict != LearnVerdict::None || learned.failing.is_some());
    learned.verdict
}

/// A number of all bits of the inputs, which looks drawn.
fn mixed(inputs: &Inputs) -> u64 {
    let all = inputs.a.iter().chain(&inputs.b).chain([&inputs.c]);
    all.fold(0x9e37_79b9_7f4a_7c15, |mixed, bits| {
        let next = (mixed ^ bits).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        next ^ (next >> 29)
    })
}

fn is_refused(changes: impl FnMut(&Inputs, u64) -> bool + 'static) {
    let verdict = verdict("fda:K=4,F=25", changes);
    assert_ne!(verdict, LearnVerdict::Confirmed);
    assert_ne!(verdict, LearnVerdict::Unconfirmed);
}

#[test]
fn a_unit_that_answers_differently_at_times_is_no_function() {
    let often = verdict("fda:K=4,F=25", |_, asked| asked.is_multiple_of(50));
    assert_eq!(often, LearnVerdict::NotAFunction);
    is_refused(|_, asked| asked.is_multiple_of(331));
}

#[test]
#[ignore = "a minute"]
fn a_unit_that_seldom_answers_differently_is_no_function() {
    for every in [1999, 9973] {
        is_refused(move |_, asked| asked.is_multiple_of(every));
    }
}

#[test]
#[ignore = "a minute"]
fn a_unit_that_depends_on_the_inputs_before_is_no_function() {
    let mut before = 0;
    is_refused(move |inputs, _| {
        let is_same = before == inputs.c & 0x8000_0000;
        before = inputs.c & 0x8000_0000;
        is_same
    });
    let mut before = 0;
    is_refused(move |inputs, _| {
        let changes = before % 97 == 1;
        before = mixed(inputs);
        changes
    });
    let mut sum = 0u64;
    is_refused(move |inputs, _| {
        sum = sum.wrapping_add(inputs.c);
        sum.is_multiple_of(1009)
    });
}

#[test]
#[ignore = "a minute"]
fn a_unit_that_changes_in_the_course_of_time_is_no_function() {
    for from in [1, 100, 3000, 6000] {
        is_refused(move |_, asked| asked > from && asked.is_multiple_of(64));
    }
}

/// One input in 10,000, of whatever kind, has another result.
#[test]
fn a_difference_on_one_input_in_ten_thousand_is_found() {
    is_refused(|inputs, _| mixed(inputs).is_multiple_of(10_000));
}

#[test]
#[ignore = "minutes"]
fn differences_on_one_input_in_ten_thousand_are_found() {
    for shift in [20, 40] {
        is_refused(move |inputs, _| (mixed(inputs) >> shift).is_multiple_of(10_000));
    }
    for name in ["fda:K=2,in=bf16", "ieee:in=f32,K=2"] {
        let found = verdict(name, |inputs, _| mixed(inputs).is_multiple_of(10_007));
        assert_ne!(found, LearnVerdict::Confirmed);
    }
}

#[test]
#[ignore = "minutes"]
fn a_unit_with_special_operands_is_given_no_description() {
    is_refused(|inputs, _| inputs.c == 0x3f80_0001);
    is_refused(|inputs, _| inputs.a[2] == 0x7bff);
    is_refused(|inputs, _| inputs.c == 0x8000_0000 && inputs.a[0] == 0x0001);
    is_refused(|inputs, _| inputs.a[0] == inputs.b[1] && inputs.a[0] & 0x3ff == 0x3ff);
    is_refused(|inputs, _| (inputs.a[3] ^ inputs.b[3]).count_ones() == 15);
}
