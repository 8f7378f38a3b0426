//! The page of two models side by side, with the first difference marked.

use super::document::document;
use super::fields::fields;
use super::operands::operands;
use super::steps::steps;
use crate::explain::{explain, first_divergence};
use maud::{Markup, html};
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::ulp_distance;

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
    let each = found.inputs.iter().map(|inputs| one(found.models, inputs));
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

fn one(models: &[Model; 2], inputs: &Inputs) -> Result<Markup, Misfit> {
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
            @if let Some(found) = &divergence {
                p {
                    @match ulp {
                        None => "The results cannot be compared",
                        Some(0) => "The sign of the zero is all that differs",
                        Some(ulp) => { (ulp) " ulp apart" }
                    }
                    "; first difference: " strong { (found.stage) } ": "
                    code { (found.values[0]) } " and " code { (found.values[1]) } "."
                }
            }
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
