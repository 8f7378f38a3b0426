//! The page of an answer: what the command prints, a table if it has one, and the evaluations of its operands step by step.

use maud::{Markup, html};
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::difference::side_by_side;
use mmasmt_explain::explain::page::document::document;
use mmasmt_explain::explain::page::taken_apart::taken_apart;

/// The answer of a command as a page.
#[derive(Clone, Debug, Default)]
pub struct AnswerPage<'x> {
    /// The subject.
    pub title: String,
    /// The verdict in a sentence.
    pub verdict: String,
    /// The table; none if it has no rows.
    pub table: AnswerTable,
    /// The other lines that the command prints.
    pub lines: String,
    /// The evaluations.
    pub evaluations: Vec<AnswerEvaluation<'x>>,
}

/// A table of texts.
#[derive(Clone, Debug, Default)]
pub struct AnswerTable {
    /// The titles of the columns.
    pub columns: Vec<String>,
    /// The rows. The first cell of each is its name.
    pub rows: Vec<Vec<String>>,
}

/// Operands that one model or two evaluate.
#[derive(Clone, Debug)]
pub struct AnswerEvaluation<'x> {
    /// The heading.
    pub title: String,
    /// One model, or two side by side.
    pub models: EvaluatedModels<'x>,
    /// The operands.
    pub inputs: &'x Inputs,
}

/// The models of an evaluation.
#[derive(Clone, Copy, Debug)]
pub enum EvaluatedModels<'x> {
    /// The steps of one model.
    One(&'x Model),
    /// The steps of two models, with the first difference marked.
    Two(&'x [Model; 2]),
}

/// The answer as an HTML page.
///
/// # Errors
/// If operands do not fit the signature of a model.
pub fn answer_page(answer: &AnswerPage<'_>) -> Result<String, Misfit> {
    let evaluations = answer.evaluations.iter().map(evaluation);
    let evaluations: Vec<Markup> = evaluations.collect::<Result<_, _>>()?;
    let body = html! {
        h1 { (answer.title) }
        p.verdict { strong { (answer.verdict) } }
        @if !answer.table.rows.is_empty() { (table(&answer.table)) }
        @if !answer.lines.is_empty() { pre.lines { (answer.lines) } }
        @for markup in evaluations { (markup) }
    };
    Ok(document(&answer.title, &body))
}

fn table(table: &AnswerTable) -> Markup {
    html! {
        div.scroll { table.figures {
            thead { tr { @for column in &table.columns { th scope="col" { (column) } } } }
            tbody { @for row in &table.rows { tr {
                @for (at, cell) in row.iter().enumerate() {
                    @if at == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                }
            } } }
        } }
    }
}

fn evaluation(evaluation: &AnswerEvaluation<'_>) -> Result<Markup, Misfit> {
    let markup = match evaluation.models {
        EvaluatedModels::One(model) => taken_apart(model, evaluation.inputs)?,
        EvaluatedModels::Two(models) => side_by_side(models, evaluation.inputs)?,
    };
    Ok(html! {
        details open {
            summary { (evaluation.title) }
            (markup)
        }
    })
}
