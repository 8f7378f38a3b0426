//! The page of two models side by side, with the first difference marked.

use super::document::document;
use super::fields::fields;
use super::operands::operands;
use super::steps::steps;
use crate::explain::{explain, first_divergence};
use maud::{Markup, html};
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::ulp_distance;

/// The comparison of two models.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'x> {
    /// The models, which take the same operands.
    pub models: &'x [Model; 2],
    /// One word: `different`, `equal`, `unknown`.
    pub verdict: &'x str,
    /// A remark on the verdict or on further results, in words.
    pub remark: Option<&'x str>,
    /// The inputs to show, on which the two models differ.
    pub inputs: &'x [Inputs],
}

/// The comparison of two models as an HTML page: the verdict, and for each of the inputs the
/// evaluations of both models.
///
/// # Errors
/// If inputs do not fit the signature of the models.
pub fn difference_page(found: &Difference<'_>) -> Result<String, Misfit> {
    let [left, right] = found.models;
    Ok(document(
        &format!("{left} and {right}"),
        &difference(found)?,
    ))
}

/// The content of the page, without its frame.
pub fn difference(found: &Difference<'_>) -> Result<Markup, Misfit> {
    let [left, right] = found.models;
    let each = found
        .inputs
        .iter()
        .map(|inputs| side_by_side(found.models, inputs));
    let each: Vec<Markup> = each.collect::<Result<_, _>>()?;
    Ok(html! {
        h1 { (left) " and " (right) }
        p.verdict { strong { (found.verdict) } @if let Some(remark) = found.remark { ": " (remark) } }
        @for model in found.models.iter().filter(|model| model.to_string() != model.canonical()) {
            p { (model) " is " code { (model.canonical()) } }
        }
        @for (number, markup) in each.iter().enumerate() {
            @if each.len() > 1 { h2.number { "Inputs " (number + 1) " of " (each.len()) } }
            (markup)
        }
    })
}

/// The evaluations of two models on the same operands, beside each other or one below the other.
pub fn side_by_side(models: &[Model; 2], inputs: &Inputs) -> Result<Markup, Misfit> {
    let [left, right] = models;
    let explained = [explain(left, inputs)?, explain(right, inputs)?];
    let divergence = first_divergence(left, right, inputs);
    let signature = left.signature();
    let ulp = ulp_distance(&signature.d, explained[0].d, explained[1].d);
    Ok(html! {
        div.scroll {
            table.results {
                @for (model, explained) in models.iter().zip(&explained) {
                    tr {
                        th scope="row" { (model) }
                        td { code { (fields(&signature.d, explained.d)) } }
                    }
                }
            }
        }
        (operands(&signature, inputs))
        section {
            h2 { "Side by side" }
            p { (apart(ulp)) }
            @if let Some(found) = &divergence { p.first { (found.sentence(&[left, right].map(ToString::to_string))) } }
            div.sides {
                @for (model, explained) in models.iter().zip(&explained) {
                    section.side {
                        h3.model { (model) }
                        (steps(model, explained, divergence.as_ref()))
                    }
                }
            }
        }
    })
}

/// How far apart the two results are, as a sentence.
fn apart(ulp: Option<u64>) -> String {
    match ulp {
        None => "The results cannot be compared.".into(),
        Some(0) => "The sign of the zero is all that differs.".into(),
        Some(ulp) => format!("The results are {ulp} ulp apart."),
    }
}
