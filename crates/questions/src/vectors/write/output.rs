//! Destinations of text: standard output or a file, compressed by gzip or not. A file gets its name
//! only once it is complete, so a file that a full disk cut short is never taken for a whole one.

use flate2::Compression;
use flate2::write::GzEncoder;
use mmasmt_numbers::base::whole_file::WholeFile;
use std::io::{self, Stdout, Write};
use std::path::Path;

/// Standard output or a file.
pub enum Output {
    /// Standard output.
    Stdout(Stdout),
    /// A file.
    File(WholeFile),
    /// A file of gzip data.
    Gzip(GzEncoder<WholeFile>),
}

impl Output {
    /// A new file at `path`, of gzip data if `path` ends in `.gz`.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path) -> io::Result<Output> {
        let file = WholeFile::create(path)?;
        Ok(match path.extension() {
            Some(ending) if ending == "gz" => {
                Output::Gzip(GzEncoder::new(file, Compression::fast()))
            }
            _ => Output::File(file),
        })
    }

    /// Completes the output; without this call, no file is left.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Output::Stdout(mut stdout) => stdout.flush(),
            Output::File(file) => file.finish(),
            Output::Gzip(encoder) => encoder.finish()?.finish(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout(stdout) => stdout.write(bytes),
            Output::File(file) => file.write(bytes),
            Output::Gzip(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stdout(stdout) => stdout.flush(),
            Output::File(file) => file.flush(),
            Output::Gzip(encoder) => encoder.flush(),
        }
    }
}
