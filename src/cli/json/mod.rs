//! Parts common to the JSON of all commands, and the frame around an answer.

mod cost;
mod draw;
mod frame;
mod texts;
mod vectors;

pub(super) use cost::{Cost, ProofBasis};
pub(super) use draw::DrawObject;
pub(super) use frame::{write_json, write_json_line};
pub(super) use texts::{ModelText, NamedModel, NumberText, RegisterText, RegisterValue};
pub(super) use vectors::{FailureObject, InputsObject, VectorLine, VectorObject};
