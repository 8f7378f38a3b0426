//! Designs of others as models: BTOR2, as yosys writes it, with its ports taken for the operands of
//! a model.

mod btor2;
mod error;
mod operations;
mod ports;

pub use error::DesignError;
pub use ports::Ports;

use mmasmt_core::machines::algorithms::{Design, Signature};
use mmasmt_core::machines::model::Model;

/// The model of the design in `text`, a file in BTOR2: `name` is what the model is called, `ports`
/// says what its ports are, where they are not called as the operands of `signature`.
///
/// # Errors
/// If it is no BTOR2, has no such ports, or does not compute the result from them alone.
pub fn model(
    name: &str,
    text: &str,
    signature: Signature,
    ports: &Ports,
) -> Result<Model, DesignError> {
    let file = btor2::File::parse(text)?;
    let circuit = ports.circuit(&file, &signature)?;
    Ok(Model::of_design(Design::new(name, signature, circuit)))
}
