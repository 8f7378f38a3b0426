//! Answers of feature tests, as text and as JSON.

use crate::cli::error::Error;
use crate::model::Model;
use crate::probe::{Suite, TestAnswer, TestAnswers, Value};
use serde_json::{Value as Json, json};
use std::io::Write;

pub(super) fn write_text(
    model: &Model,
    answers: &TestAnswers,
    out: &mut impl Write,
) -> Result<(), Error> {
    writeln!(out, "{model}")?;
    let answered = |answer: &TestAnswer| match answer {
        TestAnswer::Found(found) => (found.value.to_string(), found.shows.clone()),
        TestAnswer::Undecided(why) => ("undecided".into(), why.clone()),
        TestAnswer::Inconsistent(why) => ("inconsistent".into(), why.clone()),
        TestAnswer::Missing(count) => (
            "not in the file".into(),
            format!("{count} results are missing"),
        ),
        TestAnswer::NotApplicable(why) => ("-".into(), why.clone()),
    };
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
            let (value, shows) = answered(&outcome.answer);
            writeln!(out, "  {:<27} {value:<15} {shows}", outcome.test.name)?;
        }
    }
    Ok(())
}

pub(super) fn as_json(model: &Model, answers: &TestAnswers) -> Json {
    let tests = answers.0.iter().map(|outcome| {
        let (value, shows) = match &outcome.answer {
            TestAnswer::Found(found) => (value_json(&found.value), found.shows.clone()),
            TestAnswer::Undecided(why)
            | TestAnswer::Inconsistent(why)
            | TestAnswer::NotApplicable(why) => (Json::Null, why.clone()),
            TestAnswer::Missing(count) => (Json::Null, format!("{count} results are missing")),
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
