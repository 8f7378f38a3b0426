//! Text files of limited length.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The text of the file at `path`; `None` if it has more than `most` bytes.
///
/// # Errors
/// If the file cannot be read, or is not UTF-8.
pub fn read_limited(path: &Path, most: u64) -> io::Result<Option<String>> {
    let mut text = String::new();
    let length = File::open(path)?.take(most + 1).read_to_string(&mut text)?;
    Ok((length as u64 <= most).then_some(text))
}
