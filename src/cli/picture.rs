//! The end of drawing a picture: its text, or why it could not be drawn.

use crate::cli::error::Error;

/// The letters of pictures: the library draws this size 13 pixels high.
pub(super) const LETTERS: (&str, i32) = ("sans-serif", 16);

/// The outcome of drawing.
pub(super) type DrawResult = Result<(), Box<dyn std::error::Error>>;

/// The text of a picture that was drawn.
///
/// # Errors
/// If the library that draws failed.
pub(super) fn picture(drawn: DrawResult, text: String) -> Result<String, Error> {
    match drawn {
        Ok(()) => Ok(text),
        Err(what) => Err(Error::Usage(format!("the picture cannot be drawn: {what}"))),
    }
}
