//! External designs as models: BTOR2 files, as yosys writes them, whose ports are the operands of a
//! model.

mod btor2;
mod error;
mod operations;
mod ports;

pub use error::DesignError;
pub use ports::DesignPorts;

use mmasmt_core::machines::algorithms::{Design, Signature};
use mmasmt_core::machines::model::Model;

/// The model of the BTOR2 design in `text`, called `name`. `ports` maps the design's ports to the
/// operands of `signature` where their names differ.
///
/// # Errors
/// If the text is not BTOR2, lacks a port for the operands or the result, or computes a result that
/// depends on anything but the operands.
pub fn model(
    name: &str,
    text: &str,
    signature: Signature,
    ports: &DesignPorts,
) -> Result<Model, DesignError> {
    let file = btor2::File::parse(text)?;
    let circuit = ports.circuit(&file, &signature)?;
    Ok(Model::of_design(Design::new(name, signature, circuit)))
}
