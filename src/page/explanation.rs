//! The page of an evaluation: operands, then each step down to the result.

use super::document::document;
use super::operands::operands;
use super::steps::steps;
use crate::explain::explain;
use crate::model::Model;
use crate::vectors::{Inputs, Misfit};
use maud::html;

/// How `model` comes to its result for `inputs`, as an HTML page.
///
/// # Errors
/// If the inputs do not fit the signature of the model.
pub fn explanation_page(model: &Model, inputs: &Inputs) -> Result<String, Misfit> {
    let explained = explain(model, inputs)?;
    let (name, canonical) = (model.to_string(), model.canonical());
    let body = html! {
        h1 { (name) }
        @if name != canonical { p { code { (canonical) } } }
        (operands(&model.signature(), inputs))
        section {
            h2 { "From terms to result" }
            (steps(model, &explained, None))
        }
    };
    Ok(document(&name, &body))
}
