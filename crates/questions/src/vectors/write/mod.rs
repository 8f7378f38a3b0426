//! Writing vectors with the results of one model or several: a file format each.
//!
//! All of them take any number of vectors in constant memory. What has been written when writing
//! ends early is valid, and a file that could not be written to its end is not there.

mod jsonl;
mod lines;
mod npz;
mod output;

pub use jsonl::JsonLinesWriter;
pub use lines::LinesWriter;
pub use npz::NpzWriter;
pub use npz::stored;
pub use output::Output;

use super::metadata::DrawnMetadata;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Metadata, Signature};
use serde_json::{Value, json};
use std::borrow::Cow;
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
    /// Codes of a sparse instruction to draw and to write behind all of B; none if B is what they
    /// select.
    pub metadata: Option<Metadata>,
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

/// Vectors as they are written: with codes and all of B, if the origin says so.
struct Written(Option<DrawnMetadata>);

impl Written {
    fn new(signature: &Signature, origin: &Origin) -> Self {
        let drawn = |metadata| DrawnMetadata::new(metadata, signature, origin.seed);
        Written(origin.metadata.map(drawn))
    }

    /// The inputs, and codes if there are any.
    fn of<'x>(&mut self, inputs: &'x Inputs) -> (Cow<'x, Inputs>, Vec<u64>) {
        match &mut self.0 {
            None => (Cow::Borrowed(inputs), Vec::new()),
            Some(drawn) => {
                let (inputs, codes) = drawn.around(inputs);
                (Cow::Owned(inputs), codes)
            }
        }
    }
}

/// How much text is gathered before it is written.
const BLOCK: usize = 1 << 16;
