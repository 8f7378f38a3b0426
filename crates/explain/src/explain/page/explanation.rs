//! The page of an evaluation: operands, then each step down to the result.

use super::document::document;
use super::operands::operands;
use super::steps::steps;
use crate::explain::explain;
use maud::{Markup, html};
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_core::machines::model::Model;

/// The evaluation of `model` on `inputs` as an HTML page.
///
/// # Errors
/// If the inputs do not fit the signature of the model.
pub fn explanation_page(model: &Model, inputs: &Inputs) -> Result<String, Misfit> {
    Ok(document(&model.to_string(), &explanation(model, inputs)?))
}

/// The content of the page, without its frame.
pub fn explanation(model: &Model, inputs: &Inputs) -> Result<Markup, Misfit> {
    let explained = explain(model, inputs)?;
    let (name, canonical) = (model.to_string(), model.canonical());
    Ok(html! {
        h1 { (name) }
        @if name != canonical { p { code { (canonical) } } }
        (operands(&model.signature(), inputs))
        section {
            h2 { "From terms to result" }
            (steps(model, &explained, None))
        }
    })
}
