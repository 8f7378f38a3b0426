//! Where vectors are read from: a file or standard input, compressed by gzip or not.

use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;

/// The first bytes of gzip data (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Whether the path stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// The content of the file at `path`, of standard input if that is `-`; gzip data is unpacked,
/// whatever the file is called.
///
/// # Errors
/// If it cannot be opened, or its first bytes cannot be read.
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if is_stdin(path) {
        return unpacked(io::stdin().lock());
    }
    unpacked(File::open(path)?)
}

/// The bytes of `reader`, unpacked if they are gzip data.
///
/// # Errors
/// If the first bytes cannot be read.
pub fn unpacked(mut reader: impl Read + 'static) -> io::Result<Box<dyn Read>> {
    let mut first = Vec::new();
    reader.by_ref().take(2).read_to_end(&mut first)?;
    let is_gzip = first == GZIP;
    let whole = Cursor::new(first).chain(reader);
    if !is_gzip {
        return Ok(Box::new(whole));
    }
    Ok(Box::new(Unpacked(MultiGzDecoder::new(BufReader::new(
        whole,
    )))))
}

/// Gzip data, unpacked; its errors say that it is gzip data that is wrong.
struct Unpacked<R>(MultiGzDecoder<R>);

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            ErrorKind::Interrupted => error,
            ErrorKind::UnexpectedEof => io::Error::other("the gzip data ends too early"),
            _ => io::Error::other(format!("the gzip data is damaged: {error}")),
        })
    }
}
