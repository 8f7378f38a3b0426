//! Feature tests against models whose parameters are known, against the papers' tables, and against
//! devices that answer nonsense.

mod faults;
mod integers;
mod loops;
mod orders;
mod parameters;
mod processors;
mod published;
mod readings;
mod trees;
mod values;

use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::probe::{ProbePlan, TestAnswers, tests};
use mmasmt_questions::vectors::device::SoftwareDevice;

fn model(text: &str) -> Model {
    Model::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The answers of the tests of these names.
fn answers(text: &str, names: &[&str]) -> TestAnswers {
    let model = model(text);
    let chosen = tests().filter(|test| names.is_empty() || names.contains(&test.name));
    let plan = ProbePlan::new(&model.signature(), chosen);
    let plan = if model.reads_c() {
        plan
    } else {
        plan.without_c()
    };
    plan.run(&mut SoftwareDevice::new(model)).unwrap()
}

/// The answer of a test in short; what becomes of it, if it has none.
fn answer(text: &str, name: &str) -> String {
    let answers = answers(text, &[name]);
    match answers.value(name) {
        Some(value) => value.to_string(),
        None => answers.of(name).expect(name).status().into(),
    }
}

#[track_caller]
fn is(text: &str, name: &str, expected: &str) {
    assert_eq!(answer(text, name), expected, "{text}: {name}");
}
