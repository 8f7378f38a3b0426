//! An evaluation inside another page: operands and steps, or only a line of operands if there are
//! too many products.

use super::operands::operands;
use super::steps::steps;
use crate::explain::explain;
use maud::{Markup, html};
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_core::machines::model::Model;

/// The most products of an evaluation that is shown step by step.
const MOST_PRODUCTS: u32 = 128;

/// The markup of the operands, and of the evaluation of `model` in steps.
pub fn taken_apart(model: &Model, inputs: &Inputs) -> Result<Markup, Misfit> {
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
