//! Vector files: `c a0,a1,… b0,b1,… d`, with `sa0,… sb0,…` before `d` where there are block scales;
//! lower-case hex of native bits, `#` for comments.

use super::inputs::{Inputs, Vector};
use crate::algorithms::Signature;
use std::io::BufRead;
use thiserror::Error;

/// What is wrong with a vector file.
#[derive(Debug, Error)]
pub enum VectorError {
    /// A line that is not a vector of the signature.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    Malformed {
        /// Line number, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What was expected.
        expected: String,
        /// What stood there.
        found: String,
    },
    /// The file could not be read.
    #[error("line {line}: {error}")]
    Unreadable {
        /// Line number, from 1.
        line: usize,
        /// What the system said.
        error: std::io::Error,
    },
}

/// The lines of a file that hold vectors; comments and empty lines are passed over, and a line may
/// end in CRLF.
pub struct Lines<R> {
    reader: R,
    bytes: Vec<u8>,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `reader`.
    pub fn new(reader: R) -> Self {
        Lines {
            reader,
            bytes: Vec::new(),
            number: 0,
        }
    }

    /// The next line with its number, from 1; nothing at the end.
    ///
    /// # Errors
    /// If the file cannot be read or is not text.
    pub fn next_line(&mut self) -> Result<Option<(usize, &str)>, VectorError> {
        loop {
            self.number += 1;
            let line = self.number;
            self.bytes.clear();
            let read = self.reader.read_until(b'\n', &mut self.bytes);
            if read.map_err(|error| VectorError::Unreadable { line, error })? == 0 {
                return Ok(None);
            }
            while self
                .bytes
                .last()
                .is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
            {
                self.bytes.pop();
            }
            if !self.bytes.is_empty() && self.bytes[0] != b'#' {
                break;
            }
        }
        let text = std::str::from_utf8(&self.bytes).map_err(|error| VectorError::Malformed {
            line: self.number,
            column: error.valid_up_to() + 1,
            expected: "text".into(),
            found: "bytes that are not UTF-8".into(),
        })?;
        Ok(Some((self.number, text)))
    }
}

/// The vector in one line of text; missing products are +0.
///
/// # Errors
/// If the line is not a vector of the signature.
pub fn parse_line(text: &str, line: usize, signature: &Signature) -> Result<Vector, VectorError> {
    let (inputs, mut cursor) = parse_operands(text, line, signature)?;
    cursor.space("d")?;
    let d = cursor.register(signature.d.digits(), "d")?;
    if cursor.at < text.len() {
        return Err(cursor.error("the end of the line after d".into()));
    }
    Ok(Vector { inputs, d })
}

/// The operands in one line of text, which may have a result or not; missing products are +0.
///
/// # Errors
/// If the line does not begin with operands of the signature.
pub fn parse_inputs(text: &str, line: usize, signature: &Signature) -> Result<Inputs, VectorError> {
    let (inputs, cursor) = parse_operands(text, line, signature)?;
    if cursor.at == text.len() {
        return Ok(inputs);
    }
    parse_line(text, line, signature).map(|vector| vector.inputs)
}

fn parse_operands<'t>(
    text: &'t str,
    line: usize,
    signature: &Signature,
) -> Result<(Inputs, Cursor<'t>), VectorError> {
    let mut cursor = Cursor { text, line, at: 0 };
    let c = cursor.register(signature.c.digits(), "c")?;
    cursor.space("a")?;
    let mut a = cursor.registers(signature.a.digits(), "a", signature.products)?;
    cursor.space("b")?;
    let b_start = cursor.at;
    let mut b = cursor.registers(signature.b.digits(), "b", signature.products)?;
    if a.len() != b.len() {
        let expected = format!("as many b as a ({})", a.len());
        return Err(cursor.error_at(b_start, expected, b.len().to_string()));
    }
    a.resize(signature.products as usize, 0);
    b.resize(signature.products as usize, 0);
    let mut inputs = Inputs::new(a, b, c);
    if let Some(scales) = signature.scales {
        let (digits, count) = (scales.format.digits(), signature.scale_count());
        for (what, row) in [("sa", &mut inputs.a_scales), ("sb", &mut inputs.b_scales)] {
            cursor.space(what)?;
            let start = cursor.at;
            *row = cursor.registers(digits, what, count)?;
            if row.len() != count as usize {
                let expected = format!("{count} values of {what}");
                return Err(cursor.error_at(start, expected, row.len().to_string()));
            }
        }
    }
    Ok((inputs, cursor))
}

struct Cursor<'t> {
    text: &'t str,
    line: usize,
    at: usize,
}

impl Cursor<'_> {
    /// A register of exactly `digits` hexadecimal digits.
    fn register(&mut self, digits: usize, what: &str) -> Result<u64, VectorError> {
        let rest = &self.text.as_bytes()[self.at..];
        let found = rest
            .iter()
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count();
        if found != digits {
            return Err(self.error(format!("{digits} hexadecimal digits for {what}")));
        }
        let value = rest[..digits].iter().fold(0, |value, &byte| {
            value << 4 | u64::from((byte as char).to_digit(16).unwrap_or(0))
        });
        self.at += digits;
        Ok(value)
    }

    /// One to `most` registers with commas between them.
    fn registers(&mut self, digits: usize, what: &str, most: u32) -> Result<Vec<u64>, VectorError> {
        let mut values = Vec::with_capacity(most as usize);
        loop {
            if values.len() == most as usize {
                return Err(self.error(format!("at most {most} values of {what}")));
            }
            values.push(self.register(digits, what)?);
            if self.text.as_bytes().get(self.at) != Some(&b',') {
                return Ok(values);
            }
            self.at += 1;
        }
    }

    fn space(&mut self, next: &str) -> Result<(), VectorError> {
        if self.text.as_bytes().get(self.at) != Some(&b' ') {
            return Err(self.error(format!("a space before {next}")));
        }
        self.at += 1;
        Ok(())
    }

    fn error(&self, expected: String) -> VectorError {
        let rest: String = self.text[self.at..].chars().take(20).collect();
        let found = if rest.is_empty() {
            "the end of the line".into()
        } else {
            format!("`{rest}`")
        };
        self.error_at(self.at, expected, found)
    }

    fn error_at(&self, at: usize, expected: String, found: String) -> VectorError {
        let column = self.text[..at].chars().count() + 1;
        VectorError::Malformed {
            line: self.line,
            column,
            expected,
            found,
        }
    }
}
