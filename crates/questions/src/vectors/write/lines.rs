//! Writes vector files with one vector on each line, as `check` reads them.

use super::{BLOCK, MetadataDraw, Origin, Output, VectorWriter};
use crate::vectors::line::push_codes;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::algorithms::line::{push_operands, push_register};
use std::io::{self, Write};

/// Writes a few comments, then a line `c a0,a1,… b0,b1,… d` for each vector, with `e0,…` before `d`
/// where there are codes of a sparse instruction. Either each model has its own file with its own
/// `d`, or there is one file with the `d` of the first model. Only whole lines are written.
pub struct LinesWriter {
    signature: Signature,
    files: Vec<Output>,
    inputs_only: bool,
    written: MetadataDraw,
    /// For each file, the text that is not written yet.
    waiting: Vec<String>,
}

impl LinesWriter {
    /// A writer to `files`. The first file gets the results of the first model, the second file
    /// those of the second model, and so on.
    pub fn new(signature: Signature, origin: &Origin, files: Vec<Output>) -> Self {
        let waiting = (0..files.len()).map(|file| comments(origin, file));
        LinesWriter {
            signature,
            waiting: waiting.collect(),
            written: MetadataDraw::new(&signature, origin),
            files,
            inputs_only: false,
        }
    }

    /// The same writer, but it writes lines without results. Such a file is the input of a machine.
    #[must_use]
    pub fn inputs_only(self) -> Self {
        LinesWriter {
            inputs_only: true,
            ..self
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        for (file, text) in self.files.iter_mut().zip(&mut self.waiting) {
            file.write_all(text.as_bytes())?;
            text.clear();
        }
        Ok(())
    }
}

fn comments(origin: &Origin, file: usize) -> String {
    let Origin {
        program,
        models,
        kind,
        seed,
        assume,
        signature,
        metadata: _,
    } = origin;
    let mut text = format!("# {program}\n");
    for (number, model) in models.iter().enumerate() {
        let role = if number == file {
            "model"
        } else {
            "other model"
        };
        text += &format!("# {role}: {model}\n");
    }
    let assume = if assume.is_empty() { "nothing" } else { assume };
    text += &format!("# kind: {kind}\n# seed: {seed}\n# assume: {assume}\n# {signature}\n");
    text
}

impl VectorWriter for LinesWriter {
    fn write(&mut self, inputs: &Inputs, results: &[u64]) -> io::Result<()> {
        let (inputs, codes) = self.written.of(inputs);
        for (text, d) in self.waiting.iter_mut().zip(results) {
            push_operands(text, &self.signature, &inputs);
            push_codes(text, &codes);
            if !self.inputs_only {
                text.push(' ');
                push_register(text, &self.signature.d, *d);
            }
            text.push('\n');
        }
        match self.waiting.first() {
            Some(text) if text.len() >= BLOCK => self.flush(),
            _ => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.flush()?;
        self.files.into_iter().try_for_each(Output::finish)
    }
}
