//! Answers to feature tests, as text and as JSON.

use crate::cli::error::Error;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::probe::{Suite, TestAnswer, TestAnswers, Value};
use serde_json::{Value as Json, json};
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

pub(super) fn as_json(model: &Model, answers: &TestAnswers) -> Json {
    let tests = answers.0.iter().map(|outcome| {
        let (_, shows) = outcome.answer.texts();
        let value = match &outcome.answer {
            TestAnswer::Found(found) => value_json(&found.value),
            _ => Json::Null,
        };
        json!({
            "paper": outcome.test.suite.name(),
            "section": outcome.test.section,
            "test": outcome.test.name,
            "status": outcome.answer.status(),
            "answer": value,
            "shows": shows,
            "inputs": outcome.inputs,
        })
    });
    let tests: Vec<Json> = tests.collect();
    json!({ "model": model.canonical(), "name": model.to_string(), "tests": tests })
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::Flag(flag) => (*flag).into(),
        Value::Exactly(count) => (*count).into(),
        other => other.to_string().into(),
    }
}
