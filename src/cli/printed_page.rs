//! An answer that is text as a page for a browser.

use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::pages::{AnswerEvaluation, AnswerPage, EvaluatedModels, answer_page};
use std::io::Write;

/// The page as HTML: what the command prints, as `write` has it, and the steps of the model on operands, each with its name.
///
/// # Errors
/// If operands do not fit the model.
pub(super) fn printed_page<'x>(
    title: String,
    model: &'x Model,
    operands: impl IntoIterator<Item = (&'x str, &'x Inputs)>,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
) -> Result<String, Error> {
    let mut text = Vec::new();
    write(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let (verdict, lines) = text.split_once('\n').unwrap_or((&text, ""));
    let evaluations = operands.into_iter().map(|(name, inputs)| AnswerEvaluation {
        title: format!("The steps of {model} on {name}"),
        models: EvaluatedModels::One(model),
        inputs,
    });
    let page = AnswerPage {
        title,
        verdict: verdict.into(),
        lines: lines.trim_matches('\n').into(),
        evaluations: evaluations.collect(),
        ..AnswerPage::default()
    };
    Ok(answer_page(&page).map_err(QueryError::from)?)
}
