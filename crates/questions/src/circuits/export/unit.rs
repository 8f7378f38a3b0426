//! A model as a description: the text that `unit:FILE` reads.

use super::about::about;
use super::error::ExportError;
use mmasmt_core::machines::model::{Algorithm, Model};

/// The description of a model that is one unit, behind comments that name the model.
///
/// # Errors
/// If the model is a sequence or a composition of units, whose description is not that of the whole;
/// or as [`unit_text`].
pub(super) fn whole_unit_text(model: &Model) -> Result<String, ExportError> {
    let steps = match model.algorithm() {
        Algorithm::Operation(_) | Algorithm::Design(_) => return unit_text(model),
        Algorithm::Chain(chain) => format!("{} steps one behind the other", chain.links()),
        Algorithm::Composition(_) => "a composition of several".into(),
    };
    let model = model.to_string();
    Err(ExportError::NotWhole { model, steps })
}

/// The description of the unit of a model, behind comments that name the model. A sequence or a
/// composition of units has the description of its unit, and a comment with the model that it is.
///
/// # Errors
/// If the language of descriptions has no words for the unit, or the model is a design.
pub fn unit_text(model: &Model) -> Result<String, ExportError> {
    let inside = model.algorithm().inside();
    let (operation, links) = inside.operation().ok_or(ExportError::NoUnit)?;
    let unsaid = || ExportError::Unsaid(inside.canonical());
    let description = operation.description().ok_or_else(unsaid)?;
    let mut text: String = about(model)
        .lines()
        .map(|line| format!("# {line}\n"))
        .collect();
    let unit = match links {
        1 => "unit:FILE".to_owned(),
        links => format!("unit:FILE:chain={links}"),
    };
    if !matches!(model.algorithm(), Algorithm::Operation(_)) {
        let whole = model.canonical().replace(&inside.canonical(), &unit);
        text += &format!("# this file is its unit: the model is {whole}\n");
    }
    text += &description.text();
    text.push('\n');
    Ok(text)
}
