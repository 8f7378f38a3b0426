//! Models with as many products as are asked for.

use crate::cli::error::Error;
use crate::cli::specification::{floating_point, model};
use mmasmt_core::machines::model::Model;

/// The model that `text` names, for `k` products.
pub(super) fn of_length(text: &str, k: u32) -> Result<Model, Error> {
    let model = model(text)?;
    floating_point(&model)?;
    Ok(model.of_length(k)?)
}
