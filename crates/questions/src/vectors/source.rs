//! Sources of vectors: a file or standard input, compressed by gzip or not.

use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;

/// The first bytes of gzip data (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The most bytes of a file, unpacked: 64 GiB.
const LONGEST: u64 = 1 << 36;

/// Whether the path stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// The content of the file at `path`, or of standard input if `path` is `-`. Gzip data is unpacked,
/// whatever the file's name. Content beyond 64 GiB is an error.
///
/// # Errors
/// If the file cannot be opened, or its first bytes cannot be read.
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if is_stdin(path) {
        return unpacked(io::stdin().lock());
    }
    unpacked(File::open(path)?)
}

/// The bytes of `reader`, unpacked if they are gzip data; more than 64 GiB are an error.
///
/// # Errors
/// If the first bytes cannot be read.
pub fn unpacked(reader: impl Read + 'static) -> io::Result<Box<dyn Read>> {
    let (first, whole) = beginning::<2>(reader)?;
    if first != GZIP {
        return Ok(Box::new(LimitReader::new(whole)));
    }
    let unpacked = GzipReader(MultiGzDecoder::new(BufReader::new(whole)));
    Ok(Box::new(LimitReader::new(unpacked)))
}

/// The first `N` bytes of a reader, or fewer if the reader has fewer; and a reader of the whole
/// content, these bytes included.
pub(super) fn beginning<const N: usize>(mut reader: impl Read) -> io::Result<(Vec<u8>, impl Read)> {
    let mut first = Vec::new();
    reader.by_ref().take(N as u64).read_to_end(&mut first)?;
    Ok((first.clone(), Cursor::new(first).chain(reader)))
}

/// Unpacked gzip data; its errors name gzip as the cause.
struct GzipReader<R>(MultiGzDecoder<R>);

impl<R: Read> Read for GzipReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            ErrorKind::Interrupted => error,
            ErrorKind::UnexpectedEof => io::Error::other("the gzip data ends too early"),
            _ => io::Error::other(format!("the gzip data is damaged: {error}")),
        })
    }
}

/// A reader that fails once more than [`LONGEST`] bytes have been read.
struct LimitReader<R> {
    reader: R,
    left: u64,
}

impl<R: Read> LimitReader<R> {
    fn new(reader: R) -> Self {
        LimitReader {
            reader,
            left: LONGEST,
        }
    }
}

impl<R: Read> Read for LimitReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            let text = format!("expected at most {LONGEST} bytes, found more; split the file");
            io::Error::other(text)
        })?;
        Ok(read)
    }
}
