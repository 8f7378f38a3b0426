//! Writers of vectors with the results of one or several models; one writer for each file format.
//!
//! All writers take any number of vectors in constant memory. A writer that is finished early
//! leaves a valid file with the vectors so far. A file appears under its name only once it is
//! complete.

mod head;
mod jsonl;
mod lines;
mod npz;
mod output;

pub use head::{LinesHead, SCHEMA};
pub use jsonl::JsonLinesWriter;
pub use lines::LinesWriter;
pub use npz::NpzWriter;
pub use npz::stored;
pub use output::Output;

use super::metadata::DrawnMetadata;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Metadata, Signature};
use serde_json::Value;
use std::borrow::Cow;
use std::io;

/// A destination of vectors.
pub trait VectorWriter {
    /// Writes one vector: operands of the signature, and the result register of each model.
    ///
    /// # Errors
    /// If the vector cannot be written.
    fn write(&mut self, inputs: &Inputs, results: &[u64]) -> io::Result<()>;

    /// Writes all pending output.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The origin of vectors, for the header of a file.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The program, with its version.
    pub program: String,
    /// The names of the models whose results are written, in the order of the results.
    pub models: Vec<String>,
    /// The kind of inputs.
    pub kind: String,
    /// The seed of the draw.
    pub seed: u64,
    /// The assumption about the operands.
    pub assume: String,
    /// The signature of a vector.
    pub signature: String,
    /// If given, the kind of codes of a sparse instruction: codes are drawn, and written with the
    /// whole dense B. If `None`, only the elements of B that are multiplied are written.
    pub metadata: Option<Metadata>,
}

impl Origin {
    /// The origin as the head of JSON Lines.
    pub fn head(&self) -> LinesHead<'_> {
        LinesHead {
            models: Some(&self.models),
            kind: Some(&self.kind),
            seed: Some(self.seed),
            assume: Some(&self.assume),
            ..LinesHead::new(&self.signature, &self.program)
        }
    }

    /// The origin as one JSON object.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self.head()).unwrap_or_default()
    }
}

/// If the origin has `metadata`, draws codes and the unselected elements of B for each vector
/// before the vector is written.
struct MetadataDraw(Option<DrawnMetadata>);

impl MetadataDraw {
    fn new(signature: &Signature, origin: &Origin) -> Self {
        let drawn = |metadata| DrawnMetadata::new(metadata, signature, origin.seed);
        MetadataDraw(origin.metadata.map(drawn))
    }

    /// The inputs with the whole dense B, and their codes; if the origin has no `metadata`, the
    /// inputs unchanged and no codes.
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

/// The number of bytes of text that are collected before they are written.
const BLOCK: usize = 1 << 16;
