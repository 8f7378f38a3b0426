//! The answer of `diff` as a page for a browser.

use super::report::{DiffReport, PairReport};
use crate::cli::Status;
use crate::cli::error::Error;
use mmasmt_core::machines::product_pairs::kind_name;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::pages::{
    AnswerEvaluation, AnswerPage, AnswerTable, EvaluatedModels, answer_page,
};

/// The page as HTML: the table, and for each format on which the machines differ both evaluations of an example.
///
/// # Errors
/// If operands do not fit their models.
pub(super) fn html(report: &DiffReport<'_>) -> Result<String, Error> {
    let verdict = match report.status() {
        Status::Yes => "They differ.",
        Status::No => "They are equal (proved).",
        _ => "They are not known to differ, nor to be equal.",
    };
    let mut lines = report.alone();
    lines.insert(0, report.remark().replace('\n', " "));
    let rows = report.rows().into_iter().map(Into::into);
    let answer = AnswerPage {
        title: report.title(),
        verdict: verdict.into(),
        table: AnswerTable {
            columns: report.columns().into(),
            rows: rows.collect(),
        },
        lines: lines.join("\n"),
        evaluations: report.lines.iter().filter_map(evaluation).collect(),
    };
    Ok(answer_page(&answer).map_err(QueryError::from)?)
}

fn evaluation(line: &PairReport) -> Option<AnswerEvaluation<'_>> {
    let kind = kind_name(&line.shared.signature());
    Some(AnswerEvaluation {
        title: format!("{kind}: an example of simple operands"),
        models: EvaluatedModels::Two(&line.shared.models),
        inputs: &line.example()?.inputs,
    })
}
