//! Arrays of files, and what is wrong with them.

use crate::cli::error::Error;
use mmasmt_numbers::base::excerpt::file_name;
use mmasmt_numbers::float::Format;
use mmasmt_questions::matrices::{ArrayError, Stack, read_array, read_shape};
use std::path::Path;

/// The array of the file at `path`, in an archive the one with one of these names.
///
/// # Errors
/// If the file has no such array of numbers of the format.
pub(in crate::cli) fn read(path: &Path, names: &[&str], format: Format) -> Result<Stack, Error> {
    read_array(path, names, format).map_err(|error| of_file(path, error))
}

/// The rows and columns of the array that [`read`] reads.
///
/// # Errors
/// If the file has no such array.
pub(in crate::cli) fn shape(path: &Path, names: &[&str]) -> Result<[usize; 2], Error> {
    read_shape(path, names).map_err(|error| of_file(path, error))
}

/// The error of an array as one of its file.
pub(in crate::cli) fn of_file(path: &Path, error: ArrayError) -> Error {
    match error {
        ArrayError::Io(error) => Error::file(path)(error),
        other => Error::Usage(format!("{}: {other}", file_name(path))),
    }
}
