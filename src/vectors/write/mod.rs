//! Writing vectors with the results of one model or several: a file format each.
//!
//! All of them take any number of vectors in constant memory. What has been written when writing ends
//! early is valid, and a file that could not be written to its end is not there.

mod jsonl;
mod lines;
mod npz;
mod output;

pub use jsonl::JsonLinesWriter;
pub use lines::LinesWriter;
pub use npz::NpzWriter;
pub(crate) use npz::stored;
pub use output::Output;

use super::Inputs;
use serde_json::{Value, json};
use std::io;

/// Something that vectors are written to.
pub trait VectorWriter {
    /// Writes one vector: operands of the signature, and the result register of each model.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&mut self, inputs: &Inputs, results: &[u64]) -> io::Result<()>;

    /// Writes what is not written yet.
    ///
    /// # Errors
    /// If it cannot be written.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Where vectors come from: what a file says of itself.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The program, with its version.
    pub program: String,
    /// The models whose results are given, in that order.
    pub models: Vec<String>,
    /// The kind of inputs.
    pub kind: String,
    /// What drawing them started from.
    pub seed: u64,
    /// What is assumed of the operands.
    pub assume: String,
    /// What a vector consists of.
    pub signature: String,
}

impl Origin {
    /// As one JSON object.
    pub fn to_json(&self) -> Value {
        json!({
            "schema": SCHEMA,
            "models": self.models,
            "kind": self.kind,
            "seed": self.seed,
            "assume": self.assume,
            "signature": self.signature,
            "version": self.program,
        })
    }
}

/// The number of the schema that all JSON of the program follows, `docs/mmasmt.schema.json`.
pub const SCHEMA: u32 = 1;

/// How much text is gathered before it is written.
const BLOCK: usize = 1 << 16;
