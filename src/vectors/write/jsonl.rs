//! JSON Lines: an object on each line.

use super::{BLOCK, Origin, Output, VectorWriter};
use crate::algorithms::{Operand, Signature};
use crate::float::Format;
use crate::vectors::Inputs;
use crate::vectors::line::push_register;
use std::io::{self, Write};

/// Writes an object for what the file says of itself (`models`, `kind`, `seed`, `assume`,
/// `signature`, `version`), and one for each vector: `c`, rows `a`, `b`, `sa` and `sb` where there
/// are block scales, and `d` with the result of each model. Registers are strings of hexadecimal
/// digits. Only whole lines are written.
pub struct JsonLinesWriter {
    signature: Signature,
    file: Output,
    waiting: String,
}

impl JsonLinesWriter {
    /// Writes to `file`.
    pub fn new(signature: Signature, origin: &Origin, file: Output) -> Self {
        JsonLinesWriter {
            signature,
            file,
            waiting: format!("{}\n", origin.to_json()),
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
        let text = &mut self.waiting;
        text.push_str("{\"c\":\"");
        push_register(text, c, inputs.c);
        text.push('"');
        for row in self
            .signature
            .rows()
            .filter(|row| row.operand != Operand::C)
        {
            let (name, registers) = (row.operand.name(), inputs.row(row.operand));
            push_row(text, name, &row.format, registers);
        }
        push_row(text, "d", d, results);
        text.push_str("}\n");
        match self.waiting.len() >= BLOCK {
            true => self.flush(),
            false => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.flush()?;
        self.file.finish()
    }
}

fn push_row(text: &mut String, key: &str, format: &Format, row: &[u64]) {
    text.push_str(",\"");
    text.push_str(key);
    text.push_str("\":[");
    for (index, register) in row.iter().enumerate() {
        text.push_str(if index == 0 { "\"" } else { ",\"" });
        push_register(text, format, *register);
        text.push('"');
    }
    text.push(']');
}
