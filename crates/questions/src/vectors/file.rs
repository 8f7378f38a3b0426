//! Lines of vector files: each holds one vector, or a comment that begins with `#`.

use super::error::{LONGEST, VectorError};
use super::header::check_comment;
use mmasmt_core::machines::algorithms::Signature;
use std::io::{BufRead, Read};

/// The lines of a file that hold vectors; comments and empty lines are skipped, and a line may end
/// in CRLF. A line of more than 4 MiB is an error.
pub struct Lines<R> {
    reader: R,
    signature: Option<Signature>,
    bytes: Vec<u8>,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `reader`.
    pub fn new(reader: R) -> Self {
        Lines {
            reader,
            signature: None,
            bytes: Vec::new(),
            number: 0,
        }
    }

    /// The lines of `reader`; a comment that names another signature is an error.
    pub fn of(reader: R, signature: Signature) -> Self {
        Lines {
            signature: Some(signature),
            ..Lines::new(reader)
        }
    }

    /// The text that is not read yet.
    pub(super) fn rest(&mut self) -> &mut R {
        &mut self.reader
    }

    /// The number of lines in the file, if [`next_line`](Self::next_line) has returned `None`.
    pub(super) fn passed(&self) -> usize {
        self.number.saturating_sub(1)
    }

    /// The next line with its number, from 1; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read or is not text, a line is too long, or a comment names another
    /// signature.
    pub fn next_line(&mut self) -> Result<Option<(usize, &str)>, VectorError> {
        loop {
            self.number += 1;
            let line = self.number;
            self.bytes.clear();
            let mut limited = self.reader.by_ref().take(LONGEST as u64 + 1);
            let read = limited.read_until(b'\n', &mut self.bytes);
            if read.map_err(|error| VectorError::Unreadable { line, error })? == 0 {
                return Ok(None);
            }
            if self.bytes.len() > LONGEST && self.bytes.last() != Some(&b'\n') {
                return Err(VectorError::TooLong { line });
            }
            while self
                .bytes
                .last()
                .is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
            {
                self.bytes.pop();
            }
            match (self.bytes.first(), &self.signature) {
                (None, _) | (Some(b'#'), None) => {}
                (Some(b'#'), Some(signature)) => check_comment(&self.bytes, line, signature)?,
                _ => break,
            }
        }
        let text = std::str::from_utf8(&self.bytes).map_err(|error| {
            let valid = String::from_utf8_lossy(&self.bytes[..error.valid_up_to()]);
            VectorError::Malformed {
                line: self.number,
                column: valid.chars().count() + 1,
                expected: "text".into(),
                found: "bytes that are not UTF-8".into(),
            }
        })?;
        Ok(Some((self.number, text)))
    }
}
