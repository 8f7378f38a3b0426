//! Options for operands that are drawn from a distribution or from numbers of one's own.

use super::error::Error;
use mmasmt_numbers::base::excerpt::file_name;
use mmasmt_numbers::float::Format;
use mmasmt_questions::inputs::{NumberList, Source};
use mmasmt_questions::matrices::{ArrayError, read_array};
use std::path::Path;

/// The sources of the factors `a` and `b`, from the values of `--draw`: one for both, or one for each.
///
/// # Errors
/// If a text is no source, a file has no numbers, or there are more than two.
pub(super) fn factors(texts: &[String]) -> Result<[Source; 2], Error> {
    match texts {
        [both] => source("--draw", both).map(|both| [both.clone(), both]),
        [a, b] => Ok([source("--draw", a)?, source("--draw", b)?]),
        other => Err(Error::Usage(format!(
            "--draw: expected one source of factors, or one of a and one of b, found {}",
            other.len()
        ))),
    }
}

/// The source that the value of an option names.
///
/// # Errors
/// If the text is no source, or its file has no numbers.
pub(super) fn source(option: &str, text: &str) -> Result<Source, Error> {
    let wrong = |what: String| Error::Usage(format!("{option}: {what}"));
    if let Some(named) = Source::named(text).map_err(wrong)? {
        return Ok(named);
    }
    let path = Path::new(text);
    let is_array = text.ends_with(".npy") || text.contains(".npz");
    if !is_array {
        return Err(wrong(format!(
            "expected normal, uniform, positive (each also as 1000*normal), 0, or a file FILE.npy, found `{}`",
            file_name(path)
        )));
    }
    let of_file = |what: String| wrong(format!("{}: {what}", file_name(path)));
    let stack = read_array(path, &[], Format::F64).map_err(|error| match error {
        ArrayError::Io(error) => Error::file(path)(error),
        other => of_file(other.to_string()),
    })?;
    let registers = stack
        .matrices()
        .iter()
        .flat_map(|matrix| matrix.registers());
    let numbers = registers.map(f64::from_bits).collect();
    let name = file_name(path).to_string();
    NumberList::new(&name, numbers)
        .map(Source::Of)
        .map_err(of_file)
}
