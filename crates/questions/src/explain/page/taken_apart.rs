//! An evaluation inside a page of something else: operands and steps, or a line where there are too
//! many of them.

use super::operands::operands;
use super::steps::steps;
use crate::explain::explain;
use maud::{Markup, html};
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_core::machines::model::Model;

/// Beyond so many products nobody reads a picture of each.
const MOST_PRODUCTS: u32 = 128;

/// The operands, and how `model` comes to its result.
pub(super) fn taken_apart(model: &Model, inputs: &Inputs) -> Result<Markup, Misfit> {
    let signature = model.signature();
    if signature.products > MOST_PRODUCTS {
        return Ok(html! {
            p.line { (signature.products) " products, as a line: " code { (inputs.to_line(&signature)) } }
        });
    }
    let explained = explain(model, inputs)?;
    Ok(html! {
        (operands(&signature, inputs))
        section { (steps(model, &explained, None)) }
    })
}
