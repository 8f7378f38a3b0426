//! The page of feature tests: the summation tree, and for each test its answer and the inputs that
//! show this answer.

use crate::identify::probe::{ProbeOutcome, Suite, TestAnswer, TestAnswers, as_svg};
use crate::vectors::Vector;
use maud::{Markup, PreEscaped, html};
use mmasmt_core::machines::algorithms::Misfit;
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::document::document;
use mmasmt_explain::explain::page::taken_apart::taken_apart;

/// The most inputs of a test that the page shows; further inputs are only counted.
const MOST_INPUTS: usize = 16;

/// The source of the answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Respondent {
    /// The model itself, so the page can explain evaluations.
    Model,
    /// A machine, or its recorded results, with its name: the model only provides the formats and
    /// the number of products.
    Machine(String),
}

/// The answers to feature tests as an HTML page. The tests were made for the signature of `model`.
///
/// # Errors
/// If inputs do not fit that signature.
pub fn features_page(
    model: &Model,
    answers: &TestAnswers,
    respondent: &Respondent,
) -> Result<String, Misfit> {
    let products = model.signature().products as usize;
    let tree = match answers.of("summation-tree") {
        Some(TestAnswer::Found(found)) => found.tree.as_ref(),
        _ => None,
    };
    let mut suites = Vec::new();
    for suite in Suite::ALL {
        let outcomes = answers.0.iter().filter(|found| found.test.suite == suite);
        let outcomes: Vec<Markup> = outcomes
            .map(|found| outcome(model, found, respondent))
            .collect::<Result<_, _>>()?;
        if !outcomes.is_empty() {
            suites.push((suite, outcomes));
        }
    }
    let name = match respondent {
        Respondent::Model => model.to_string(),
        Respondent::Machine(name) => name.clone(),
    };
    let body = html! {
        h1 { "Feature tests: " (name) }
        @match respondent {
            Respondent::Model => @if name != model.canonical() { p { code { (model.canonical()) } } },
            Respondent::Machine(_) => p { "Answered by a machine with " (model.signature()) }
        }
        @if let Some(tree) = tree {
            section {
                h2 { "Which summands are added in one operation" }
                p { code { (tree.formula(products)) } }
                figure.drawing { (PreEscaped(as_svg(tree, products))) }
            }
        }
        @for (suite, outcomes) in suites {
            section {
                h2 { (suite.name()) }
                @for markup in outcomes { (markup) }
            }
        }
    };
    Ok(document(&format!("Feature tests: {name}"), &body))
}

/// The markup of one test: the short answer, the sentence that explains the answer, and below them
/// the inputs of the test.
fn outcome(
    model: &Model,
    outcome: &ProbeOutcome,
    respondent: &Respondent,
) -> Result<Markup, Misfit> {
    let (value, sentence) = outcome.answer.texts();
    let is_found = matches!(outcome.answer, TestAnswer::Found(_));
    let example = outcome.vectors.first();
    let example = example.filter(|_| is_found && *respondent == Respondent::Model);
    let example = example
        .map(|vector| taken_apart(model, &vector.inputs))
        .transpose()?;
    let head = html! {
        strong.test { (outcome.test.name) } " " span.answer { (value) } " " (sentence)
    };
    Ok(if outcome.vectors.is_empty() {
        html! { p.outcome { (head) } }
    } else {
        html! {
            details.outcome {
                summary { (head) }
                (asked(model, &outcome.vectors))
                @if let Some(markup) = example {
                    h3 { "The first of them" }
                    (markup)
                }
            }
        }
    })
}

/// The markup of inputs and their results, as lines of a vector file.
fn asked(model: &Model, vectors: &[Vector]) -> Markup {
    let signature = model.signature();
    let left_out = vectors.len().saturating_sub(MOST_INPUTS);
    html! {
        pre.scroll { @for Vector { inputs, d } in vectors.iter().take(MOST_INPUTS) {
            (inputs.to_line(&signature)) " " (format!("{d:0digits$x}", digits = signature.d.digits())) "\n"
        } }
        @if left_out > 0 { p { "and " (left_out) " more" } }
    }
}
