//! Writes vectors as JSON Lines: an object on each line.

use super::{BLOCK, MetadataDraw, Origin, Output, VectorWriter};
use crate::vectors::metadata::CODE;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::line::push_register;
use mmasmt_core::machines::algorithms::{Operand, Signature};
use mmasmt_numbers::float::Format;
use std::io::{self, Write};

/// Writes first an object with the file's header (`schema`, `models`, `kind`, `seed`, `assume`,
/// `signature`, `version`), then one object for each vector: `c`, the rows `a` and `b`, `sa` and
/// `sb` where there are block scales, `e` where there are codes of a sparse instruction, and `d`
/// with the result of each model. Registers are strings of hexadecimal digits. Only whole lines are
/// written.
pub struct JsonLinesWriter {
    signature: Signature,
    file: Output,
    waiting: String,
    written: MetadataDraw,
}

impl JsonLinesWriter {
    /// A writer to `file`.
    pub fn new(signature: Signature, origin: &Origin, file: Output) -> Self {
        JsonLinesWriter {
            signature,
            file,
            waiting: format!("{}\n", origin.to_json()),
            written: MetadataDraw::new(&signature, origin),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.write_all(self.waiting.as_bytes())?;
        self.waiting.clear();
        Ok(())
    }
}

impl VectorWriter for JsonLinesWriter {
    fn write(&mut self, inputs: &Inputs, results: &[u64]) -> io::Result<()> {
        let Signature { c, d, .. } = &self.signature;
        let (inputs, codes) = self.written.of(inputs);
        let text = &mut self.waiting;
        text.push('{');
        if self.signature.has_c() {
            text.push_str("\"c\":\"");
            push_register(text, c, inputs.c);
            text.push_str("\",");
        }
        for row in self
            .signature
            .rows()
            .filter(|row| row.operand != Operand::C)
        {
            let (name, registers) = (row.operand.name(), inputs.row(row.operand));
            push_row(text, name, &row.format, registers);
            text.push(',');
        }
        if !codes.is_empty() {
            push_row(text, "e", &CODE, &codes);
            text.push(',');
        }
        push_row(text, "d", d, results);
        text.push_str("}\n");
        if self.waiting.len() >= BLOCK {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.flush()?;
        self.file.finish()
    }
}

fn push_row(text: &mut String, key: &str, format: &Format, row: &[u64]) {
    text.push('"');
    text.push_str(key);
    text.push_str("\":[");
    for (index, register) in row.iter().enumerate() {
        text.push_str(if index == 0 { "\"" } else { ",\"" });
        push_register(text, format, *register);
        text.push('"');
    }
    text.push(']');
}
