//! Text in blocks of whole lines, so that several threads can read it.

use super::error::LONGEST;
use std::io::{self, ErrorKind, Read};

/// The size of a block in bytes, roughly.
const BLOCK: usize = 1 << 20;

/// A reader's text in blocks of whole lines. The lines before an error form a block of their own.
pub(super) struct Blocks<R> {
    reader: R,
    /// The start of a line whose end has not been read.
    rest: Vec<u8>,
    /// The end of the text, or an error that is returned after the next block.
    end: Option<io::Result<()>>,
}

impl<R: Read> Blocks<R> {
    pub fn new(reader: R) -> Self {
        Blocks {
            reader,
            rest: Vec::new(),
            end: None,
        }
    }

    /// At most `most` further blocks; none at the end of the text. A block that does not end with a
    /// line break is the last one: it is the end of the file, or its line is too long for a vector,
    /// so nothing after it matters.
    pub fn next_blocks(&mut self, most: usize) -> Vec<io::Result<Vec<u8>>> {
        let mut blocks = Vec::new();
        while blocks.len() < most
            && let Some(block) = self.next_block()
        {
            let is_last = !block.as_ref().is_ok_and(|text| text.ends_with(b"\n"));
            blocks.push(block);
            if is_last {
                break;
            }
        }
        blocks
    }

    /// The next block, which is never empty; `None` at the end of the text.
    fn next_block(&mut self) -> Option<io::Result<Vec<u8>>> {
        let mut block = std::mem::take(&mut self.rest);
        while self.end.is_none() && block.len() <= LONGEST {
            let known = block.len();
            block.resize(known + BLOCK, 0);
            let read = self.fill(&mut block[known..]);
            block.truncate(known + read);
            let line_end = block[known..].iter().rposition(|&byte| byte == b'\n');
            if let Some(at) = line_end {
                self.rest = block.split_off(known + at + 1);
                return Some(Ok(block));
            }
        }
        match self.end.take() {
            None => Some(Ok(block)),
            Some(Ok(())) => {
                self.end = Some(Ok(()));
                (!block.is_empty()).then_some(Ok(block))
            }
            Some(Err(error)) => {
                self.end = Some(Ok(()));
                Some(Err(error))
            }
        }
    }

    /// Reads until `space` is full, the input ends or an error occurs; returns the number of bytes
    /// read.
    fn fill(&mut self, space: &mut [u8]) -> usize {
        let mut filled = 0;
        while filled < space.len() {
            match self.reader.read(&mut space[filled..]) {
                Ok(0) => {
                    self.end = Some(Ok(()));
                    break;
                }
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.end = Some(Err(error));
                    break;
                }
            }
        }
        filled
    }
}
