//! Answers to feature tests, as text and as JSON.

use crate::cli::error::Error;
use crate::cli::json::NamedModel;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::probe::{ProbeValue, Suite, TestAnswer, TestAnswers};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

pub(super) fn write_text(answers: &TestAnswers, out: &mut dyn Write) -> Result<(), Error> {
    for suite in Suite::ALL {
        let of_suite = || {
            answers
                .0
                .iter()
                .filter(|outcome| outcome.test.suite == suite)
        };
        if of_suite().next().is_none() {
            continue;
        }
        writeln!(out, "\n{}", suite.name())?;
        for outcome in of_suite() {
            let (value, shows) = outcome.answer.texts();
            writeln!(out, "  {:<27} {value:<15} {shows}", outcome.test.name)?;
        }
    }
    Ok(())
}

/// `mmasmt probe`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct ProbeAnswer<'x> {
    #[serde(flatten)]
    model: NamedModel,
    tests: Vec<TestRow<'x>>,
}

#[derive(Serialize, JsonSchema)]
struct TestRow<'x> {
    paper: &'x str,
    section: &'x str,
    test: &'x str,
    status: &'x str,
    /// null if the test has none.
    answer: Option<TestValue>,
    /// The meaning of the answer, in words.
    shows: String,
    /// The number of inputs that were asked.
    inputs: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum TestValue {
    Flag(bool),
    Count(i64),
    Text(String),
}

impl TestValue {
    fn of(value: &ProbeValue) -> TestValue {
        match value {
            ProbeValue::Flag(flag) => TestValue::Flag(*flag),
            ProbeValue::Exactly(count) => TestValue::Count(*count),
            other => TestValue::Text(other.to_string()),
        }
    }
}

impl<'x> ProbeAnswer<'x> {
    pub(super) fn new(model: &Model, answers: &'x TestAnswers) -> Self {
        let tests = answers.0.iter().map(|outcome| TestRow {
            paper: outcome.test.suite.name(),
            section: outcome.test.section,
            test: outcome.test.name,
            status: outcome.answer.status(),
            answer: match &outcome.answer {
                TestAnswer::Found(found) => Some(TestValue::of(&found.value)),
                _ => None,
            },
            shows: outcome.answer.texts().1,
            inputs: outcome.inputs,
        });
        ProbeAnswer {
            model: NamedModel::of(model),
            tests: tests.collect(),
        }
    }
}
